// What a device says about itself: the system group (SNMPv2-MIB), its interfaces (IF-MIB) and its neighbours (LLDP-MIB).

import { isUtf8 } from 'node:buffer'
import type { Variable } from '../snmp/variables.ts'
import type { AskFault } from './ask-fault.ts'
import type { DeviceSession } from './device-session.ts'
import { usualWalk, type WalkLimits, walk } from './walk.ts'

export interface SystemFacts {
  readonly description: string | undefined
  readonly objectId: string | undefined
  /** Hundredths of a second since the agent started. */
  readonly uptime: number | undefined
  readonly contact: string | undefined
  readonly name: string | undefined
  readonly location: string | undefined
}

export interface InterfaceFacts {
  readonly index: number
  readonly description: string | undefined
  readonly name: string | undefined
  readonly alias: string | undefined
  /** IANAifType. */
  readonly type: number | undefined
  /** Bits a second. */
  readonly speed: number | undefined
  readonly mac: string | undefined
  /** 1 up, 2 down, 3 testing. */
  readonly adminStatus: number | undefined
  /** 1 up, 2 down, 3 testing, 4 unknown, 5 dormant, 6 notPresent, 7 lowerLayerDown. */
  readonly operStatus: number | undefined
}

export interface NeighbourFacts {
  /** The device's own port: its number in LLDP, and its name where it is known. */
  readonly localPort: number
  readonly localName: string | undefined
  readonly chassis: string | undefined
  readonly port: string | undefined
  readonly portDescription: string | undefined
  readonly systemName: string | undefined
}

/** A table, and why it may be incomplete. */
export interface Told<T> {
  readonly rows: readonly T[]
  readonly problem: AskFault | undefined
}

const system = '1.3.6.1.2.1.1'

export async function askSystem(session: DeviceSession): Promise<SystemFacts> {
  const values = await session.get([1, 2, 3, 4, 5, 6].map((column) => `${system}.${column}.0`))
  const [description, objectId, uptime, contact, name, location] = values
  return {
    description: textOf(description),
    objectId: objectId?.type === 'ObjectIdentifier' ? objectId.value : undefined,
    uptime: numberOf(uptime),
    contact: textOf(contact),
    name: textOf(name),
    location: textOf(location),
  }
}

const ifEntry = '1.3.6.1.2.1.2.2.1'
const ifXEntry = '1.3.6.1.2.1.31.1.1.1'
const interfaceColumns = {
  index: `${ifEntry}.1`,
  description: `${ifEntry}.2`,
  type: `${ifEntry}.3`,
  speed: `${ifEntry}.5`,
  mac: `${ifEntry}.6`,
  adminStatus: `${ifEntry}.7`,
  operStatus: `${ifEntry}.8`,
  name: `${ifXEntry}.1`,
  highSpeed: `${ifXEntry}.15`,
  alias: `${ifXEntry}.18`,
} as const

/** ifSpeed cannot say more; a faster interface has ifHighSpeed, in millions. */
const MAX_IF_SPEED = 4_294_967_295

export async function askInterfaces(
  session: DeviceSession,
  limits: WalkLimits = usualWalk,
): Promise<Told<InterfaceFacts>> {
  const { rows, problem } = await readTable(session, interfaceColumns, limits)
  const facts = [...rows].flatMap(([row, values]): InterfaceFacts[] => {
    if (!/^\d+$/.test(row)) return []
    const speed = numberOf(values.speed)
    const highSpeed = numberOf(values.highSpeed)
    return [
      {
        index: Number(row),
        description: textOf(values.description),
        name: textOf(values.name),
        alias: textOf(values.alias),
        type: numberOf(values.type),
        speed: highSpeed && (speed === undefined || speed === MAX_IF_SPEED) ? highSpeed * 1e6 : speed,
        mac: macOf(values.mac),
        adminStatus: numberOf(values.adminStatus),
        operStatus: numberOf(values.operStatus),
      },
    ]
  })
  return { rows: facts.toSorted((a, b) => a.index - b.index), problem }
}

