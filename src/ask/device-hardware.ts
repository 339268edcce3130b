// What a device is made of and how it is addressed: its chassis (ENTITY-MIB) and its own addresses (IP-MIB).

import { isIP } from 'node:net'
import { ip } from '../schema/scalar.ts'
import { addressIn } from './device-neighbours.ts'
import type { DeviceSession } from './device-session.ts'
import { askTable, numberOf, type TableAnswer, textOf } from './device-table.ts'
import { defaultWalkLimits, type WalkLimits } from './walk.ts'

/** Undefined where the device does not say it. */
export interface ChassisFacts {
  readonly serialNumber: string | undefined
  readonly model: string | undefined
  readonly software: string | undefined
}

const entity = '1.3.6.1.2.1.47.1.1.1.1'
const CHASSIS = 3
const columns = { software: `${entity}.10`, serialNumber: `${entity}.11`, model: `${entity}.13` } as const

/** The first chassis; in a stack, that of the first member. */
export async function askChassis(
  session: DeviceSession,
  limits: WalkLimits = defaultWalkLimits,
): Promise<ChassisFacts> {
  const { rows } = await askTable(session, { kind: `${entity}.5` }, limits)
  const [index] = [...rows].find(([, { kind }]) => numberOf(kind) === CHASSIS) ?? []
  if (index === undefined) return { serialNumber: undefined, model: undefined, software: undefined }
  const names = Object.keys(columns) as (keyof typeof columns)[]
  const values = await session.get(names.map((name) => `${columns[name]}.${index}`))
  const [software, serialNumber, model] = values.map(textOf)
  return { serialNumber, model, software }
}

export interface OwnAddress {
  readonly address: string
  readonly ifIndex: number | undefined
}

const tables = {
  /** ipAdEntIfIndex: IPv4 alone. */
  old: '1.3.6.1.2.1.4.20.1.2',
  /** ipAddressIfIndex. */
  current: '1.3.6.1.2.1.4.34.1.3',
} as const

/** Not those that every device has, such as 127.0.0.1. */
export async function askAddresses(
  session: DeviceSession,
  limits: WalkLimits = defaultWalkLimits,
): Promise<TableAnswer<OwnAddress>> {
  const old = await askTable(session, { ifIndex: tables.old }, limits)
  const current = await askTable(session, { ifIndex: tables.current }, limits)
  const found = new Map<string, OwnAddress>()
  const add = (address: string | undefined, ifIndex: number | undefined) => {
    if (address !== undefined && !isCommon(address) && !found.has(address))
      found.set(address, { address, ifIndex })
  }
  for (const [index, row] of current.rows) add(addressIn(index.split('.')), numberOf(row.ifIndex))
  for (const [index, row] of old.rows)
    add(isIP(index) === 4 ? ip.read(index) : undefined, numberOf(row.ifIndex))
  return { rows: [...found.values()], problem: old.problem ?? current.problem }
}

const isCommon = (address: string) => /^(?:127\.|0\.|::1$|fe80:)/.test(address)
