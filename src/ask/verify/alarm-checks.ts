// Keeps what devices said when they were asked about their alarms, and who wants to know. A node writes it; the leader ends
// the alarms that are over.

import { openAmong } from '../../alarms/open/reported-alarms.ts'
import { assigned, empty, optional, type RecordOf, resource } from '../../schema/resource.ts'
import { bool, instant, long, text } from '../../schema/scalar.ts'
import { bulk, type Reader, type Transaction } from '../../store/database.ts'
import { allWithValues } from '../../store/where.ts'
import type { CheckResult } from './readings.ts'

const longestText = 500

export const alarmCheck = resource(
  'alarmCheck',
  {
    alarmId: assigned(long),
    deviceId: assigned(long),
    /** Whether the device can be asked about it, and why not. */
    askable: assigned(bool),
    reason: optional(text({ maxLength: longestText }), empty),
    /** Since when somebody waits for an answer; when the device was last asked, and what came of it. */
    requested: assigned(instant),
    asked: assigned(instant),
    result: optional(text({ maxLength: 10 }), empty),
    value: optional(text({ maxLength: longestText }), empty),
    problem: optional(text({ maxLength: longestText }), empty),
  },
  { table: 'alarm_check', key: 'alarmId' },
)
export type AlarmCheck = RecordOf<typeof alarmCheck.fields>

/** What came of asking about an alarm. */
export interface CheckOutcome {
  readonly alarmId: bigint
  readonly deviceId: bigint
  /** When the last question was sent. */
  readonly asked: number
  readonly result: CheckResult
  readonly value: string
  readonly problem: string
  /** What the part is called; empty: what was known stays. */
  readonly name: string
  /** Set where the alarm is over: when the first of the two questions was sent. */
  readonly firstAsked: number
}

const writeOutcome = bulk(
  `insert into alarm_check (id, device_id, asked, result, value, problem, name, first_asked, attention)
   values (?, ?, ?, ?, ?, ?, ?, ?, ?)
   on conflict (id) do update set
     requested = case when alarm_check.requested <= excluded.asked then 0 else alarm_check.requested end,
     asked = excluded.asked, result = excluded.result, value = excluded.value, problem = excluded.problem,
     name = case when excluded.name = '' then alarm_check.name else excluded.name end,
     first_asked = excluded.first_asked, attention = excluded.attention`,
  [
    ...(['bigint', 'bigint', 'bigint', 'text', 'text', 'text', 'text'] as const),
    ...(['bigint', 'integer'] as const),
  ],
)

const bounded = (words: string) => words.slice(0, longestText).toWellFormed()

export const writeOutcomes = (tx: Transaction, outcomes: readonly CheckOutcome[]): Promise<void> =>
  tx.runEach(
    writeOutcome,
    outcomes.map(({ alarmId, deviceId, asked, result, value, problem, name, firstAsked }) => [
      ...[alarmId, deviceId, Math.round(asked), result, bounded(value), bounded(problem), bounded(name)],
      ...[Math.round(firstAsked), firstAsked > 0 ? 1 : 0],
    ]),
  )

/** Somebody wants to know whether an alarm is still so. */
export async function requestCheck(tx: Transaction, alarmId: bigint, deviceId: bigint): Promise<void> {
  await tx.run(
    'insert into alarm_check (id, device_id, requested) values (?, ?, ?) on conflict (id) do update set requested = excluded.requested',
    [alarmId, deviceId, tx.now],
  )
}

export interface CheckRequest {
  readonly alarmId: bigint
  readonly deviceId: bigint
}

export async function requestedChecks(reader: Reader, limit: number): Promise<CheckRequest[]> {
  const rows = await reader.all(
    `select id, device_id from alarm_check where requested > 0 order by id limit ${limit}`,
  )
  return rows.map((row) => ({ alarmId: row.id as bigint, deviceId: row.device_id as bigint }))
}

/** Requests that no node has answered. */
export async function giveUpRequests(tx: Transaction, before: number): Promise<void> {
  await tx.run(
    "update alarm_check set requested = 0, result = 'silent', value = '', problem = ? where requested > 0 and requested < ?",
    ['The device was not asked: it does not answer', before],
  )
}

/** What the parts of these alarms were called when they were asked about. */
export async function knownNames(
  reader: Reader,
  ids: readonly bigint[],
): Promise<ReadonlyMap<bigint, string>> {
  const rows = await allWithValues(
    reader,
    ids,
    (marks) => `select id, name from alarm_check where id in (${marks}) and name <> ''`,
  )
  return new Map(rows.map((row) => [row.id as bigint, String(row.name)]))
}

export async function checkOf(
  reader: Reader,
  alarmId: bigint,
): Promise<Pick<AlarmCheck, 'requested' | 'asked' | 'result' | 'value' | 'problem'>> {
  const [row] = await reader.all('select * from alarm_check where id = ?', [alarmId])
  return {
    requested: Number(row?.requested ?? 0),
    asked: Number(row?.asked ?? 0),
    result: String(row?.result ?? ''),
    value: String(row?.value ?? ''),
    problem: String(row?.problem ?? ''),
  }
}

/** An alarm that two answers found over. */
export interface FoundOver {
  readonly alarmId: bigint
  readonly firstAsked: number
  readonly value: string
}

export async function hasFoundOver(reader: Reader): Promise<boolean> {
  return (await reader.all('select id from alarm_check where attention = 1 limit 1')).length > 0
}

export async function readFoundOver(reader: Reader, limit: number): Promise<FoundOver[]> {
  const rows = await reader.all(
    `select id, first_asked, value from alarm_check where attention = 1 order by id limit ${limit}`,
  )
  return rows.map((row) => ({
    alarmId: row.id as bigint,
    firstAsked: Number(row.first_asked),
    value: String(row.value),
  }))
}

const settled = bulk('update alarm_check set attention = 0 where id = ?', ['bigint'])
const forgotten = bulk('delete from alarm_check where id = ?', ['bigint'])

const each = (ids: readonly bigint[]) => ids.map((id) => [id])
export const settleChecks = (tx: Transaction, ids: readonly bigint[]): Promise<void> =>
  tx.runEach(settled, each(ids))
const forgetChecks = (tx: Transaction, ids: readonly bigint[]): Promise<void> =>
  tx.runEach(forgotten, each(ids))

/** Forgets what was said about alarms that are over; returns the last one looked at, undefined where there are no more. */
export async function forgetEnded(
  tx: Transaction,
  after: bigint,
  limit: number,
): Promise<bigint | undefined> {
  const rows = await tx.all(`select id from alarm_check where id > ? order by id limit ${limit}`, [after])
  const ids = rows.map((row) => row.id as bigint)
  const open = await openAmong(tx, ids)
  await forgetChecks(
    tx,
    ids.filter((id) => !open.has(id)),
  )
  return ids.at(-1)
}
