// Which MAC addresses a device has learnt at its ports (BRIDGE-MIB, Q-BRIDGE-MIB), and which addresses of IP belong to them
// (IP-MIB).

import { isStationMac } from '../resources/inventory/mac-entry.ts'
import { AskFault } from './ask-fault.ts'
import { addressIn } from './device-neighbours.ts'
import type { DeviceSession } from './device-session.ts'
import { askTable, choiceOf, macOf, numberOf, type TableAnswer } from './device-table.ts'
import type { WalkLimits } from './walk.ts'

export interface StationFacts {
  readonly mac: string
  /** Undefined where the device does not tell VLANs apart. */
  readonly vlan: number | undefined
  /** The number of the port at the bridge, and its ifIndex where the bridge says it. */
  readonly basePort: number
  readonly ifIndex: number | undefined
}

export interface ArpFacts {
  readonly ip: string
  readonly mac: string
  readonly ifIndex: number
}

const bridge = '1.3.6.1.2.1.17'
const portColumns = { ifIndex: `${bridge}.1.4.1.2` } as const
const plainColumns = { port: `${bridge}.4.3.1.2`, status: `${bridge}.4.3.1.3` } as const
const vlanColumns = { port: `${bridge}.7.1.2.2.1.2`, status: `${bridge}.7.1.2.2.1.3` } as const
/** dot1qVlanFdbId: the database of each VLAN. */
const databaseColumns = { id: `${bridge}.7.1.4.2.1.3` } as const
/** CISCO-VTP-MIB: vtpVlanState. */
const ciscoVlans = { state: '1.3.6.1.4.1.9.9.46.1.3.1.1.2' } as const
const cisco = '1.3.6.1.4.1.9'
const operational = 1
/** Of token ring and FDDI, which every such switch has. */
const isUnused = (vlan: number) => vlan >= 1002 && vlan <= 1005
/** VLANs that are asked one by one. */
const maxVlans = 256
/** dot1dTpFdbStatus. */
const [invalid, self] = [2, 4]

/** Stops as soon as there are more rows than `most`. */
export async function askStations(
  session: DeviceSession,
  objectId: string | undefined,
  limits: WalkLimits,
  most: number,
): Promise<TableAnswer<StationFacts>> {
  const tagged = await askTagged(session, limits)
  if (tagged.problem || tagged.rows.length > 0) return tagged
  const vlans = isBelow(objectId, cisco) ? await askVlans(session, limits) : []
  return vlans.length > 0 ? askByVlan(session, vlans, limits, most) : askPlain(session, limits, undefined)
}

const isBelow = (oid: string | undefined, root: string) => oid?.startsWith(`${root}.`) === true

async function askPorts(session: DeviceSession, limits: WalkLimits) {
  const { rows, problem } = await askTable(session, portColumns, limits)
  const ports = new Map([...rows].map(([row, { ifIndex }]) => [Number(row), numberOf(ifIndex)]))
  return { ports, problem }
}

/** Q-BRIDGE-MIB: one table for all VLANs, by the number of their database. */
async function askTagged(session: DeviceSession, limits: WalkLimits): Promise<TableAnswer<StationFacts>> {
  const { rows, problem } = await askTable(session, vlanColumns, limits)
  if (rows.size === 0) return { rows: [], problem }
  const databases = await askTable(session, databaseColumns, limits)
  const vlans = vlansByDatabase(databases.rows)
  const { ports, problem: unknownPorts } = await askPorts(session, limits)
  const facts = [...rows].flatMap(([row, values]): StationFacts[] => {
    const [database = '', ...octets] = row.split('.')
    const vlan = vlans.size > 0 ? vlans.get(database) : vlanOf(Number(database))
    return stationFrom(octets, values, vlan, ports)
  })
  return { rows: facts, problem: problem ?? databases.problem ?? unknownPorts }
}

/** The VLAN of each database that has one alone. */
function vlansByDatabase(rows: ReadonlyMap<string, { id?: Parameters<typeof numberOf>[0] }>) {
  const found = new Map<string, number | undefined>()
  for (const [row, { id }] of rows) {
    // The index: when the VLAN was made, and its number.
    const vlan = vlanOf(Number(row.split('.')[1]))
    const database = String(numberOf(id) ?? '')
    if (database !== '')
      found.set(database, found.has(database) && found.get(database) !== vlan ? undefined : vlan)
  }
  return found
}

const vlanOf = (number: number) => (number >= 1 && number <= 4094 ? number : undefined)

