// Pushes alarms that are no longer suppressed, and ends shelves, acknowledgements and waits for a cause when they expire.
// Works in short transactions, oldest first. Its only state is in the alarms, so it continues after an interruption.

import { withZones } from '../../resources/inventory/zone.ts'
import { chunkByChunk } from '../../store/chunked-work.ts'
import type { Database, Row, SqlValue, Transaction } from '../../store/database.ts'
import { allWithValues } from '../../store/where.ts'
import type { AlarmChanges } from '../engine/alarm-changes.ts'
import { systemUser } from '../engine/alarm-draft.ts'
import { type Suppression, shelvedMark } from './suppression.ts'
import { subjectOf } from './window-dry-run.ts'

/** Alarms per transaction. */
const batchSize = { fewest: 50, most: 500 }
/** Suppressed alarms are checked again after this time even if no change was noticed. */
const recheckMs = 60_000

type Change = <T>(work: (changes: AlarmChanges, tx: Transaction) => Promise<T>) => Promise<T>

/** A query for alarms that are due, and what to do with them. */
interface DueAlarms {
  readonly sql: string
  /** `after`: the last alarm that was processed. */
  readonly parameters: (now: number, after: bigint) => SqlValue[]
  readonly work: (changes: AlarmChanges, ids: readonly bigint[]) => Promise<void>
}

export class Release {
  readonly #change: Change
  readonly #suppression: Suppression
  readonly #database: Database
  /** The windows in force at the last complete check, and when that was. */
  #checkedState = ''
  #checkedAt = 0
  /** The windows in force when the current check began. */
  #passState = ''
  /** The version of the device links by which causes were found. */
  #linkVersion: number

  constructor(change: Change, suppression: Suppression, database: Database) {
    this.#change = change
    this.#suppression = suppression
    this.#database = database
    this.#linkVersion = database.version('device_parent')
  }

  /** Called once a second. Stops early when `isOver` returns true. */
  async run(now: number, isOver: () => boolean): Promise<void> {
    const kinds = [shelves, acknowledgements, ...(await this.#endedCauses()).map(consequencesOf), causeWaits]
    for (const due of kinds) if (!isOver()) await this.#processDue(due, now, isOver)
    if (!isOver()) await this.#releaseSuppressed(isOver)
  }

  /** Begins a transaction only if something is due. */
  async #processDue({ sql, parameters, work }: DueAlarms, now: number, isOver: () => boolean): Promise<void> {
    const [first] = await this.#database.all(`${sql} limit 1`, parameters(now, 0n))
    if (!first) return
    let after = 0n
    const processChunk = (limit: number, begin: () => void) =>
      this.#change(async (changes, tx) => {
        begin()
        const rows = await tx.all(`${sql} limit ?`, [...parameters(tx.now, after), limit])
        const ids = rows.map((row) => row.id as bigint)
        await work(changes, ids)
        after = ids.at(-1) ?? after
        return ids.length
      })
    await chunkByChunk(processChunk, { ...batchSize, isOver })
  }

  /** Causes that have ended but still have consequences; all causes if the device links have changed. */
  async #endedCauses(): Promise<bigint[]> {
    const rows = await this.#database.all(causesSql)
    const causes = rows.map((row) => row.id as bigint)
    const links = this.#database.version('device_parent')
    if (links !== this.#linkVersion) {
      this.#linkVersion = links
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

  async #releaseSuppressed(isOver: () => boolean): Promise<void> {
    const [first] = await this.#database.all(`${suppressedSql} limit 1`, [-1, -1, -1n])
    if (!first) return
    let position: SqlValue[] | undefined
    const checkChunk = async (limit: number, begin: () => void) => {
      position = await this.#change((changes, tx) => {
        begin()
        return this.#checkFrom(changes, tx, position, limit)
      })
      return position ? limit : 0
    }
    await chunkByChunk(checkChunk, { ...batchSize, isOver })
  }

  /** Checks at most `limit` alarms; returns the position after which to continue, undefined at the end. */
  async #checkFrom(
    changes: AlarmChanges,
    tx: Transaction,
    after: SqlValue[] | undefined,
    limit: number,
  ): Promise<SqlValue[] | undefined> {
    const state = `${this.#suppression.state} ${tx.version('device')}`
    const isDue = state !== this.#checkedState || Math.abs(tx.now - this.#checkedAt) > recheckMs
    if (!after && !isDue) return undefined
    if (!after) this.#passState = state
    const [time, id] = after ?? [-1, -1n]
    const rows = await tx.all(`${suppressedSql} limit ?`, [time ?? 0, time ?? 0, id ?? 0n, limit])
    const changed: { readonly row: Row; readonly suppressors: string[] }[] = []
    for (const row of await withZones(tx, rows)) {
      const suppressors = this.#suppressors(row)
      if (JSON.stringify(suppressors) !== String(row.suppressed_by)) changed.push({ row, suppressors })
    }
    await changes.load(changed.map(({ row }) => row.id as bigint))
    for (const { row, suppressors } of changed) changes.update.setSuppressedBy(row.id as bigint, suppressors)
    const last = rows.at(-1)
    if (!last || rows.length < limit) {
      this.#checkedState = this.#passState
      this.#checkedAt = tx.now
      return undefined
    }
    return [last.fault_time ?? 0, last.id ?? 0n]
  }

  /** What suppresses an alarm now: maintenance windows, and a shelf. */
  #suppressors(row: Row): string[] {
    const windows = this.#suppression.windowsCovering(subjectOf(row))
    return Number(row.shelved_until) > 0 ? [...windows, shelvedMark] : windows
  }
}

const suppressedSql = `select id, fault_time, oid, alarm_type, device_id, if_index, if_desc, suppressed_by, shelved_until
  from alarm where suppressed = 1 and rec_status = 0 and (fault_time > ? or (fault_time = ? and id > ?))
  order by fault_time, id`

const expired = 'its time is over'

/** States with an end time that is stored in the alarm. */
const expiring = (sql: string, end: (update: AlarmChanges['update'], id: bigint) => void): DueAlarms => ({
  sql,
  parameters: (now) => [now],
  async work(changes, ids) {
    await changes.load(ids)
    for (const id of ids) end(changes.update, id)
  },
})

const shelves = expiring(
  'select id from alarm where shelved_until > 0 and shelved_until <= ? and rec_status = 0 order by shelved_until, id',
  (update, id) => update.unshelve(id, systemUser, expired),
)

const acknowledgements = expiring(
  'select id from alarm where ack_until > 0 and ack_until <= ? order by ack_until, id',
  (update, id) => update.unacknowledge(id, systemUser, expired),
)

const causeWaits: DueAlarms = {
  sql: 'select id from alarm where cause_until > 0 and cause_until <= ? and rec_status = 0 order by cause_until, id',
  parameters: (now) => [now],
  work: (changes, ids) => changes.resolveCauses(ids),
}

const consequencesOf = (cause: bigint): DueAlarms => ({
  sql: 'select id from alarm where cause_id = ? and cause_id > 0 and cause_until = 0 and rec_status = 0 and id > ? order by id',
  parameters: (_now, after) => [cause, after],
  work: (changes, ids) => changes.endCauses(ids),
})

/** Each cause once, jumping from one to the next in the index: a cause may have ten thousand consequences. */
const causesSql = `with recursive one (id) as (
    select min(cause_id) from alarm where cause_id > 0 and cause_until = 0 and rec_status = 0
    union all
    select (select min(cause_id) from alarm
      where cause_id > 0 and cause_until = 0 and rec_status = 0 and cause_id > one.id)
    from one where one.id is not null)
  select id from one where id is not null`