const lldp = '1.0.8802.1.1.2.1'
const remoteColumns = {
  chassisKind: `${lldp}.4.1.1.4`,
  chassis: `${lldp}.4.1.1.5`,
  portKind: `${lldp}.4.1.1.6`,
  port: `${lldp}.4.1.1.7`,
  portDescription: `${lldp}.4.1.1.8`,
  systemName: `${lldp}.4.1.1.9`,
} as const
const localColumns = {
  portKind: `${lldp}.3.7.1.2`,
  port: `${lldp}.3.7.1.3`,
  portDescription: `${lldp}.3.7.1.4`,
} as const
/** LldpChassisIdSubtype and LldpPortIdSubtype. */
const chassisForms: Readonly<Record<number, Form>> = { 4: 'mac', 5: 'address' }
const portForms: Readonly<Record<number, Form>> = { 3: 'mac', 4: 'address' }
/** LldpPortIdSubtype interfaceName: other kinds of ids say less than the description. */
const INTERFACE_NAME = 5

export async function askNeighbours(
  session: DeviceSession,
  limits: WalkLimits = usualWalk,
): Promise<Told<NeighbourFacts>> {
  const remote = await readTable(session, remoteColumns, limits)
  if (remote.rows.size === 0) return { rows: [], problem: remote.problem }
  const local = await readTable(session, localColumns, limits)
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
        localPort: Number(port),
        localName: isName ? ownId : (ownDescription ?? ownId),
        chassis: idText(values.chassis, chassisForms[numberOf(values.chassisKind) ?? 0]),
        port: idText(values.port, portForms[numberOf(values.portKind) ?? 0]),
        portDescription: textOf(values.portDescription),
        systemName: textOf(values.systemName),
      },
    ]
  })
  return {
    rows: facts.toSorted((a, b) => a.localPort - b.localPort),
    problem: remote.problem ?? local.problem,
  }
}

type Row<Column extends string> = Partial<Record<Column, Variable>>

/**
 * Rows by index, column by column; a column that the device lacks is absent. The limits are for the whole table; after a
 * problem, no more is asked.
 */
async function readTable<Column extends string>(
  session: DeviceSession,
  columns: Readonly<Record<Column, string>>,
  limits: WalkLimits,
): Promise<{ rows: Map<string, Row<Column>>; problem: AskFault | undefined }> {
  const rows = new Map<string, Row<Column>>()
  const began = performance.now()
  let { values, characters } = limits
  for (const [column, oid] of Object.entries(columns) as [Column, string][]) {
    const duration = limits.duration - (performance.now() - began)
    const { variables, problem } = await walk(session, oid, { values, characters, duration })
    values -= variables.length
    for (const variable of variables) characters -= variable.oid.length + variable.value.length
    for (const variable of variables) {
      const index = variable.oid.slice(oid.length + 1)
      const row: Row<Column> = rows.get(index) ?? {}
      row[column] = variable
      rows.set(index, row)
    }
    if (problem) return { rows, problem }
  }
  return { rows, problem: undefined }
}

const numericTypes = new Set(['Integer32', 'Gauge32', 'Counter32', 'TimeTicks', 'Counter64'])

const numberOf = (variable: Variable | undefined) =>
  variable && numericTypes.has(variable.type) ? Number(variable.value) : undefined

const octetsOf = ({ value, hex }: Variable) =>
  hex ? Buffer.from(value.replaceAll(':', ''), 'hex') : Buffer.from(value, 'utf8')

/** Text of a device, for people: also where it ends in zeros or is written in Latin 1. Undefined if there is none. */
export function textOf(variable: Variable | undefined): string | undefined {
  if (variable?.type !== 'OctetString') return undefined
  if (!variable.hex) return variable.value.trim() || undefined
  let octets = octetsOf(variable)
  while (octets.at(-1) === 0) octets = octets.subarray(0, -1)
  const text = octets.toString(isUtf8(octets) ? 'utf8' : 'latin1')
  // Anything else is not text.
  return /[\p{Cc}\p{Cn}]/u.test(text.replace(/[\t\r\n]/g, '')) ? variable.value : text.trim() || undefined
}

function macOf(variable: Variable | undefined): string | undefined {
  if (variable?.type !== 'OctetString') return undefined
  const octets = octetsOf(variable)
  if (octets.length !== 6) return undefined
  return octets.toString('hex').replace(/(..)(?!$)/g, '$1:')
}

type Form = 'mac' | 'address'

/** An id whose form is said by another column; text, where it does not have that form. */
function idText(variable: Variable | undefined, form: Form | undefined): string | undefined {
  if (variable?.type === 'OctetString') {
    const octets = octetsOf(variable)
    if (form === 'mac' && octets.length === 6) return macOf(variable)
    // A family of addresses (1: IPv4), then the address.
    if (form === 'address' && octets.length === 5 && octets[0] === 1) return octets.subarray(1).join('.')
  }
  return textOf(variable)
}
