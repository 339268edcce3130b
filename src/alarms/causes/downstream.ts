// Finds the devices downstream of a device or of one of its interfaces, and which of them have no other path.

import { type LinkRow, linksOf } from '../../resources/inventory/device-links.ts'
import type { Reader } from '../../store/database.ts'

export interface Downstream {
  /** Nearest first. */
  readonly devices: readonly bigint[]
  /** By device: its parent on the shortest path, and the link to it. */
  readonly above: ReadonlyMap<bigint, bigint>
  readonly link: ReadonlyMap<bigint, LinkRow>
  /** Those whose every uplink path leads through the failure. */
  readonly cutOff: ReadonlySet<bigint>
  /** Whether the whole device is affected: the interface is its only uplink. */
  readonly isWholeDevice: boolean
  /** Whether there are more devices than the limit. */
  readonly isTruncated: boolean
}

/** If `ifIndex` is null, the whole device has failed. Examines at most `limit` devices. */
export async function downstreamOf(
  reader: Reader,
  deviceId: bigint,
  ifIndex: bigint | null,
  limit: number,
): Promise<Downstream> {
  const up = ifIndex === null ? [] : await linksOf(reader, 'device_id', [deviceId])
  const isWholeDevice = ifIndex === null || (up.length > 0 && up.every((link) => link.ifIndex === ifIndex))
  /** For links to the device itself: whether the link has failed. */
  const fails = (link: LinkRow) => isWholeDevice || link.parentIfIndex === ifIndex
  const above = new Map<bigint, bigint>()
  const first = new Map<bigint, LinkRow>()
  let isTruncated = false
  for (let near: readonly bigint[] = [deviceId]; near.length > 0 && !isTruncated; ) {
    const found: bigint[] = []
    for (const link of await linksOf(reader, 'parent_id', near)) {
      if (link.parentId === deviceId && !fails(link)) continue
      if (link.deviceId === deviceId || above.has(link.deviceId)) continue
      isTruncated = above.size >= limit
      if (isTruncated) break
      above.set(link.deviceId, link.parentId)
      first.set(link.deviceId, link)
      found.push(link.deviceId)
    }
    near = found
  }
  const devices = [...above.keys()]
  const cutOff = devicesCutOff(deviceId, devices, await linksOf(reader, 'device_id', devices), fails)
  return { devices, above, link: first, cutOff, isWholeDevice, isTruncated }
}

/** Resolves parents before their children, which is possible because links never form a cycle. */
function devicesCutOff(
  deviceId: bigint,
  devices: readonly bigint[],
  allLinks: readonly LinkRow[],
  fails: (link: LinkRow) => boolean,
): Set<bigint> {
  const uplinks = Map.groupBy(allLinks, (link) => link.deviceId)
  const isCutOff = new Map<bigint, boolean>([[deviceId, true]])
  const downstream = new Set(devices)
  // Not recursive, because deep chains would overflow the stack: a device waits until its parents are resolved.
  const waiting = [...devices].reverse()
  while (waiting.length > 0) {
    const id = waiting.at(-1) as bigint
    const links = uplinks.get(id) ?? []
    const unresolved = isCutOff.has(id)
      ? []
      : links.filter(({ parentId }) => downstream.has(parentId) && !isCutOff.has(parentId))
    if (unresolved.length > 0) {
      waiting.push(...unresolved.map(({ parentId }) => parentId))
      continue
    }
    waiting.pop()
    const isCut = (link: LinkRow) =>
      link.parentId === deviceId ? fails(link) : isCutOff.get(link.parentId) === true
    if (!isCutOff.has(id)) isCutOff.set(id, links.every(isCut))
  }
  return new Set(devices.filter((id) => isCutOff.get(id)))
}