/** BRIDGE-MIB. */
async function askPlain(
  session: DeviceSession,
  limits: WalkLimits,
  vlan: number | undefined,
): Promise<TableAnswer<StationFacts>> {
  const { rows, problem } = await askTable(session, plainColumns, limits)
  if (rows.size === 0) return { rows: [], problem }
  const { ports, problem: unknownPorts } = await askPorts(session, limits)
  const facts = [...rows].flatMap(([row, values]) => stationFrom(row.split('.'), values, vlan, ports))
  return { rows: facts, problem: problem ?? unknownPorts }
}

async function askVlans(session: DeviceSession, limits: WalkLimits): Promise<number[]> {
  const { rows } = await askTable(session, ciscoVlans, limits)
  const numbers = [...rows].flatMap(([row, { state }]) => {
    // The index: the management domain, and the VLAN.
    const vlan = vlanOf(Number(row.split('.')[1]))
    return vlan !== undefined && !isUnused(vlan) && choiceOf(state) === operational ? [vlan] : []
  })
  return [...new Set(numbers)].toSorted((a, b) => a - b).slice(0, maxVlans)
}

/** The first VLAN that is not answered ends it: a device that does not understand the question counts it as an intrusion. */
async function askByVlan(
  session: DeviceSession,
  vlans: readonly number[],
  limits: WalkLimits,
  most: number,
): Promise<TableAnswer<StationFacts>> {
  const rows: StationFacts[] = []
  const until = performance.now() + limits.duration
  for (const vlan of vlans) {
    const duration = until - performance.now()
    if (duration <= 0)
      return { rows, problem: new AskFault('limit', 'the bridge tables of all VLANs took too long') }
    const told = await askPlain(session.inVlan(vlan), { ...limits, duration }, vlan)
    rows.push(...told.rows)
    if (told.problem || rows.length > most) return { rows, problem: told.problem }
  }
  return { rows, problem: undefined }
}

type PortValues = { port?: Parameters<typeof numberOf>[0]; status?: Parameters<typeof numberOf>[0] }

/** Those of the device itself, of groups, and without a port are none. */
function stationFrom(
  octets: readonly string[],
  { port, status }: PortValues,
  vlan: number | undefined,
  ports: ReadonlyMap<number, number | undefined>,
): StationFacts[] {
  const mac = macFrom(octets)
  const basePort = numberOf(port) ?? 0
  const kind = choiceOf(status)
  if (mac === undefined || basePort <= 0 || kind === invalid || kind === self) return []
  return [{ mac, vlan, basePort, ifIndex: ports.get(basePort) }]
}

/** From the numbers of an index. */
function macFrom(octets: readonly string[]): string | undefined {
  if (octets.length !== 6 || octets.some((octet) => Number(octet) > 255)) return undefined
  const mac = Buffer.from(octets.map(Number))
    .toString('hex')
    .replace(/(..)(?!$)/g, '$1:')
  return isStationMac(mac) ? mac : undefined
}

const ipEntry = '1.3.6.1.2.1.4'
const physicalColumns = { mac: `${ipEntry}.35.1.4`, type: `${ipEntry}.35.1.6` } as const
const mediaColumns = { mac: `${ipEntry}.22.1.2`, type: `${ipEntry}.22.1.4` } as const
/** ipNetToPhysicalType; the older table has the first of them alone. */
const local = 5

/** Of both tables: many devices keep the older one for IPv4 alone. */
export async function askArp(session: DeviceSession, limits: WalkLimits): Promise<TableAnswer<ArpFacts>> {
  const physical = await askTable(session, physicalColumns, limits)
  const found = new Map<string, ArpFacts>()
  const add = (ifIndex: string | undefined, ip: string | undefined, values: ArpValues) => {
    const mac = macOf(values.mac)
    const type = choiceOf(values.type)
    if (ip === undefined || mac === undefined || !isStationMac(mac) || type === invalid || type === local)
      return
    found.set(`${ifIndex} ${ip}`, { ip, mac, ifIndex: Number(ifIndex) })
  }
  for (const [row, values] of physical.rows) {
    const [ifIndex, ...address] = row.split('.')
    add(ifIndex, addressIn(address), values)
  }
  if (physical.problem) return { rows: [...found.values()], problem: physical.problem }
  const media = await askTable(session, mediaColumns, limits)
  for (const [row, values] of media.rows) {
    const [ifIndex, ...octets] = row.split('.')
    add(ifIndex, addressIn(['1', '4', ...octets]), values)
  }
  return { rows: [...found.values()], problem: media.problem }
}

type ArpValues = { mac?: Parameters<typeof macOf>[0]; type?: Parameters<typeof numberOf>[0] }
