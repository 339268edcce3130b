// Where MAC addresses are, as far as anything tells: what people bound, what switches reported, and what devices said when they
// were asked. The best answer comes first.

import type { Reader, Row } from '../../store/database.ts'
import { allWithValues } from '../../store/where.ts'
import { deviceHeads } from './device.ts'

export const locationSources = [
  'bound',
  ...(['authorize', 'accounting', 'trap'] as const),
  ...(['bridge', 'port', 'arp'] as const),
] as const
type Source = (typeof locationSources)[number]

/**
 * `allowed`: people bound it to this port. `here`: it is at the port. `left`: it was there last. `behind`: it is somewhere behind
 * the port, which leads to other devices.
 */
export const locationStates = ['allowed', 'here', 'left', 'behind'] as const
type State = (typeof locationStates)[number]

export interface MacLocation {
  readonly mac: string
  readonly source: Source
  readonly state: State
  readonly deviceId: bigint
  readonly deviceIp: string
  readonly deviceName: string
  /** 0: unknown. */
  readonly ifIndex: bigint
  readonly port: string
  readonly vlan: number
  /** Since when it is there, and when that was last said, or that it is gone; 0: nobody says. */
  readonly since: number
  readonly lastTime: number
}

type Found = Omit<MacLocation, 'deviceIp' | 'deviceName'> & {
  readonly deviceIp?: string
  /** Of an uplink: how many addresses are behind the port. The fewer, the nearer. */
  readonly crowd?: number
}

/** Of one MAC address, from one source. */
const maxRows = 100
/** MAC addresses that one address of IP may stand for. */
const maxMacs = 10

/** The MAC addresses of an address of IP: those of now first. */
export async function macsOfIp(reader: Reader, ip: string): Promise<string[]> {
  const learnt = await reader.all(
    'select mac, gone, learnt from arp_entry where ip = ? order by gone, learnt desc limit 100',
    [ip],
  )
  const seen = await reader.all(
    'select terminal_mac as mac from terminal where ip = ? and present = 1 order by last_time desc limit 10',
    [ip],
  )
  const current = learnt.filter((row) => row.gone === 0n)
  const macs = [...(current.length > 0 ? current : learnt), ...seen].map((row) => String(row.mac))
  return [...new Set(macs)].slice(0, maxMacs)
}

/** The addresses of IP that belong to MAC addresses now, or did last. */
export async function ipsOfMacs(reader: Reader, macs: readonly string[]): Promise<Map<string, string[]>> {
  const rows = [
    ...(await allWithValues(
      reader,
      macs,
      (marks) =>
        `select mac, ip from arp_entry where mac in (${marks}) order by gone, learnt desc limit 1000`,
    )),
    ...(await allWithValues(
      reader,
      macs,
      (marks) =>
        `select terminal_mac as mac, ip from terminal where terminal_mac in (${marks}) and ip is not null`,
    )),
  ]
  const found = new Map<string, string[]>(macs.map((mac) => [mac, []]))
  for (const { mac, ip } of rows) {
    const own = found.get(String(mac))
    if (own && own.length < maxMacs && !own.includes(String(ip))) own.push(String(ip))
  }
  return found
}

export async function locateMacs(reader: Reader, macs: readonly string[]): Promise<MacLocation[]> {
  const found: Found[] = []
  for (const mac of macs) {
    const all = [
      ...(await boundPlaces(reader, mac)),
      ...(await reportedPlaces(reader, mac)),
      ...(await bridgePlaces(reader, mac)),
      ...(await ownPorts(reader, mac)),
      ...(await arpPlaces(reader, mac)),
    ]
    found.push(...all.toSorted(compare))
  }
  const heads = await deviceHeads(reader, [...new Set(found.map(({ deviceId }) => deviceId))])
  const names = await portNames(reader, found)
  return found.map(({ crowd: _, ...one }) => {
    const head = heads.get(one.deviceId)
    const port = one.port || (names.get(`${one.deviceId} ${one.ifIndex}`) ?? '')
    return { ...one, port, deviceIp: head?.ip ?? one.deviceIp ?? '', deviceName: head?.label ?? '' }
  })
}

/** Of two that say where it is, the later one; of two that say behind what it is, the nearer one. */
function compare(a: Found, b: Found): number {
  const byState = rank(a) - rank(b)
  if (byState !== 0) return byState
  if (a.state === 'behind') return (a.crowd ?? Infinity) - (b.crowd ?? Infinity) || b.since - a.since
  return Math.max(b.since, b.lastTime) - Math.max(a.since, a.lastTime)
}

const ranks: Readonly<Record<State, number>> = { allowed: 0, here: 1, left: 2, behind: 3 }
/** That a router has its address says no more than in which network it is. */
const rank = ({ state, source }: Found) => (source === 'arp' ? 4 : ranks[state])

const text = (value: Row[string] | undefined) => String(value ?? '')

