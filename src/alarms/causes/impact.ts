// Computes the impact of an alarm: the terminals at its port or device and the downstream devices, with their addresses
// and owners, as a tree with counts.

import { type Assignment, assignedAt, assignedToNames } from '../../resources/inventory/assigned-ip-info.ts'
import { type DeviceHead, deviceHeads } from '../../resources/inventory/device.ts'
import { type LinkRow, linksOf } from '../../resources/inventory/device-links.ts'
import { type BoundTerminal, terminalsBoundTo } from '../../resources/inventory/mac-access-bind.ts'
import { defaultZone, zoneNames } from '../../resources/inventory/zone.ts'
import { fold, ipKey } from '../../schema/scalar.ts'
import type { Reader } from '../../store/database.ts'

interface Terminal extends BoundTerminal {
  readonly address: Assignment[]
}

/** A device and the devices downstream of it. */
interface Impact {
  readonly deviceId: bigint
  readonly deviceName: string
  readonly deviceIp: string
  readonly zoneId: bigint
  /** The ports at this end and at the parent's end of the uplink. */
  readonly ifIndex: bigint | null
  readonly parentIfIndex: bigint | null
  /** Whether it has a path around the failure. */
  readonly otherWays: boolean
  readonly address: readonly Assignment[]
  readonly terminal: readonly Terminal[]
  readonly impact: Impact[]
  /** Counts of everything downstream, without the device itself; terminals and addresses include its own. */
  devices: number
  cutOff: number
  terminals: number
  addresses: number
}

interface Zone {
  readonly zoneId: bigint
  readonly name: string
  devices: number
  terminals: number
}

interface ImpactTree {
  readonly root: Impact
  readonly zones: readonly Zone[]
  /** False if the tree is truncated. */
  readonly complete: boolean
}

/** XML parsers do not expect hundreds of nested levels: deeper devices are shown next to their parent. */
const limits = { devices: 5000, terminals: 20_000, depth: 16 }

/** The impact of a failed device, or of one of its interfaces. */
export async function impactOf(
  reader: Reader,
  deviceId: bigint,
  ifIndex: bigint | null,
): Promise<ImpactTree> {
  const links = await downstreamOf(reader, deviceId, ifIndex, limits.devices)
  const port = links.isWholeDevice ? null : ifIndex
  const ids = [deviceId, ...links.devices]
  const devices = await deviceHeads(reader, ids)
  const bound = (await terminalsBoundTo(reader, ids)).filter(
    (one) => port === null || one.deviceId !== deviceId || one.ifIndex === port,
  )
  const terminals = bound.slice(0, limits.terminals).map((one): Terminal => ({ ...one, address: [] }))
  await findAddresses(reader, terminals)
  const addresses = await addressesOf(reader, devices)
  const byDevice = Map.groupBy(terminals, (one) => one.deviceId)
  const nodes = new Map<bigint, Impact>()
  for (const id of ids) {
    nodes.set(id, nodeOf(id, devices.get(id), addresses.get(id) ?? [], byDevice.get(id) ?? [], links))
  }
  const root = nodes.get(deviceId) as Impact
  const shownUnder = displayParents(deviceId, links)
  for (const id of links.devices) nodes.get(shownUnder(id))?.impact.push(nodes.get(id) as Impact)
  // Farthest first, so that a device is counted after everything downstream of it.
  for (const id of [...links.devices].reverse())
    addCounts(nodes.get(links.above.get(id) ?? deviceId), nodes.get(id))
  const complete = !links.isTruncated && terminals.length === bound.length
  return { root, zones: await zonesOf(reader, nodes.values(), deviceId), complete }
}

/** The device under which each one is shown. */
function displayParents(first: bigint, { devices, above }: Downstream): (id: bigint) => bigint {
  const shownAt = new Map<bigint, { readonly under: bigint; readonly depth: number }>()
  for (const id of devices) {
    const parent = above.get(id) ?? first
    const position = shownAt.get(parent)
    const depth = (position?.depth ?? 0) + 1
    shownAt.set(id, position && depth > limits.depth ? position : { under: parent, depth })
  }
  return (id) => shownAt.get(id)?.under ?? first
}

function nodeOf(
  id: bigint,
  device: DeviceHead | undefined,
  address: readonly Assignment[],
  terminal: readonly Terminal[],
  links: Downstream,
): Impact {
  const link = links.link.get(id)
  const ofTerminals = terminal.reduce((sum, one) => sum + one.address.length, 0)
  return {
    deviceId: id,
    deviceName: device?.label ?? '',
    deviceIp: device?.ip ?? '',
    zoneId: device?.zoneId ?? defaultZone,
    ifIndex: link?.ifIndex ?? null,
    parentIfIndex: link?.parentIfIndex ?? null,
    otherWays: !links.cutOff.has(id) && link !== undefined,
    address,
    terminal,
    impact: [],
    devices: 0,
    cutOff: 0,
    terminals: terminal.length,
    addresses: address.length + ofTerminals,
  }
}

function addCounts(above: Impact | undefined, below: Impact | undefined): void {
  if (!above || !below) return
  above.devices += below.devices + 1
  above.cutOff += below.cutOff + (below.otherWays ? 0 : 1)
  above.terminals += below.terminals
  above.addresses += below.addresses
}

/** A terminal's addresses are those assigned to its name, or described by it. */
async function findAddresses(reader: Reader, terminals: readonly Terminal[]): Promise<void> {
  const byName = Map.groupBy(terminals, ({ terminalName }) => fold(terminalName))
  byName.delete('')
  for (const { name, assignment } of await assignedToNames(reader, [...byName.keys()])) {
    for (const { address } of byName.get(name) ?? []) {
      if (!address.some(({ ip }) => ip === assignment.ip)) address.push(assignment)
    }
  }
}

/** The owners of the devices' addresses, if assigned. */
async function addressesOf(
  reader: Reader,
  devices: ReadonlyMap<bigint, DeviceHead>,
): Promise<Map<bigint, Assignment[]>> {
  const keys = new Map(Array.from(devices.values(), ({ ip, id }) => [id, ipKey(ip)]))
  const assigned = await assignedAt(reader, [...new Set(keys.values())])
  const found = Array.from(keys, ([id, key]) => [id, assigned.get(key)] as const)
  return new Map(found.flatMap(([id, assignment]) => (assignment ? [[id, [assignment]] as const] : [])))
}

/** The zones of the downstream devices and of the terminals. */
async function zonesOf(reader: Reader, nodes: Iterable<Impact>, first: bigint): Promise<Zone[]> {
  const zones = new Map<bigint, Zone>()
  for (const { deviceId, zoneId, terminal } of nodes) {
    const zone = zones.get(zoneId) ?? { zoneId, name: '', devices: 0, terminals: 0 }
    zones.set(zoneId, zone)
    if (deviceId !== first) zone.devices += 1
    zone.terminals += terminal.length
  }
  const names = await zoneNames(reader, [...zones.keys()])
  return [...zones.values()]
    .filter(({ devices, terminals }) => devices + terminals > 0)
    .map((zone) => ({ ...zone, name: names.get(zone.zoneId) ?? '' }))
    .sort((a, b) => Number(a.zoneId - b.zoneId))
}

// Finds the devices downstream of a device or of one of its interfaces, and which of them have no other path.

interface Downstream {
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
async function downstreamOf(
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
