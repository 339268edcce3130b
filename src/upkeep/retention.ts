// Removes old traps, recovered alarms, log and audit entries, in small steps that do not delay other work. Open alarms
// stay.

import { deleteHistory } from '../alarms/engine/alarm-records.ts'
import { deleteOldRecoveries } from '../alarms/engine/late-faults.ts'
import { deleteOldNames } from '../alarms/engine/named-faults.ts'
import { deleteOldTurns } from '../alarms/engine/reported-faults.ts'
import { removeSilentSources, silentSince } from '../alarms/engine/trap-ledger.ts'
import { removeOldEntries } from '../alarms/log/alarm-log.ts'
import { readEndedFirst } from '../alarms/open/open-alarms.ts'
import { auditRows } from '../resources/access/audit-entry.ts'
import { alarms } from '../resources/alarms/alarm.ts'
import { traps } from '../resources/alarms/trap.ts'
import { inChunks } from '../store/chunked-work.ts'
import type { Database, Transaction } from '../store/database.ts'
import { removeAll, removeUpTo, type Table } from '../store/table.ts'
import { bytesColumn, bytesSql, readTally } from '../store/tally.ts'

interface Keep {
  readonly count: number
  /** Bytes of text: a trap may be a hundred times as long as most. */
  readonly bytes?: number
  readonly days: number
}

export interface Retention {
  readonly traps: Keep
  readonly alarms: Keep
  readonly log: Keep
  readonly audit: Keep
  /** Lines of the ledger by source. */
  readonly sources?: number
}

/** With the time relative to which age is measured. */
type KeepAt = Keep & { readonly now: number }

const defaultSources = 100_000
const day = 24 * 3600 * 1000

/**
 * Removes rows that are due, until `isOver` tells it to leave the rest for later; returns the number of removed rows.
 * Age is measured at `now`.
 */
export async function sweep(
  database: Database,
  keep: Retention,
  isOver: () => boolean = () => false,
  now = database.now(),
): Promise<number> {
  const silent = await silentSince(database, keep.sources ?? defaultSources)
  const parts: ((tx: Transaction, limit: number) => Promise<number>)[] = [
    (tx, limit) => removeOldest(tx, traps.table, 'received_time', { ...keep.traps, now }, limit),
    (tx, limit) => removeAlarms(tx, { ...keep.alarms, now }, limit),
    (tx, limit) => removeOldEntries(tx, keep.log, now - keep.log.days * day, limit),
    (tx, limit) => removeSilentSources(tx, Math.max(silent, now - keep.traps.days * day), limit),
    (tx, limit) => removeOldest(tx, auditRows, 'time', { ...keep.audit, now }, limit),
    (tx, limit) => deleteOldRecoveries(tx, now, limit),
    (tx, limit) => deleteOldTurns(tx, now, limit),
    (tx, limit) => deleteOldNames(tx, now, limit),
  ]
  let removed = 0
  for (const part of parts) {
    if (!isOver()) removed += await inChunks(database, part, { isOver })
  }
  return removed
}

/** Traps and audit entries are ordered by id, so everything below some id is removed. */
async function removeOldest(
  tx: Transaction,
  from: Table,
  time: string,
  keep: KeepAt,
  limit: number,
): Promise<number> {
  const excess = await Excess.of(tx, from, keep)
  const rows = await tx.all(
    `select id, ${time} as at, ${bytesSql(from)} as bytes from ${from.name} order by id limit ?`,
    [limit],
  )
  // Up to the first that stays: a row written while the clock was wrong must not cause the removal of others.
  const stays = rows.findIndex((row) => !excess.takes(Number(row.at), Number(row.bytes)))
  const last = rows.at(stays < 0 ? -1 : stays - 1)?.id
  return last === undefined || stays === 0 ? 0 : removeUpTo(tx, from, last)
}

/** Recovered alarms are removed in the order in which they ended; open ones are not considered. */
async function removeAlarms(tx: Transaction, keep: KeepAt, limit: number): Promise<number> {
  const { form } = alarms.table
  const excess = await Excess.of(tx, alarms.table, keep, ['rec_status', '1'])
  const rows = await readEndedFirst(tx, `${bytesSql(alarms.table)} as bytes`, limit)
  const due = rows.filter((row) => excess.takes(Number(row.rec_time), Number(row.bytes)))
  await removeAll(tx, alarms.table, due.map(form.toRecord))
  await deleteHistory(
    tx,
    due.map((row) => ({ id: row.id as bigint })),
  )
  return due.length
}

/** How far a table is over its limits; removed rows are subtracted one by one. */
class Excess {
  #rows: number
  #bytes: number
  readonly #before: number

  private constructor(rows: number, bytes: number, before: number) {
    this.#rows = rows
    this.#bytes = bytes
    this.#before = before
  }

  /** For all rows of a table, or for those with a value in a column. */
  static async of(tx: Transaction, from: Table, keep: KeepAt, [column, value] = ['', '']): Promise<Excess> {
    const rows = (await readTally(tx, from, column, value)) - keep.count
    const bytes = (await readTally(tx, from, bytesColumn, value)) - (keep.bytes ?? Number.POSITIVE_INFINITY)
    return new Excess(rows, bytes, keep.now - keep.days * day)
  }

  /** Whether a row is removed. */
  takes(at: number, bytes: number): boolean {
    if (this.#rows <= 0 && this.#bytes <= 0 && at >= this.#before) return false
    this.#rows -= 1
    this.#bytes -= bytes
    return true
  }
}
