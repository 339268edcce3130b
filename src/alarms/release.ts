// What is held back and no longer needs to be is pushed; shelves and acknowledgements end when their time is over. All of
// it is looked at in short transactions, oldest fault first, and stands in the alarms themselves: where the service
// breaks off, the next start goes on.

import type { Row, SqlValue, Transaction } from '../store/database.ts'
import type { AlarmChanges } from './changes.ts'
import { bySystem } from './draft.ts'
import { type Suppression, shelf } from './suppression.ts'
import { subjectOf } from './window-trial.ts'

/** In one transaction: so few that a trap never waits for long. */
const step = { released: 100, looked: 500 }
/** However nothing seems to have changed, all is looked at again after so long. */
const lookAgain = 60_000

type Change = <T>(work: (changes: AlarmChanges, tx: Transaction) => Promise<T>) => Promise<T>

export class Release {
  readonly #change: Change
  readonly #suppression: Suppression
  readonly #versionOf: (table: string) => number
  /** How windows stood when everything was looked at last, and when that was. */
  #settled = ''
  #settledAt = 0

  constructor(change: Change, suppression: Suppression, versionOf: (table: string) => number) {
    this.#change = change
    this.#suppression = suppression
    this.#versionOf = versionOf
  }

  /** Called once a second. */
  async look(): Promise<void> {
    while (await this.#change((changes, tx) => endShelves(changes, tx)));
    while (await this.#change((changes, tx) => endAcknowledgements(changes, tx)));
    let place: SqlValue[] | undefined
    do {
      place = await this.#change((changes, tx) => this.#lookFrom(changes, tx, place))
    } while (place)
  }

  /** Looks at some; returns behind which to go on. */
  async #lookFrom(
    changes: AlarmChanges,
    tx: Transaction,
    after: SqlValue[] | undefined,
  ): Promise<SqlValue[] | undefined> {
    const state = `${this.#suppression.state} ${this.#versionOf('device')}`
    const isDue = state !== this.#settled || Math.abs(tx.now - this.#settledAt) > lookAgain
    if (!after && !isDue) return undefined
    const [time, id] = after ?? [-1, -1n]
    const rows = await tx.all(heldSql, [time ?? 0, time ?? 0, id ?? 0n])
    const due: { readonly row: Row; readonly left: string[] }[] = []
    for (const row of rows) {
      const left = this.#suppressors(row)
      if (JSON.stringify(left) !== String(row.suppressed_by)) due.push({ row, left })
      if (due.length === step.released) break
    }
    await changes.load(due.map(({ row }) => row.id as bigint))
    for (const { row, left } of due) changes.work.hold(row.id as bigint, left)
    const last = due.length === step.released ? due.at(-1)?.row : rows.at(-1)
    const isAll = due.length < step.released && rows.length < step.looked
    if (isAll || !last) {
      this.#settled = state
      this.#settledAt = tx.now
      return undefined
    }
    return [last.fault_time ?? 0, last.id ?? 0n]
  }

  /** What holds it back now: the windows that cover it, and a shelf. */
  #suppressors(row: Row): string[] {
    const windows = this.#suppression.of(subjectOf(row))
    return Number(row.shelved_until) > 0 ? [...windows, shelf] : windows
  }
}

const heldSql = `select a.id, a.fault_time, a.oid, a.alarm_type, a.device_id, a.if_index, a.if_desc, a.suppressed_by, a.shelved_until, d.zone_id
  from alarm a left join device d on d.id = a.device_id
  where a.suppressed = 1 and a.rec_status = 0 and (a.fault_time > ? or (a.fault_time = ? and a.id > ?))
  order by a.fault_time, a.id limit ${step.looked}`

/** Ends shelves whose time is over; whether there may be more. */
async function endShelves(changes: AlarmChanges, tx: Transaction): Promise<boolean> {
  const rows = await tx.all(
    `select id from alarm where shelved_until > 0 and shelved_until <= ? and rec_status = 0 order by shelved_until, id limit ${step.released}`,
    [tx.now],
  )
  const ids = rows.map((row) => row.id as bigint)
  await changes.load(ids)
  for (const id of ids) changes.work.unshelve(id, bySystem, 'its time is over')
  return ids.length === step.released
}

async function endAcknowledgements(changes: AlarmChanges, tx: Transaction): Promise<boolean> {
  const rows = await tx.all(
    `select id from alarm where ack_until > 0 and ack_until <= ? order by ack_until, id limit ${step.released}`,
    [tx.now],
  )
  const ids = rows.map((row) => row.id as bigint)
  await changes.load(ids)
  for (const id of ids) changes.work.unacknowledge(id, bySystem, 'its time is over')
  return ids.length === step.released
}
