// Named counters in the store: the last id of each table, the last number of the log, and flags that are kept until
// they are reported.

import { Fault } from '../fault.ts'
import type { Reader, Transaction } from './database.ts'

/** Undefined where it was never set. */
export async function readCounter(reader: Reader, name: string): Promise<bigint | undefined> {
  const [row] = await reader.all('select value from counter where name = ?', [name])
  return row?.value as bigint | undefined
}

export async function readCounters(reader: Reader): Promise<Map<string, bigint>> {
  const rows = await reader.all('select name, value from counter')
  return new Map(rows.map((row) => [String(row.name), row.value as bigint]))
}

export async function setCounter(tx: Transaction, name: string, value: bigint | number): Promise<void> {
  await tx.run(
    'insert into counter (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
    [name, value],
  )
}

/** Sets it to 1; returns whether it was not set before. */
export async function setFirst(tx: Transaction, name: string): Promise<boolean> {
  const made = await tx.run('insert into counter (name, value) values (?, 1) on conflict (name) do nothing', [
    name,
  ])
  return made === 1
}

/** Its value, 0 where it was never set; locked, so that no other transaction changes it before this one has ended. */
export async function lockCounter(tx: Transaction, name: string): Promise<bigint> {
  const [row] = await tx.all(
    'insert into counter (name, value) values (?, 0) on conflict (name) do update set value = counter.value returning value',
    [name],
  )
  return row?.value as bigint
}

export async function removeCounter(tx: Transaction, name: string): Promise<void> {
  await tx.run('delete from counter where name = ?', [name])
}

/** Which store this is: the same in its copies. */
export const storeCounter = 'store'

/** Set where the store has the sample network of the demo. */
export const sampleCounter = 'sample network'

/** Called before a number is taken: one that this service has seen taken already is not taken again. */
export function requireUnused(tx: Transaction, name: string, last: bigint): void {
  const seen = tx.seen?.(name) ?? 0n
  if (seen <= last) return
  const message = `the store has been put back to an older state: ${name} ${seen} was given out, and here ${last} is the last. It is being compared: try again`
  throw new Fault('unavailable', message)
}
