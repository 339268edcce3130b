// Old traps, recovered alarms, log and audit entries go, in small steps that hold nobody up. Open alarms stay.

import { alarms } from '../resources/alarm.ts'
import { auditRows } from '../resources/audit-entry.ts'
import { traps } from '../resources/trap.ts'
import type { Database, Row, Transaction } from '../store/database.ts'
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
}

const step = 500
/** Of the ledger by source. */
const sourceLines = 100_000
const day = 24 * 3600 * 1000

/** Removes what is due; answers how many rows went. */
export async function sweep(database: Database, keep: Retention): Promise<number> {
  let removed = 0
  removed += await inSteps(database, (tx) => removeOldest(tx, traps.table, 'received_time', keep.traps))
  removed += await inSteps(database, (tx) => removeAlarms(tx, keep.alarms))
  removed += await inSteps(database, (tx) => removeEntries(tx, keep.log))
  removed += await inSteps(database, (tx) => removeSources(tx, keep.traps))
  removed += await inSteps(database, (tx) => removeOldest(tx, auditRows, 'time', keep.audit))
  return removed
}

async function inSteps(database: Database, once: (tx: Transaction) => Promise<number>): Promise<number> {
  let removed = 0
  for (;;) {
    const now = await database.transaction(once)
    removed += now
    if (now < step) return removed
  }
}

/** Traps and audit entries come in the order of their ids: the border between what goes and what stays is an id. */
async function removeOldest(
  tx: Transaction,
  from: Table,
  time: string,
  { count, days }: Keep,
): Promise<number> {
  const excess = (await tallied(tx, from, '', '')) - count
  const rows = await tx.all(`select id, ${time} as at from ${from.name} order by id limit ?`, [step])
  const isDue = (row: Row, index: number) => index < excess || Number(row.at) < tx.now - days * day
  const last = leading(rows, isDue).at(-1)?.id
  return last === undefined ? 0 : removeUpTo(tx, from, last)
}

/** Up to the first that stays: a row from a time when the clock was wrong must not take others with it. */
function leading(rows: readonly Row[], isDue: (row: Row, index: number) => boolean): readonly Row[] {
  const end = rows.findIndex((row, index) => !isDue(row, index))
  return end < 0 ? rows : rows.slice(0, end)
}

/** Of recovered alarms those go first that ended first; open ones are not looked at. */
async function removeAlarms(tx: Transaction, { count, days }: Keep): Promise<number> {
  const { form } = alarms.table
  const excess = (await tallied(tx, alarms.table, 'rec_status', '1')) - count
  const rows = await tx.all(
    `select ${form.names} from alarm where rec_status = 1 order by rec_time, id limit ?`,
    [step],
  )
  const due = rows.filter((row, index) => index < excess || Number(row.rec_time) < tx.now - days * day)
  for (const row of due) await remove(tx, alarms.table, row.id as bigint, form.toRecord(row))
  return due.length
}

async function removeEntries(tx: Transaction, { count, days }: Keep): Promise<number> {
  const [last] = await tx.all('select max(number) as number from alarm_log')
  const border = ((last?.number as bigint | null) ?? 0n) - BigInt(count)
  const rows = await tx.all('select number, at from alarm_log order by number limit ?', [step])
  const isDue = (row: Row) => (row.number as bigint) <= border || Number(row.at) < tx.now - days * day
  const newest = leading(rows, isDue).at(-1)?.number
  return newest === undefined ? 0 : tx.run('delete from alarm_log where number <= ?', [newest])
}

/** Anybody can make up senders: of those that are silent longest, the lines of the ledger go. */
async function removeSources(tx: Transaction, { days }: Keep): Promise<number> {
  const [row] = await tx.all('select count(*) as n from trap_source_ledger')
  const excess = Number(row?.n) - sourceLines
  const rows = await tx.all(
    'select source_ip, bin, reason, last_time from trap_source_ledger order by last_time limit ?',
    [step],
  )
  const due = rows.filter((line, index) => index < excess || Number(line.last_time) < tx.now - days * day)
  for (const line of due) {
    await tx.run('delete from trap_source_ledger where source_ip = ? and bin = ? and reason = ?', [
      String(line.source_ip),
      String(line.bin),
      String(line.reason),
    ])
  }
  return due.length
}
