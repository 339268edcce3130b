// The ledger: what became of every change that a route took, one row for each channel that it led to.

import { randomUUID } from 'node:crypto'
import { collection } from '../../resources/collection.ts'
import { list } from '../../schema/list.ts'
import { assigned, derived, optional, type RecordOf, resource } from '../../schema/resource.ts'
import { instant, int, long, text } from '../../schema/scalar.ts'
import {
  bulk,
  type Reader,
  type Row,
  type SqlType,
  type SqlValue,
  type Transaction,
} from '../../store/database.ts'
import { insertAll, removeUpTo } from '../../store/table.ts'
import type { Change } from '../message.ts'

export const outcomes = ['pending', 'delivered', 'givenUp', 'suppressed', 'merged', 'limited'] as const
export type Outcome = (typeof outcomes)[number]
export type Ending = Exclude<Outcome, 'pending'>

const word = text({ maxLength: 50 })
const sentence = text({ maxLength: 500 })

export const notification = resource(
  'notification',
  {
    id: assigned(long),
    /** 0: the last resort, which takes the service's own alarms that no route takes. */
    routeId: assigned(long),
    routeName: derived(text(), { mayBeAbsent: true }),
    incidentId: assigned(long),
    alarmId: assigned(long),
    /** The entry of the log; 0 where time alone was the reason, as for a repeat. */
    logNumber: assigned(long),
    change: assigned(word),
    /** Who did it, or what was noted. */
    detail: assigned(sentence),
    step: assigned(int()),
    contactId: assigned(long),
    contactName: derived(text(), { mayBeAbsent: true }),
    channelId: assigned(long),
    /** Where it belongs to nobody. */
    channelName: derived(text(), { mayBeAbsent: true }),
    outcome: assigned(word),
    reason: optional(sentence),
    attempts: assigned(int()),
    /** The same for every attempt. */
    messageId: assigned(word),
    createdTime: assigned(instant),
    attemptTime: assigned(instant),
    endTime: assigned(instant),
    /** By which later messages answer this one, and what the other side said: for administrators. */
    reference: optional(sentence),
    answer: optional(sentence),
  },
  { table: 'notification', key: 'id' },
)

export type Notification = RecordOf<typeof notification.fields>

/** Stored with a row and shown to nobody. */
const unshown = { attemptOpen: assigned(int()), dueAt: optional(instant), giveUpAt: assigned(instant) }

export const notifications = collection({
  resource: notification,
  unshown,
  noun: 'notification',
  list: list('/notify/notification', notification, {
    filters: ({ equals, period }) => ({
      routeId: equals('routeId'),
      incidentId: equals('incidentId'),
      alarmId: equals('alarmId'),
      contactId: equals('contactId'),
      channelId: equals('channelId'),
      outcome: equals('outcome'),
      change: equals('change'),
      startTime: period('createdTime', 'from'),
      endTime: period('createdTime', 'until'),
    }),
    orderBy: { id: 'id', createdTime: 'createdTime' },
    descendingWithoutOrder: true,
    unindexed: true,
  }),
})

/** A row as the service works with it. */
export interface LedgerRow {
  readonly id: bigint
  readonly routeId: bigint
  incidentId: bigint
  readonly alarmId: bigint
  readonly logNumber: bigint
  readonly change: Change
  readonly detail: string
  step: number
  contactId: bigint
  channelId: bigint
  outcome: Outcome
  reason: string | null
  attempts: number
  readonly messageId: string
  attemptOpen: number
  readonly createdTime: number
  attemptTime: number
  endTime: number
  dueAt: number | null
  giveUpAt: number
  reference: string | null
  answer: string | null
}

export type NewRow = Pick<LedgerRow, 'id' | 'routeId' | 'incidentId' | 'alarmId' | 'logNumber' | 'change'> &
  Partial<LedgerRow>

const detailLength = 500
/** How long a message may fail before it is given up. */
export const giveUpAfter = 30 * 60_000
/** Begins the detail of a message that says that a limit was reached. */
export const limitDetail = 'limit: '
export const isLimitNotice = ({ change, detail }: Pick<LedgerRow, 'change' | 'detail'>): boolean =>
  change === 'summary' && detail.startsWith(limitDetail)

export const newRow = (row: NewRow, now: number): LedgerRow => ({
  step: 0,
  contactId: 0n,
  channelId: 0n,
  outcome: 'pending',
  reason: null,
  attempts: 0,
  messageId: randomUUID(),
  attemptOpen: 0,
  createdTime: now,
  attemptTime: 0,
  endTime: 0,
  dueAt: null,
  giveUpAt: (row.dueAt ?? now) + giveUpAfter,
  reference: null,
  answer: null,
  ...row,
  detail: (row.detail ?? '').slice(0, detailLength),
})

