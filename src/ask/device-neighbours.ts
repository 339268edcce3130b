// The neighbours of a device, as it has learnt them itself: LLDP-MIB and CISCO-CDP-MIB.

import { isIP } from 'node:net'
import { ip } from '../schema/scalar.ts'
import type { Variable } from '../snmp/variables.ts'
import type { DeviceSession } from './device-session.ts'
import {
  askTable,
  type IdForm,
  idText,
  numberOf,
  octetsOf,
  type TableAnswer,
  textOf,
} from './device-table.ts'
import { defaultWalkLimits, type WalkLimits } from './walk.ts'

export interface NeighbourFacts {
  readonly protocol: 'lldp' | 'cdp'
  /** The device's own port: its number in LLDP, its ifIndex in CDP; and its name where LLDP tells it. */
  readonly localPort: number
  readonly localName: string | undefined
  readonly chassis: string | undefined
  readonly port: string | undefined
  readonly portDescription: string | undefined
  readonly systemName: string | undefined
  /** By which it is managed. */
  readonly address: string | undefined
  readonly platform: string | undefined
}

/** Those of both protocols; a neighbour that speaks both is named twice. */
export async function askNeighbours(
  session: DeviceSession,
  limits: WalkLimits = defaultWalkLimits,
): Promise<TableAnswer<NeighbourFacts>> {
  const lldp = await askLldp(session, limits)
  const cdp = await askCdp(session, limits)
  return { rows: [...lldp.rows, ...cdp.rows], problem: lldp.problem ?? cdp.problem }
}

const lldp = '1.0.8802.1.1.2.1'
const remoteColumns = {
  chassisKind: `${lldp}.4.1.1.4`,
  chassis: `${lldp}.4.1.1.5`,
  portKind: `${lldp}.4.1.1.6`,
  port: `${lldp}.4.1.1.7`,
  portDescription: `${lldp}.4.1.1.8`,
  systemName: `${lldp}.4.1.1.9`,
  systemDescription: `${lldp}.4.1.1.10`,
} as const
const localColumns = {
  portKind: `${lldp}.3.7.1.2`,
  port: `${lldp}.3.7.1.3`,
  portDescription: `${lldp}.3.7.1.4`,
} as const
/** The address is in the index. */
const managementColumns = { subtype: `${lldp}.4.2.1.3` } as const
/** LldpChassisIdSubtype and LldpPortIdSubtype. */
const chassisForms: Readonly<Record<number, IdForm>> = { 4: 'mac', 5: 'address' }
const portForms: Readonly<Record<number, IdForm>> = { 3: 'mac', 4: 'address' }
/** LldpPortIdSubtype interfaceName: other kinds of ids say less than the description. */
const INTERFACE_NAME = 5

async function askLldp(session: DeviceSession, limits: WalkLimits): Promise<TableAnswer<NeighbourFacts>> {
  const remote = await askTable(session, remoteColumns, limits)
  if (remote.rows.size === 0) return { rows: [], problem: remote.problem }
  const local = await askTable(session, localColumns, limits)
  const management = await askTable(session, managementColumns, limits)
  const addresses = managementAddresses(management.rows.keys())
  const facts = [...remote.rows].flatMap(([row, values]): NeighbourFacts[] => {
    // The index: when it was learnt, the local port, and a number.
    const [, port, number] = row.split('.')
    if (port === undefined || number === undefined) return []
    const own = local.rows.get(port)
    const ownId = idText(own?.port, portForms[numberOf(own?.portKind) ?? 0])
    const ownDescription = textOf(own?.portDescription)
    const isName = numberOf(own?.portKind) === INTERFACE_NAME
    return [
      {
        protocol: 'lldp',
        localPort: Number(port),
        localName: isName ? ownId : (ownDescription ?? ownId),
        chassis: idText(values.chassis, chassisForms[numberOf(values.chassisKind) ?? 0]),
        port: idText(values.port, portForms[numberOf(values.portKind) ?? 0]),
        portDescription: textOf(values.portDescription),
        systemName: textOf(values.systemName),
        address: addresses.get(row),
        platform: textOf(values.systemDescription),
      },
    ]
  })
  const problem = remote.problem ?? local.problem ?? management.problem
  return { rows: facts.toSorted((a, b) => a.localPort - b.localPort), problem }
}

/** The first address of each row, from indexes of three numbers, the family, the length and the address. */
function managementAddresses(indexes: Iterable<string>): Map<string, string> {
  const found = new Map<string, string>()
  for (const index of indexes) {
    const parts = index.split('.')
    const row = parts.slice(0, 3).join('.')
    const address = addressIn(parts.slice(3))
    if (address !== undefined && !found.has(row)) found.set(row, address)
  }
  return found
}

/** An address from the numbers of an index: family, length, octets. The families 1 and 2 are IPv4 and IPv6. */
export function addressIn([family, length, ...octets]: readonly string[]): string | undefined {
  const bytes = Buffer.from(octets.map(Number))
  if (bytes.length !== Number(length)) return undefined
  return family === '1' || family === '2' ? addressOf(bytes) : undefined
}

/** Undefined where the octets are no address of one interface. */
function addressOf(octets: Buffer): string | undefined {
  const groups = octets.toString('hex').match(/.{4}/g)
  const text = octets.length === 4 ? octets.join('.') : octets.length === 16 ? groups?.join(':') : undefined
  if (text === undefined || isIP(text) === 0) return undefined
  const address = ip.read(text)
  return address === '0.0.0.0' || address === '::' ? undefined : address
}

const cdp = '1.3.6.1.4.1.9.9.23.1.2.1.1'
const cdpColumns = {
  addressType: `${cdp}.3`,
  address: `${cdp}.4`,
  deviceId: `${cdp}.6`,
  port: `${cdp}.7`,
  platform: `${cdp}.8`,
} as const
/** CiscoNetworkProtocol. */
const cdpIp = new Set([1, 20])

async function askCdp(session: DeviceSession, limits: WalkLimits): Promise<TableAnswer<NeighbourFacts>> {
  const { rows, problem } = await askTable(session, cdpColumns, limits)
  const facts = [...rows].flatMap(([row, values]): NeighbourFacts[] => {
    const [ifIndex, number] = row.split('.')
    if (ifIndex === undefined || number === undefined) return []
    return [
      {
        protocol: 'cdp',
        localPort: Number(ifIndex),
        localName: undefined,
        chassis: undefined,
        port: textOf(values.port),
        portDescription: undefined,
        systemName: textOf(values.deviceId),
        address: cdpIp.has(numberOf(values.addressType) ?? 1) ? cdpAddress(values.address) : undefined,
        platform: textOf(values.platform),
      },
    ]
  })
  return { rows: facts.toSorted((a, b) => a.localPort - b.localPort), problem }
}

const cdpAddress = (variable: Variable | undefined) =>
  variable?.type === 'OctetString' ? addressOf(octetsOf(variable)) : undefined
