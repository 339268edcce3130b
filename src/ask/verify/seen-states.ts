// Keeps what was seen of the parts of devices, and the faults that were found, for the leader to raise. A node writes them.

import type { Variable } from '../../snmp/variables.ts'
import { bulk, type Reader, type Transaction } from '../../store/database.ts'
import type { Seen, SeenPart, SeenParts } from './missed-faults.ts'

const never: Seen = { at: 0, parts: new Map() }

export async function seenOf(reader: Reader, deviceId: bigint): Promise<Seen> {
  const [row] = await reader.all('select seen, parts from seen_state where id = ?', [deviceId])
  if (!row) return never
  const tables: Record<string, Record<string, StoredPart>> = JSON.parse(String(row.parts))
  const parts = Object.entries(tables).map(
    ([watch, table]) =>
      [
        watch,
        new Map(Object.entries(table).map(([instance, stored]) => [instance, partFrom(stored)] as const)),
      ] as const,
  )
  return { at: Number(row.seen), parts: new Map(parts) }
}

/** Its name, and the id of its alarm: 0 where that is not known, absent where it was good. */
type StoredPart = readonly [name: string, alarm?: string]

const partFrom = ([name, alarm]: StoredPart): SeenPart =>
  alarm === undefined
    ? { name, had: 'good' }
    : { name, had: 'alarm', alarm: alarm === '0' ? undefined : BigInt(alarm) }

const storedFrom = ({ name, had, alarm = 0n }: SeenPart): StoredPart =>
  had === 'good' ? [name] : [name, String(alarm)]

const toText = (parts: SeenParts): string =>
  JSON.stringify(
    Object.fromEntries(
      Array.from(parts, ([watch, table]) => [
        watch,
        Object.fromEntries(Array.from(table, ([instance, part]) => [instance, storedFrom(part)])),
      ]),
    ),
  )

/** A fault that two answers have shown. */
export interface FoundFault {
  readonly event: string
  readonly instance: string
  /** The parts of an alarm's resource that make the instance. */
  readonly key: readonly string[]
  readonly variables: readonly Variable[]
  /** What the device said, for people. */
  readonly value: string
  readonly asked: number
  /** The alarm about the same part that has another instance. */
  readonly moved: bigint | undefined
}

/** What came of looking at a device. */
export interface Survey {
  readonly deviceId: bigint
  readonly seen: Seen
  readonly faults: readonly FoundFault[]
}

const writeSeen = bulk(
  'insert into seen_state (id, seen, parts) values (?, ?, ?) on conflict (id) do update set seen = excluded.seen, parts = excluded.parts',
  ['bigint', 'bigint', 'text'],
)
const writeFault = bulk(
  `insert into found_fault (device_id, event, instance, part_keys, variables, value, asked, moved) values (?, ?, ?, ?, ?, ?, ?, ?)
   on conflict (device_id, event, instance) do update set
     part_keys = excluded.part_keys, variables = excluded.variables, value = excluded.value, asked = excluded.asked, moved = excluded.moved`,
  ['bigint', 'text', 'text', 'text', 'text', 'text', 'bigint', 'bigint'],
)

export async function writeSurveys(tx: Transaction, surveys: readonly Survey[]): Promise<void> {
  await tx.runEach(
    writeSeen,
    surveys.map(({ deviceId, seen }) => [deviceId, Math.round(seen.at), toText(seen.parts)]),
  )
  await tx.runEach(
    writeFault,
    surveys.flatMap(({ deviceId, faults }) =>
      faults.map(({ event, instance, key, variables, value, asked, moved }) => [
        ...[deviceId, event, instance, key.join(','), JSON.stringify(variables), value],
        ...[Math.round(asked), moved ?? 0n],
      ]),
    ),
  )
}

export interface StoredFault extends FoundFault {
  readonly deviceId: bigint
}

export async function hasFaults(reader: Reader): Promise<boolean> {
  return (await reader.all('select device_id from found_fault limit 1')).length > 0
}

/** Those of parts that have moved come first: others may have their place now. */
export async function waitingFaults(reader: Reader, limit: number): Promise<StoredFault[]> {
  const rows = await reader.all(
    `select * from found_fault order by case when moved = 0 then 1 else 0 end, device_id, event, instance limit ${limit}`,
  )
  return rows.map((row) => ({
    deviceId: row.device_id as bigint,
    event: String(row.event),
    instance: String(row.instance),
    key: String(row.part_keys).split(',').filter(Boolean),
    variables: JSON.parse(String(row.variables)),
    value: String(row.value),
    asked: Number(row.asked),
    moved: row.moved === 0n ? undefined : (row.moved as bigint),
  }))
}

const removeFault = bulk('delete from found_fault where device_id = ? and event = ? and instance = ?', [
  'bigint',
  'text',
  'text',
])

export const removeFaults = (tx: Transaction, faults: readonly StoredFault[]): Promise<void> =>
  tx.runEach(
    removeFault,
    faults.map(({ deviceId, event, instance }) => [deviceId, event, instance]),
  )

/** What was seen of devices that have not been asked for so long is no longer worth anything. */
export async function forgetSeen(tx: Transaction, before: number, limit: number): Promise<number> {
  return tx.run(
    `delete from seen_state where id in (select id from seen_state where seen < ? order by seen limit ${limit})`,
    [before],
  )
}
