// The alarm log: every change of an alarm as a numbered entry with the alarm as it was then.

import { type Alarm, alarm } from '../resources/alarm.ts'
import { readDraft } from '../schema/document.ts'
import { jsonElement, jsonWriter } from '../schema/json.ts'
import type { Database, Reader, Transaction } from '../store/database.ts'
import { openCounter } from './numbers.ts'

export type EntryKind = 'raise' | 'rise' | 'recover' | 'acknowledge' | 'delete'

/** What a recovery cleared: enough to tell whom it concerns. */
export interface Cleared {
  readonly id: bigint
  readonly OID: string
  readonly alarmLevel: number
}

export interface Entry {
  readonly number: bigint
  readonly kind: EntryKind
  readonly at: number
  readonly alarm: Alarm
  readonly cleared: readonly Cleared[]
}

export type NewEntry = Omit<Entry, 'number' | 'at'>

// What is derived is worked out when an entry is shown.
const kept = Object.entries(alarm.fields).filter(([, field]) => field.origin !== 'derived')
const toJson = jsonWriter({ name: alarm.name, fields: Object.fromEntries(kept) })
const counterName = 'alarm log'

/** Numbers come from a counter row in the same transaction: a reader never sees a later one before an earlier one. */
export async function append(tx: Transaction, entries: readonly NewEntry[]): Promise<void> {
  if (entries.length === 0) return
  const numbers = await openCounter(tx, counterName)
  for (const { kind, alarm: then, cleared } of entries) {
    await tx.run(
      'insert into alarm_log (number, kind, alarm_id, at, alarm, cleared) values (?, ?, ?, ?, ?, ?)',
      [numbers.take(), kind, then.id, tx.now, JSON.stringify(toJson(then)), clearedText(cleared)],
    )
  }
  await numbers.close()
}

function clearedText(cleared: readonly Cleared[]): string {
  if (cleared.length === 0) return '[]'
  return JSON.stringify(cleared.map(({ id, OID, alarmLevel }) => ({ id: String(id), OID, alarmLevel })))
}

/** Entries after a number, in order. */
export async function readAfter(reader: Reader, number: bigint, limit: number): Promise<Entry[]> {
  const rows = await reader.all(
    'select number, kind, at, alarm, cleared from alarm_log where number > ? order by number limit ?',
    [number, limit],
  )
  return rows.map((row) => ({
    number: row.number as bigint,
    kind: row.kind as EntryKind,
    at: Number(row.at),
    alarm: readAlarm(String(row.alarm)),
    cleared: JSON.parse(String(row.cleared)).map((one: Record<string, string>) => ({
      id: BigInt(one.id ?? 0),
      OID: one.OID,
      alarmLevel: Number(one.alarmLevel),
    })),
  }))
}

function readAlarm(json: string): Alarm {
  const draft = readDraft(alarm, jsonElement(json, alarm.name), 'import')
  return { parentId: 0n, recoverFaultIdList: [], ...draft } as Alarm
}

/** The number of the last entry ever written, kept or not. */
export async function head(reader: Reader): Promise<bigint> {
  const [row] = await reader.all('select value from counter where name = ?', [counterName])
  return (row?.value as bigint | undefined) ?? 0n
}

/** Every start opens an epoch at the log's head, so that a position tells which history it belongs to. */
export function openEpoch(database: Database): Promise<bigint> {
  return database.transaction(async (tx) => {
    const numbers = await openCounter(tx, 'epoch')
    const epoch = numbers.take()
    await numbers.close()
    await tx.run('insert into epoch (number, first_entry, started_at) values (?, ?, ?)', [
      epoch,
      (await head(tx)) + 1n,
      tx.now,
    ])
    return epoch
  })
}
