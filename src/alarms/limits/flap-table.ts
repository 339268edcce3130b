// Reads and writes the table of flapping alarms.

import { bulk, type Row, type SqlValue, type Transaction } from '../../store/database.ts'
import {
  type AlarmDraft,
  draftFromText,
  draftToText,
  type Identity,
  identityOfRow,
} from '../engine/alarm-draft.ts'

export interface Flap {
  readonly summaryId: bigint
  /** The last fault that followed a recovery, and how often it was repeated. */
  fault: AlarmDraft
  repeats: number
  lastTime: number
  isOpen: boolean
  changedAt: number
}

const columns = 'device_id, resource, alarm_type, summary_id, changed_at, last_time, repeats, fault, is_open'

const upsertFlaps = bulk(
  `insert into flapping (${columns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (device_id, resource, alarm_type) do update set summary_id = excluded.summary_id, changed_at = excluded.changed_at, last_time = excluded.last_time, repeats = excluded.repeats, fault = excluded.fault, is_open = excluded.is_open`,
  ['bigint', 'text', 'text', 'bigint', 'bigint', 'bigint', 'bigint', 'text', 'integer'],
)
const deleteFlaps = bulk('delete from flapping where device_id = ? and resource = ? and alarm_type = ?', [
  'bigint',
  'text',
  'text',
])

function rowOf({ summaryId, fault, repeats, lastTime, isOpen, changedAt }: Flap): SqlValue[] {
  const { deviceId, resource, alarmType } = fault.identity
  const state = [summaryId, changedAt, lastTime, repeats, draftToText(fault), isOpen ? 1 : 0]
  return [deviceId, resource, alarmType, ...state]
}

const flapOf = (row: Row): Flap => ({
  summaryId: row.summary_id as bigint,
  fault: draftFromText(String(row.fault), identityOfRow(row)),
  repeats: Number(row.repeats),
  lastTime: Number(row.last_time),
  isOpen: Number(row.is_open) === 1,
  changedAt: Number(row.changed_at),
})

/** By the key of the identity. */
export async function readFlaps(tx: Transaction): Promise<Map<string, Flap>> {
  const rows = await tx.all(`select ${columns} from flapping`)
  return new Map(rows.map((row) => [identityOfRow(row).key, flapOf(row)]))
}

export async function writeFlaps(
  tx: Transaction,
  ended: readonly Identity[],
  changed: readonly Flap[],
): Promise<void> {
  await tx.runEach(
    deleteFlaps,
    ended.map(({ deviceId, resource, alarmType }) => [deviceId, resource, alarmType]),
  )
  await tx.runEach(upsertFlaps, changed.map(rowOf))
}
