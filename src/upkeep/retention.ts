// Old traps, recovered alarms, log and audit entries go, in small steps that hold nobody up. Open alarms stay.

import { removeSilentSources, silentSince } from '../alarms/ledger.ts'
import { removeOldEntries } from '../alarms/log.ts'
import { alarms } from '../resources/alarm.ts'
import { auditRows } from '../resources/audit-entry.ts'
import { traps } from '../resources/trap.ts'
import type { Database, Row, Transaction } from '../store/database.ts'
import { inPieces } from '../store/pieces.ts'
import { remove, removeUpTo, type Table } from '../store/table.ts'
import { tallied } from '../store/tally.ts'

interface Keep {
  readonly count: number
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

const usualSources = 100_000
const day = 24 * 3600 * 1000

/** Removes what is due; answers how many rows went. */
export async function sweep(database: Database, keep: Retention): Promise<number> {
  const silent = await silentSince(database, keep.sources ?? usualSources)
  const parts: ((tx: Transaction, limit: number) => Promise<number>)[] = [
    (tx, limit) => removeOldest(tx, traps.table, 'received_time', keep.traps, limit),
    (tx, limit) => removeAlarms(tx, keep.alarms, limit),
    (tx, limit) => removeOldEntries(tx, keep.log.count, tx.now - keep.log.days * day, limit),
    (tx, limit) => removeSilentSources(tx, Math.max(silent, tx.now - keep.traps.days * day), limit),
    (tx, limit) => removeOldest(tx, auditRows, 'time', keep.audit, limit),
  ]
  let removed = 0
  for (const part of parts) removed += await inPieces(database, part)
  return removed
}

/** Traps and audit entries come in the order of their ids: the border between what goes and what stays is an id. */
async function removeOldest(
  tx: Transaction,
  from: Table,
  time: string,
  { count, days }: Keep,
  limit: number,
): Promise<number> {
  const excess = (await tallied(tx, from, '', '')) - count
  const rows = await tx.all(`select id, ${time} as at from ${from.name} order by id limit ?`, [limit])
  const isDue = (row: Row, index: number) => index < excess || Number(row.at) < tx.now - days * day
  // Up to the first that stays: a row from a time when the clock was wrong must not take others with it.
  const end = rows.findIndex((row, index) => !isDue(row, index))
  const last = rows.at(end < 0 ? -1 : end - 1)?.id
  return last === undefined || end === 0 ? 0 : removeUpTo(tx, from, last)
}

/** Of recovered alarms those go first that ended first; open ones are not looked at. */
async function removeAlarms(tx: Transaction, { count, days }: Keep, limit: number): Promise<number> {
  const { form } = alarms.table
  const excess = (await tallied(tx, alarms.table, 'rec_status', '1')) - count
  const rows = await tx.all(
    `select ${form.names} from alarm where rec_status = 1 order by rec_time, id limit ?`,
    [limit],
  )
  const due = rows.filter((row, index) => index < excess || Number(row.rec_time) < tx.now - days * day)
  for (const row of due) await remove(tx, alarms.table, row.id as bigint, form.toRecord(row))
  return due.length
}
