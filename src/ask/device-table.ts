// Reads tables of a device, column by column, and the values in them.

import { isUtf8 } from 'node:buffer'
import type { Variable } from '../snmp/variables.ts'
import type { AskFault } from './ask-fault.ts'
import type { DeviceSession } from './device-session.ts'
import { type WalkLimits, walk } from './walk.ts'

/** A table, and why it may be incomplete. */
export interface TableAnswer<T> {
  readonly rows: readonly T[]
  readonly problem: AskFault | undefined
}

/** Values by column; a column that the device lacks is absent. */
export type TableRow<Column extends string> = Partial<Record<Column, Variable>>

/**
 * Rows by index, column by column; a column that the device lacks is absent. The limits are for the whole table; after a
 * problem, no more is asked.
 */
export async function askTable<Column extends string>(
  session: DeviceSession,
  columns: Readonly<Record<Column, string>>,
  limits: WalkLimits,
): Promise<{ rows: Map<string, TableRow<Column>>; problem: AskFault | undefined }> {
  const rows = new Map<string, TableRow<Column>>()
  const began = performance.now()
  let { values, characters } = limits
  for (const [column, oid] of Object.entries(columns) as [Column, string][]) {
    const duration = limits.duration - (performance.now() - began)
    const { variables, problem } = await walk(session, oid, { values, characters, duration })
    values -= variables.length
    for (const variable of variables) characters -= variable.oid.length + variable.value.length
    for (const variable of variables) {
      const index = variable.oid.slice(oid.length + 1)
      const row: TableRow<Column> = rows.get(index) ?? {}
      row[column] = variable
      rows.set(index, row)
    }
    if (problem) return { rows, problem }
  }
  return { rows, problem: undefined }
}

/** Of 32 bits: no column that is read has more, and a device must not choose what does not fit where it is kept. */
const numericTypes = new Set(['Integer32', 'Gauge32', 'Counter32', 'TimeTicks'])

export const numberOf = (variable: Variable | undefined) =>
  variable && numericTypes.has(variable.type) ? Number(variable.value) : undefined

/** A value of an enumeration. */
export const choiceOf = (variable: Variable | undefined) =>
  variable?.type === 'Integer32' ? numberOf(variable) : undefined

export const octetsOf = ({ value, hex }: Variable) =>
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

export function macOf(variable: Variable | undefined): string | undefined {
  if (variable?.type !== 'OctetString') return undefined
  const octets = octetsOf(variable)
  if (octets.length !== 6) return undefined
  return octets.toString('hex').replace(/(..)(?!$)/g, '$1:')
}

export type IdForm = 'mac' | 'address'

/** An id whose form is said by another column; text, where it does not have that form. */
export function idText(variable: Variable | undefined, form: IdForm | undefined): string | undefined {
  if (variable?.type === 'OctetString') {
    const octets = octetsOf(variable)
    if (form === 'mac' && octets.length === 6) return macOf(variable)
    // A family of addresses (1: IPv4), then the address.
    if (form === 'address' && octets.length === 5 && octets[0] === 1) return octets.subarray(1).join('.')
  }
  return textOf(variable)
}
