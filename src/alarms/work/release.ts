// Pushes alarms that nothing holds back any more, and ends shelves, acknowledgements and the wait for a cause when
// their time is over. It works in short transactions, oldest first, and its state is in the alarms themselves: after an
// interruption, the next start goes on.

import { withZones } from '../../resources/inventory/zone.ts'
import { chunkByChunk } from '../../store/chunked-work.ts'
import type { Database, Row, SqlValue, Transaction } from '../../store/database.ts'
import { allWithValues } from '../../store/where.ts'
import type { AlarmChanges } from '../engine/alarm-changes.ts'
import { bySystem } from '../engine/alarm-draft.ts'
import { type Suppression, shelf } from './suppression.ts'
import { subjectOf } from './window-trial.ts'

/** In one transaction. */
const pace = { fewest: 50, most: 500 }
/** Even if nothing seems to have changed, everything is looked at again after this time. */
const lookAgain = 60_000

type Change = <T>(work: (changes: AlarmChanges, tx: Transaction) => Promise<T>) => Promise<T>

/** Alarms that are due for something, in order. */
interface Due {
  readonly sql: string
  /** `after` is the last one that was handled. */
  readonly parameters: (now: number, after: bigint) => SqlValue[]
  readonly work: (changes: AlarmChanges, ids: readonly bigint[]) => Promise<void>
}

export class Release {
  readonly #change: Change
  readonly #suppression: Suppression
  readonly #database: Database
  /** The windows in force when everything was last looked at, and when that was. */
  #released = ''
  #releasedAt = 0
  /** The windows in force when the current pass began: what changes meanwhile is looked at again. */
  #passWindows = ''
  /** The links between devices that causes were found by. */
  #links: number

  constructor(change: Change, suppression: Suppression, database: Database) {
    this.#change = change
    this.#suppression = suppression
    this.#database = database
    this.#links = database.version('device_parent')
  }

  /** Called once a second. Where `isOver` says so, the rest is left for the next start. */
  async run(now: number, isOver: () => boolean): Promise<void> {
    const due = [shelves, acknowledgements, ...(await this.#endedCauses()).map(consequencesOf), waits]
    for (const one of due) if (!isOver()) await this.#finish(one, now, isOver)
    if (!isOver()) await this.#releaseHeld(isOver)
  }

  /** Nothing is written where nothing is due. */
  async #finish({ sql, parameters, work }: Due, now: number, isOver: () => boolean): Promise<void> {
    const [one] = await this.#database.all(`${sql} limit 1`, parameters(now, 0n))
    if (!one) return
    let after = 0n
    const piece = (limit: number, begin: () => void) =>
      this.#change(async (changes, tx) => {
        begin()
        const rows = await tx.all(`${sql} limit ?`, [...parameters(tx.now, after), limit])
        const ids = rows.map((row) => row.id as bigint)
        await work(changes, ids)
        after = ids.at(-1) ?? after
        return ids.length
      })
    await chunkByChunk(piece, { ...pace, isOver })
  }

  /** Causes that are over and still have consequences; all of them where the links have changed. */
  async #endedCauses(): Promise<bigint[]> {
    const rows = await this.#database.all(causesSql)
    const causes = rows.map((row) => row.id as bigint)
    const links = this.#database.version('device_parent')
    if (links !== this.#links) {
      this.#links = links
      return causes
    }
    const found = await allWithValues(
      this.#database,
      causes,
      (marks) => `select id from alarm where rec_status = 0 and id in (${marks})`,
    )
    const open = new Set(found.map((row) => row.id as bigint))
    return causes.filter((id) => !open.has(id))
  }

  async #releaseHeld(isOver: () => boolean): Promise<void> {
    const [held] = await this.#database.all(`${heldSql} limit 1`, [-1, -1, -1n])
    if (!held) return
    let place: SqlValue[] | undefined
    const piece = async (limit: number, begin: () => void) => {
      place = await this.#change((changes, tx) => {
        begin()
        return this.#lookFrom(changes, tx, place, limit)
      })
      return place ? limit : 0
    }
    await chunkByChunk(piece, { ...pace, isOver })
  }

  /** Handles at most `limit`; returns behind which to go on. */
  async #lookFrom(
    changes: AlarmChanges,
    tx: Transaction,
    after: SqlValue[] | undefined,
    limit: number,
  ): Promise<SqlValue[] | undefined> {
    const state = `${this.#suppression.state} ${this.#database.version('device')}`
    const isDue = state !== this.#released || Math.abs(tx.now - this.#releasedAt) > lookAgain
    if (!after && !isDue) return undefined
    if (!after) this.#passWindows = state
    const [time, id] = after ?? [-1, -1n]
    const rows = await tx.all(`${heldSql} limit ?`, [time ?? 0, time ?? 0, id ?? 0n, limit])
    const due: { readonly row: Row; readonly left: string[] }[] = []
    for (const row of await withZones(tx, rows)) {
      const left = this.#suppressors(row)
      if (JSON.stringify(left) !== String(row.suppressed_by)) due.push({ row, left })
    }
    await changes.load(due.map(({ row }) => row.id as bigint))
    for (const { row, left } of due) changes.work.hold(row.id as bigint, left)
    const last = rows.at(-1)
    if (!last || rows.length < limit) {
      this.#released = this.#passWindows
      this.#releasedAt = tx.now
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

const heldSql = `select id, fault_time, oid, alarm_type, device_id, if_index, if_desc, suppressed_by, shelved_until
  from alarm where suppressed = 1 and rec_status = 0 and (fault_time > ? or (fault_time = ? and id > ?))
  order by fault_time, id`

const over = 'its time is over'

/** States that last until a time that is stored in the alarm. */
const lasting = (sql: string, end: (work: AlarmChanges['work'], id: bigint) => void): Due => ({
  sql,
  parameters: (now) => [now],
  async work(changes, ids) {
    await changes.load(ids)
    for (const id of ids) end(changes.work, id)
  },
})

const shelves = lasting(
  'select id from alarm where shelved_until > 0 and shelved_until <= ? and rec_status = 0 order by shelved_until, id',
  (work, id) => work.unshelve(id, bySystem, over),
)

const acknowledgements = lasting(
  'select id from alarm where ack_until > 0 and ack_until <= ? order by ack_until, id',
  (work, id) => work.unacknowledge(id, bySystem, over),
)

const waits: Due = {
  sql: 'select id from alarm where cause_until > 0 and cause_until <= ? and rec_status = 0 order by cause_until, id',
  parameters: (now) => [now],
  work: (changes, ids) => changes.resolveCauses(ids),
}

const consequencesOf = (cause: bigint): Due => ({
  sql: 'select id from alarm where cause_id = ? and cause_id > 0 and cause_until = 0 and rec_status = 0 and id > ? order by id',
  parameters: (_now, after) => [cause, after],
  work: (changes, ids) => changes.endCauses(ids),
})

/** Each cause once, by jumping from one to the next in the index: a cause may have ten thousand consequences. */
const causesSql = `with recursive one (id) as (
    select min(cause_id) from alarm where cause_id > 0 and cause_until = 0 and rec_status = 0
    union all
    select (select min(cause_id) from alarm
      where cause_id > 0 and cause_until = 0 and rec_status = 0 and cause_id > one.id)
    from one where one.id is not null)
  select id from one where id is not null`