async function boundPlaces(reader: Reader, mac: string): Promise<Found[]> {
  const rows = await reader.all(
    `select i.device_id, i.if_index, b.vlan from mac_access_bind b join mac_access_bind_interface i on i.bind_id = b.id
      where b.terminal_mac_key = ? and b.bind_type = 2 order by i.device_id, i.if_index limit ${maxRows}`,
    [mac],
  )
  return rows.map((row) => ({
    ...{ mac, source: 'bound', state: 'allowed', deviceId: row.device_id as bigint },
    ...{ ifIndex: row.if_index as bigint, port: '', vlan: Number(row.vlan ?? 0), since: 0, lastTime: 0 },
  }))
}

async function reportedPlaces(reader: Reader, mac: string): Promise<Found[]> {
  const rows = await reader.all(
    'select device_id, device_ip, if_index, port, vlan, since, last_time, source, present from terminal where terminal_mac = ?',
    [mac],
  )
  return rows.map((row) => ({
    ...{ mac, source: text(row.source) as Source, state: row.present === 1n ? 'here' : 'left' },
    ...{ deviceId: row.device_id as bigint, deviceIp: text(row.device_ip) },
    ...{ ifIndex: (row.if_index as bigint | null) ?? 0n, port: text(row.port), vlan: Number(row.vlan ?? 0) },
    ...{ since: Number(row.since), lastTime: Number(row.last_time) },
  }))
}

async function bridgePlaces(reader: Reader, mac: string): Promise<Found[]> {
  const rows = await reader.all(
    `select device_id, vlan, if_index, port_name, uplink, mac_entry.learnt, gone, asked
      from mac_entry left join device_facts on device_facts.id = device_id where mac = ?
      order by uplink, gone, mac_entry.learnt desc limit ${maxRows}`,
    [mac],
  )
  const uplinks = rows.filter((row) => row.uplink === 1n)
  const crowds = await crowdsAt(
    reader,
    uplinks.map((row) => row.device_id as bigint),
  )
  return rows.map((row) => {
    const isUplink = row.uplink === 1n
    const place = { deviceId: row.device_id as bigint, ifIndex: row.if_index as bigint }
    return {
      ...{ mac, source: 'bridge', state: isUplink ? 'behind' : row.gone === 0n ? 'here' : 'left', ...place },
      ...{ port: text(row.port_name), vlan: Number(row.vlan) },
      ...{ since: Number(row.learnt), lastTime: lastSaid(row) },
      ...(isUplink && { crowd: crowds.get(`${place.deviceId} ${place.ifIndex}`) ?? 0 }),
    }
  })
}

/** When the device said it last, or that it is gone. */
const lastSaid = ({ gone, asked }: Row) => Number(gone === 0n ? (asked ?? 0n) : gone)

async function crowdsAt(reader: Reader, devices: readonly bigint[]): Promise<Map<string, number>> {
  const rows = await allWithValues(
    reader,
    [...new Set(devices)],
    (marks) =>
      `select device_id, if_index, count(*) as n from mac_entry where device_id in (${marks}) and uplink = 1 group by device_id, if_index`,
  )
  return new Map(rows.map((row) => [`${row.device_id} ${row.if_index}`, Number(row.n)]))
}

/** A port of a device has the address itself. */
async function ownPorts(reader: Reader, mac: string): Promise<Found[]> {
  const rows = await reader.all(
    `select device_id, if_index, name, description, port.learnt, asked
      from port left join device_facts on device_facts.id = device_id where mac = ? order by port.id limit ${maxRows}`,
    [mac],
  )
  return rows.map((row) => ({
    ...{ mac, source: 'port', state: 'here', deviceId: row.device_id as bigint },
    ...{ ifIndex: row.if_index as bigint, port: text(row.name) || text(row.description), vlan: 0 },
    ...{ since: Number(row.learnt), lastTime: Number(row.asked ?? 0n) },
  }))
}

async function arpPlaces(reader: Reader, mac: string): Promise<Found[]> {
  const rows = await reader.all(
    `select device_id, if_index, port_name, arp_entry.learnt, gone, asked
      from arp_entry left join device_facts on device_facts.id = device_id where mac = ?
      order by gone, arp_entry.learnt desc limit ${maxRows}`,
    [mac],
  )
  return rows.map((row) => ({
    ...{ mac, source: 'arp', state: row.gone === 0n ? 'behind' : 'left', deviceId: row.device_id as bigint },
    ...{ ifIndex: row.if_index as bigint, port: text(row.port_name), vlan: 0 },
    ...{ since: Number(row.learnt), lastTime: lastSaid(row) },
  }))
}

/** Of ports that are known by their index alone. */
async function portNames(reader: Reader, found: readonly Found[]): Promise<Map<string, string>> {
  const devices = found.filter(({ port }) => port === '').map(({ deviceId }) => deviceId)
  const rows = await allWithValues(
    reader,
    [...new Set(devices)],
    (marks) => `select device_id, if_index, name, description from port where device_id in (${marks})`,
  )
  return new Map(
    rows.map((row) => [`${row.device_id} ${row.if_index}`, text(row.name) || text(row.description)]),
  )
}
