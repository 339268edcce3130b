// What an alarm means for others: the terminals at its port or device, the devices behind it, their addresses and
// owners, as a tree with counts.

import { fold, ipKey } from '../../schema/scalar.ts'
import type { Reader, Row, SqlValue } from '../../store/database.ts'
import { type Links, linksBehind } from './links-behind.ts'

export interface Address {
  readonly ip: string
  readonly owner: string
  readonly description: string
}

export interface Terminal {
  readonly terminalMac: string
  readonly terminalName: string
  readonly maintainer: string
  readonly deviceId: bigint
  readonly ifIndex: bigint
  readonly address: Address[]
}

/** A device with the devices behind it. */
export interface Impact {
  readonly deviceId: bigint
  readonly deviceName: string
  readonly deviceIp: string
  readonly zoneId: bigint
  /** The port at this end of the link to the device above, and at the other. */
  readonly ifIndex: bigint | null
  readonly parentIfIndex: bigint | null
  /** Whether it has a way around what has failed. */
  readonly otherWays: boolean
  readonly address: readonly Address[]
  readonly terminal: readonly Terminal[]
  readonly impact: Impact[]
  /** Of what is behind it, without the device itself; terminals and addresses include its own. */
  devices: number
  cutOff: number
  terminals: number
  addresses: number
}

export interface Zone {
  readonly zoneId: bigint
  readonly name: string
  devices: number
  terminals: number
}

export interface Whole {
  readonly root: Impact
  readonly zones: readonly Zone[]
  /** False where there is more than is shown. */
  readonly complete: boolean
}

/**
 * XML parsers are not made for chains of hundreds of levels: what lies deeper is shown beside the device it is behind.
 */
const limits = { devices: 5000, terminals: 20_000, depth: 16 }
const valuesAtOnce = 500

/** Of a device as a whole, or of one of its interfaces. */
export async function impactOf(reader: Reader, deviceId: bigint, ifIndex: bigint | null): Promise<Whole> {
  const links = await linksBehind(reader, deviceId, ifIndex, limits.devices)
  const port = links.isWhole ? null : ifIndex
  const ids = [deviceId, ...links.devices]
  const devices = await devicesOf(reader, ids)
  const bound = (await terminalsOf(reader, ids)).filter(
    (one) => port === null || one.deviceId !== deviceId || one.ifIndex === port,
  )
  const terminals = bound.slice(0, limits.terminals)
  await findAddresses(reader, terminals)
  const addresses = await addressesOf(reader, devices)
  const byDevice = Map.groupBy(terminals, (one) => one.deviceId)
  const nodes = new Map<bigint, Impact>()
  for (const id of ids) {
    nodes.set(id, nodeOf(id, devices.get(id), addresses.get(id) ?? [], byDevice.get(id) ?? [], links))
  }
  const root = nodes.get(deviceId) as Impact
  const shownUnder = placesOf(deviceId, links)
  for (const id of links.devices) nodes.get(shownUnder(id))?.impact.push(nodes.get(id) as Impact)
  // The farthest first: what is behind a device is counted before the device itself.
  for (const id of [...links.devices].reverse())
    addUp(nodes.get(links.above.get(id) ?? deviceId), nodes.get(id))
  const complete = !links.cut && terminals.length === bound.length
  return { root, zones: await zonesOf(reader, nodes.values(), deviceId), complete }
}

/** Under which device each is shown. */
function placesOf(first: bigint, { devices, above }: Links): (id: bigint) => bigint {
  const places = new Map<bigint, { readonly under: bigint; readonly depth: number }>()
  for (const id of devices) {
    const parent = above.get(id) ?? first
    const place = places.get(parent)
    const depth = (place?.depth ?? 0) + 1
    places.set(id, place && depth > limits.depth ? place : { under: parent, depth })
  }
  return (id) => places.get(id)?.under ?? first
}

