// Periodic work: ends alarms about terminals that have not been seen again, and removes old records.

import type { AlarmChanger } from '../alarms/engine/engine.ts'
import { serviceEvents } from '../events/service-events.ts'
import { forgetUnasked } from '../resources/inventory/learnt-stations.ts'
import { terminalStays, terminals } from '../resources/inventory/terminal.ts'
import { inChunks } from '../store/chunked-work.ts'
import type { Database, Transaction } from '../store/database.ts'
import { removeAll, type Table } from '../store/table.ts'
import { readTally } from '../store/tally.ts'
import { endAlarm, forgetAlarms, openOf } from './terminal-alarms.ts'

export interface AgeLimits {
  readonly alarmHours: number
  /** The number of terminals that are kept, and for how long; ten times as many earlier stays are kept. */
  readonly keep: number
  readonly keepDays: number
}

const hour = 3_600_000
const day = 24 * hour
const atOnce = 200
const staysPerTerminal = 10

const due = `select t.alarm_id, t.terminal_mac, t.device_id, t.device_ip, t.resource, t.alarm_type, t.port, alarm.last_time
  from terminal_alarm t
  left join alarm on alarm.id = t.alarm_id
  left join terminal on terminal.terminal_mac = t.terminal_mac
  where alarm.id is null or alarm.rec_status = 1 or alarm.last_time < ?
    or (t.alarm_type = ? and terminal.violation = 0) or (t.alarm_type = ? and terminal.bound = 1)
  order by t.alarm_id limit ${atOnce}`

/** Ends alarms that were not repeated for long, and those of terminals that may be where they are by now. */
export async function endOldAlarms(
  database: Database,
  engine: AlarmChanger,
  { alarmHours }: AgeLimits,
  now: number,
): Promise<void> {
  const [first] = await database.all('select alarm_id from terminal_alarm limit 1')
  if (!first) return
  const { terminalRefused, terminalUnknown } = serviceEvents
  const before = now - alarmHours * hour
  // There may be very many, of which mostly none is due.
  const rows = await database.readInBackground(due, [
    before,
    terminalRefused.eventOid,
    terminalUnknown.eventOid,
  ])
  if (rows.length === 0) return
  await engine.change(async (changes, tx) => {
    await changes.gather(rows.map((row) => ({ identity: openOf(row).identity })))
    for (const row of rows) {
      const isOld = Number(row.last_time ?? 0n) < before
      const text = isOld
        ? `It was not seen again for ${alarmHours} hours`
        : 'It is there no more, or may be there by now'
      endAlarm(changes, openOf(row), text, tx.now)
    }
    await forgetAlarms(
      tx,
      rows.map((row) => row.alarm_id as bigint),
    )
  })
}

/** Beyond the limit, the terminals that were not seen for longest are removed. */
export async function forgetOld(
  database: Database,
  limits: AgeLimits,
  isOver: () => boolean,
  now: number,
): Promise<void> {
  // Without history, a terminal that has not been reported for a day is assumed to have left.
  const keptFor = Math.max(1, limits.keepDays) * day
  const parts = [
    [terminals.table, limits.keep, now - keptFor],
    [terminalStays.table, limits.keep * staysPerTerminal, now - limits.keepDays * day],
  ] as const
  for (const [table, limitOfTable, border] of parts) {
    if (!isOver()) {
      await inChunks(database, (tx, limit) => removeOldest(tx, table, limitOfTable, border, limit), {
        isOver,
      })
    }
  }
  if (!isOver()) await inChunks(database, (tx, limit) => forgetUnasked(tx, now - keptFor, limit), { isOver })
}

async function removeOldest(
  tx: Transaction,
  table: Table,
  maxRows: number,
  border: number,
  limit: number,
): Promise<number> {
  const excess = (await readTally(tx, table, '', '')) - maxRows
  const rows = await tx.all(`select ${table.form.shown} from ${table.name} order by last_time, id limit ?`, [
    limit,
  ])
  const old = rows.filter((row, index) => index < excess || Number(row.last_time) < border)
  await removeAll(tx, table, old.map(table.form.toRecord))
  return old.length
}