/** Ends a row, once: what has ended stays as it is. */
export function end(row: LedgerRow, outcome: Ending, reason: string | null, now: number): void {
  if (row.outcome !== 'pending') throw new Error(`notification ${row.id} has ended already: ${row.outcome}`)
  Object.assign(row, { outcome, reason, endTime: now, dueAt: null, attemptOpen: 0 })
}

export const rowOf = (row: Row): LedgerRow => notifications.table.form.toRecord(row) as unknown as LedgerRow

/** The columns of whole rows, as they are selected. */
export const ledgerColumns = notifications.table.form.shown

export const insertRows = (tx: Transaction, rows: readonly LedgerRow[]): Promise<void> =>
  insertAll(
    tx,
    notifications.table,
    rows.map((row) => ({ ...row })),
  )

/** What changes in a row after it was written. */
const changing: readonly (readonly [keyof LedgerRow, string, SqlType])[] = [
  ['incidentId', 'incident_id', 'bigint'],
  ['step', 'step', 'integer'],
  ['contactId', 'contact_id', 'bigint'],
  ['channelId', 'channel_id', 'bigint'],
  ['outcome', 'outcome', 'text'],
  ['reason', 'reason', 'text'],
  ['attempts', 'attempts', 'integer'],
  ['attemptOpen', 'attempt_open', 'integer'],
  ['attemptTime', 'attempt_time', 'bigint'],
  ['endTime', 'end_time', 'bigint'],
  ['dueAt', 'due_at', 'bigint'],
  ['giveUpAt', 'give_up_at', 'bigint'],
  ['reference', 'reference', 'text'],
  ['answer', 'answer', 'text'],
]

const updateRow = bulk(
  `update notification set ${changing.map(([, column]) => `${column} = ?`).join(', ')} where id = ?`,
  [...changing.map(([, , type]) => type), 'bigint'],
)

export const updateRows = (tx: Transaction, rows: readonly LedgerRow[]): Promise<void> =>
  tx.runEach(
    updateRow,
    rows.map((row) => [...changing.map(([name]) => row[name] as SqlValue), row.id]),
  )

/** The total of all rows that were ever written. */
export const writtenTotal = 'written'

export const addToTotal = bulk(
  'insert into notify_count (name, n) values (?, ?) on conflict (name) do update set n = notify_count.n + excluded.n',
  ['text', 'bigint'],
)

/** How many rows ended as what since the store was made, and how many have not ended. */
export async function ledgerTotals(reader: Reader): Promise<Map<Outcome, number>> {
  const rows = await reader.all('select name, n from notify_count')
  const totals = new Map(rows.map((row) => [String(row.name), Number(row.n)]))
  const ended = outcomes.filter((one) => one !== 'pending').map((one) => [one, totals.get(one) ?? 0] as const)
  const sum = ended.reduce((total, [, n]) => total + n, 0)
  return new Map<Outcome, number>([['pending', (totals.get(writtenTotal) ?? 0) - sum], ...ended])
}

/**
 * Removes up to `limit` of the oldest rows, up to the first that stays: one that has not ended, or is within both
 * limits. Incidents that were closed before go with them.
 */
export async function removeOldRows(
  tx: Transaction,
  { before, count }: { readonly before: number; readonly count: number },
  limit: number,
): Promise<number> {
  const { table } = notifications
  const [border] = await tx.all(
    `select max(id) as id from (select id from ${table.name} order by id desc limit 1 offset ?) newer`,
    [count],
  )
  const excess = (border?.id as bigint | null | undefined) ?? 0n
  const rows = await tx.all(`select id, outcome, created_time from ${table.name} order by id limit ?`, [
    limit,
  ])
  const stays = rows.findIndex(
    (row) => row.outcome === 'pending' || ((row.id as bigint) > excess && Number(row.created_time) >= before),
  )
  const last = rows.at(stays < 0 ? -1 : stays - 1)?.id
  const removed = last === undefined || stays === 0 ? 0 : await removeUpTo(tx, table, last)
  const closed = await tx.run(
    `delete from notify_incident where id in (select id from notify_incident i where closed_at is not null and closed_at < ?
       and not exists (select 1 from notification n where n.incident_id = i.id) order by closed_at, id limit ?)`,
    [before, limit],
  )
  return Math.max(removed, closed)
}