function nodeOf(
  id: bigint,
  device: Row | undefined,
  address: readonly Address[],
  terminal: readonly Terminal[],
  links: Links,
): Impact {
  const link = links.link.get(id)
  const ofTerminals = terminal.reduce((sum, one) => sum + one.address.length, 0)
  return {
    deviceId: id,
    deviceName: String(device?.label ?? ''),
    deviceIp: String(device?.ip ?? ''),
    zoneId: (device?.zone_id as bigint | undefined) ?? 1n,
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

function addUp(above: Impact | undefined, below: Impact | undefined): void {
  if (!above || !below) return
  above.devices += below.devices + 1
  above.cutOff += below.cutOff + (below.otherWays ? 0 : 1)
  above.terminals += below.terminals
  above.addresses += below.addresses
}

/** Runs a query with a list of values, in batches. */
async function inParts(
  reader: Reader,
  values: readonly SqlValue[],
  sql: (marks: string) => string,
): Promise<Row[]> {
  const rows: Row[] = []
  for (let start = 0; start < values.length; start += valuesAtOnce) {
    const part = values.slice(start, start + valuesAtOnce)
    rows.push(...(await reader.all(sql(part.map(() => '?').join(', ')), part)))
  }
  return rows
}

async function devicesOf(reader: Reader, ids: readonly bigint[]): Promise<Map<bigint, Row>> {
  const rows = await inParts(
    reader,
    ids,
    (marks) => `select id, ip, label, zone_id from device where id in (${marks})`,
  )
  return new Map(rows.map((row) => [row.id as bigint, row]))
}

/** A terminal that is bound to several of the interfaces counts once. */
async function terminalsOf(reader: Reader, ids: readonly bigint[]): Promise<Terminal[]> {
  const rows = await inParts(
    reader,
    ids,
    (marks) =>
      `select b.id, b.terminal_mac, b.terminal_name, b.maintainer, i.device_id, i.if_index
       from mac_access_bind_interface i join mac_access_bind b on b.id = i.bind_id
       where i.device_id in (${marks}) order by i.device_id, i.if_index, b.id`,
  )
  const seen = new Set<bigint>()
  return rows.flatMap((row) => {
    if (seen.has(row.id as bigint)) return []
    seen.add(row.id as bigint)
    return {
      terminalMac: String(row.terminal_mac),
      terminalName: String(row.terminal_name ?? ''),
      maintainer: String(row.maintainer ?? ''),
      deviceId: row.device_id as bigint,
      ifIndex: row.if_index as bigint,
      address: [],
    }
  })
}

/** The addresses of a terminal are those that belong to its name, or are described by it. */
async function findAddresses(reader: Reader, terminals: readonly Terminal[]): Promise<void> {
  const byName = Map.groupBy(terminals, ({ terminalName }) => fold(terminalName))
  byName.delete('')
  const names = [...byName.keys()]
  for (const key of ['name_key', 'description_key']) {
    const rows = await inParts(
      reader,
      names,
      (marks) =>
        `select ${key} as called, ip, name, description from assigned_ip where ${key} in (${marks}) order by ip_key`,
    )
    for (const row of rows) {
      const address = addressOf(row)
      for (const terminal of byName.get(String(row.called)) ?? []) {
        if (!terminal.address.some(({ ip }) => ip === address.ip)) terminal.address.push(address)
      }
    }
  }
}

const addressOf = (row: Row): Address => ({
  ip: String(row.ip),
  owner: String(row.name ?? ''),
  description: String(row.description ?? ''),
})

/** The owners of the devices' addresses, where these are assigned to someone. */
async function addressesOf(
  reader: Reader,
  devices: ReadonlyMap<bigint, Row>,
): Promise<Map<bigint, Address[]>> {
  const byKey = new Map([...devices.values()].map((row) => [ipKey(String(row.ip)), row.id as bigint]))
  const rows = await inParts(
    reader,
    [...byKey.keys()],
    (marks) => `select ip_key, ip, name, description from assigned_ip where ip_key in (${marks})`,
  )
  return new Map(rows.map((row) => [byKey.get(String(row.ip_key)) ?? 0n, [addressOf(row)]]))
}

/** The zones of the devices behind, and of the terminals. */
async function zonesOf(reader: Reader, nodes: Iterable<Impact>, first: bigint): Promise<Zone[]> {
  const zones = new Map<bigint, Zone>()
  for (const { deviceId, zoneId, terminal } of nodes) {
    const zone = zones.get(zoneId) ?? { zoneId, name: '', devices: 0, terminals: 0 }
    zones.set(zoneId, zone)
    if (deviceId !== first) zone.devices += 1
    zone.terminals += terminal.length
  }
  const rows = await inParts(
    reader,
    [...zones.keys()],
    (marks) => `select id, name from zone where id in (${marks})`,
  )
  const names = new Map(rows.map((row) => [row.id as bigint, String(row.name)]))
  return [...zones.values()]
    .filter(({ devices, terminals }) => devices + terminals > 0)
    .map((zone) => ({ ...zone, name: names.get(zone.zoneId) ?? '' }))
    .sort((a, b) => Number(a.zoneId - b.zoneId))
}
