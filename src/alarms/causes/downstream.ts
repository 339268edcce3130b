// The devices behind a device, or behind one of its interfaces, over any number of links; and which of them have no
// other way.

import { type LinkRow, linksOf } from '../../resources/inventory/device-links.ts'
import type { Reader } from '../../store/database.ts'

export interface Links {
  /** The nearest first. */
  readonly devices: readonly bigint[]
  /** By device: the one above it, on the shortest way, and the link to it. */
  readonly above: ReadonlyMap<bigint, bigint>
  readonly link: ReadonlyMap<bigint, LinkRow>
  /** Those of which every way up leads through what has failed. */
  readonly cutOff: ReadonlySet<bigint>
  /** Whether an interface stands for its device: it is the only way up. */
  readonly isWhole: boolean
  /** Whether there are more than were asked for. */
  readonly cut: boolean
}

/** Of a device as a whole where `ifIndex` is null. At most `limit` devices are looked at. */
export async function downstreamOf(
  reader: Reader,
  deviceId: bigint,
  ifIndex: bigint | null,
  limit: number,
): Promise<Links> {
  const up = ifIndex === null ? [] : await linksOf(reader, 'device_id', [deviceId])
  const isWhole = ifIndex === null || (up.length > 0 && up.every((link) => link.ifIndex === ifIndex))
  /** Whether a link leads through what has failed, where it leads to the device itself. */
  const fails = (link: LinkRow) => isWhole || link.parentIfIndex === ifIndex
  const above = new Map<bigint, bigint>()
  const first = new Map<bigint, LinkRow>()
  let cut = false
  for (let near: readonly bigint[] = [deviceId]; near.length > 0 && !cut; ) {
    const found: bigint[] = []
    for (const link of await linksOf(reader, 'parent_id', near)) {
      if (link.parentId === deviceId && !fails(link)) continue
      if (link.deviceId === deviceId || above.has(link.deviceId)) continue
      cut = above.size >= limit
      if (cut) break
      above.set(link.deviceId, link.parentId)
      first.set(link.deviceId, link)
      found.push(link.deviceId)
    }
    near = found
  }
  const devices = [...above.keys()]
  const cutOff = withoutWay(deviceId, devices, await linksOf(reader, 'device_id', devices), fails)
  return { devices, above, link: first, cutOff, isWhole, cut }
}

/** Links never make a circle, so that what is above a device can be known before the device. */
function withoutWay(
  deviceId: bigint,
  devices: readonly bigint[],
  links: readonly LinkRow[],
  fails: (link: LinkRow) => boolean,
): Set<bigint> {
  const ups = Map.groupBy(links, (link) => link.deviceId)
  const known = new Map<bigint, boolean>([[deviceId, true]])
  const behind = new Set(devices)
  // Deep chains would overflow the stack: a device that depends on others is put back until those are done.
  const waiting = [...devices].reverse()
  while (waiting.length > 0) {
    const id = waiting.at(-1) as bigint
    const own = ups.get(id) ?? []
    const open = known.has(id)
      ? []
      : own.filter(({ parentId }) => behind.has(parentId) && !known.has(parentId))
    if (open.length > 0) {
      waiting.push(...open.map(({ parentId }) => parentId))
      continue
    }
    waiting.pop()
    const isCut = (link: LinkRow) =>
      link.parentId === deviceId ? fails(link) : known.get(link.parentId) === true
    if (!known.has(id)) known.set(id, own.every(isCut))
  }
  return new Set(devices.filter((id) => known.get(id)))
}
