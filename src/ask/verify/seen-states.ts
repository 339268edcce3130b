// Keeps what was seen of the parts of devices, and the faults that were found, for the leader to raise. A node writes them.

import type { Variable } from '../../snmp/variables.ts'
import { bulk, type Reader, type Row, type Transaction } from '../../store/database.ts'
import type { RefusedFault, Seen, SeenPart, SeenParts } from './missed-faults.ts'

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
  /** What the part is called; empty where that is not known. */
  readonly name: string
  readonly variables: readonly Variable[]
  /** What the device said, for people. */
  readonly value: string
  readonly asked: number
  /** The alarm about the same part that has another instance. */
  readonly moved: bigint | undefined
  /** Beside that, the alarm that it has at this instance already. */
  readonly own: bigint | undefined
}

/** What came of looking at a device. */
export interface Survey {
  readonly deviceId: bigint
  readonly seen: Seen
  readonly faults: readonly FoundFault[]
  /** Those that it has looked at again. */
  readonly refused: readonly StoredRefusal[]
}

export interface StoredRefusal extends RefusedFault {
  readonly deviceId: bigint
  readonly asked: number
}

const writeSeen = bulk(
  'insert into seen_state (id, seen, parts) values (?, ?, ?) on conflict (id) do update set seen = excluded.seen, parts = excluded.parts',
  ['bigint', 'bigint', 'text'],
)
const writeFault = bulk(
  `insert into found_fault (device_id, event, instance, part_keys, name, variables, value, asked, moved, own) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
   on conflict (device_id, event, instance) do update set
     part_keys = excluded.part_keys, name = excluded.name, variables = excluded.variables, value = excluded.value,
     asked = excluded.asked, moved = excluded.moved, own = excluded.own, refused = 0`,
  [...(['bigint', 'text', 'text', 'text', 'text', 'text', 'text'] as const), 'bigint', 'bigint', 'bigint'],
)
const forgetRefusal = bulk(
  'delete from found_fault where device_id = ? and event = ? and instance = ? and asked = ? and refused = 1',
  ['bigint', 'text', 'text', 'bigint'],
)

export async function writeSurveys(tx: Transaction, surveys: readonly Survey[]): Promise<void> {
  await tx.runEach(
    writeSeen,
    surveys.map(({ deviceId, seen }) => [deviceId, Math.round(seen.at), toText(seen.parts)]),
  )
  await tx.runEach(
    forgetRefusal,
    surveys.flatMap(({ refused }) =>
      refused.map(({ deviceId, event, instance, asked }) => [deviceId, event, instance, asked]),
    ),
  )
  await tx.runEach(
    writeFault,
    surveys.flatMap(({ deviceId, faults }) =>
      faults.map(({ event, instance, key, name, variables, value, asked, moved, own }) => [
        ...[deviceId, event, instance, key.join(','), name, JSON.stringify(variables), value],
        ...[Math.round(asked), moved ?? 0n, own ?? 0n],
      ]),
    ),
  )
}

export interface StoredFault extends FoundFault {
  readonly deviceId: bigint
}

export async function hasFaults(reader: Reader): Promise<boolean> {
  return (await reader.all('select device_id from found_fault where refused = 0 limit 1')).length > 0
}

const selectWaiting = 'select * from found_fault where refused = 0'

/** Those of a device together: where its parts have moved, one gives its place to another. */
export async function waitingFaults(reader: Reader, limit: number): Promise<StoredFault[]> {
  const rows = await reader.all(`${selectWaiting} order by device_id, event, instance limit ${limit}`)
  const last = rows.at(-1)
  if (!last) return []
  const others = rows.filter((row) => row.device_id !== last.device_id)
  const ofLast = await reader.all(`${selectWaiting} and device_id = ?`, [last.device_id as bigint])
  return [...others, ...ofLast].map(faultFrom)
}

const faultFrom = (row: Row): StoredFault => ({
  deviceId: row.device_id as bigint,
  event: String(row.event),
  instance: String(row.instance),
  key: String(row.part_keys).split(',').filter(Boolean),
  name: String(row.name),
  variables: JSON.parse(String(row.variables)),
  value: String(row.value),
  asked: Number(row.asked),
  moved: idOrNone(row.moved),
  own: idOrNone(row.own),
})

const idOrNone = (value: unknown) => (value === 0n ? undefined : (value as bigint))

const removeFault = bulk('delete from found_fault where device_id = ? and event = ? and instance = ?', [
  'bigint',
  'text',
  'text',
])
const refuseFault = bulk(
  'update found_fault set refused = 1 where device_id = ? and event = ? and instance = ?',
  ['bigint', 'text', 'text'],
)

/** Those that could not be raised wait for the device to be asked about them again. */
export async function settleFaults(
  tx: Transaction,
  faults: readonly StoredFault[],
  refused: ReadonlySet<StoredFault>,
): Promise<void> {
  const keysOf = (some: readonly StoredFault[]) =>
    some.map(({ deviceId, event, instance }) => [deviceId, event, instance])
  await tx.runEach(removeFault, keysOf(faults.filter((fault) => !refused.has(fault))))
  await tx.runEach(refuseFault, keysOf([...refused]))
}

export async function refusedFaults(reader: Reader, deviceId: bigint): Promise<StoredRefusal[]> {
  const rows = await reader.all(
    'select event, instance, name, asked from found_fault where device_id = ? and refused = 1',
    [deviceId],
  )
  return rows.map((row) => ({
    deviceId,
    event: String(row.event),
    instance: String(row.instance),
    name: String(row.name),
    asked: Number(row.asked),
  }))
}

/** What was seen of devices that have not been asked for so long is no longer worth anything. */
export async function forgetSeen(tx: Transaction, before: number, limit: number): Promise<void> {
  await tx.run('delete from found_fault where refused = 1 and asked < ?', [before])
  await tx.run(
    `delete from seen_state where id in (select id from seen_state where seen < ? order by seen limit ${limit})`,
    [before],
  )
}
