// Reads the history of one alarm, from raise to recovery.

import { type Alarm, alarms } from '../../resources/alarms/alarm.ts'
import type { Database } from '../../store/database.ts'
import { find } from '../../store/table.ts'
import { neverPushed } from '../log/push-attributes.ts'

/** `entry` is the number of the log entry; 0 if unknown. */
export interface HistoryEntry {
  readonly entry: bigint
  readonly time: number
  readonly action: string
  readonly userName: string
  readonly detail: string
  /** Whether it was pushed to any client. */
  readonly pushed: boolean
}

/** How many of the newest entries are shown. */
const entryLimit = 1000

export interface AlarmHistory {
  readonly entries: readonly HistoryEntry[]
  /** False if older entries are left out. */
  readonly complete: boolean
}

export async function historyOf(database: Database, alarm: Alarm): Promise<AlarmHistory> {
  const rows = await database.all(
    `select entry, at, kind, user_name, detail, pushed from alarm_history where alarm_id = ? order by entry desc limit ${entryLimit + 1}`,
    [alarm.id],
  )
  const between = rows
    .slice(0, entryLimit)
    .reverse()
    .map((row) => ({
      entry: row.entry as bigint,
      time: Number(row.at),
      // The history of a raise says what suppressed the alarm.
      action: row.kind === 'raise' ? 'suppress' : String(row.kind),
      userName: String(row.user_name),
      detail: String(row.detail),
      pushed: Number(row.pushed) === 1,
    }))
  const wasSuppressed = between.some(({ action }) => action === 'suppress')
  const end = await endOf(database, alarm)
  return {
    entries: [beginning(alarm, !wasSuppressed), ...between, ...end],
    complete: rows.length <= entryLimit,
  }
}

const beginning = ({ entry, faultTime, reason, pushed }: Alarm, atOnce: boolean): HistoryEntry => ({
  entry,
  time: faultTime,
  action: 'raise',
  userName: '',
  detail: reason ?? '',
  pushed: atOnce && pushed !== neverPushed,
})

async function endOf(database: Database, alarm: Alarm): Promise<HistoryEntry[]> {
  const { recStatus, recTime, recUserName, recoveredBy, pushed, isReceoverFault } = alarm
  if (recStatus === 0 || isReceoverFault === 1) return []
  // The recovery alarm may have been deleted.
  const by = (await find(database, alarms.table, recoveredBy)) as Alarm | undefined
  const end = {
    entry: by?.entry ?? 0n,
    time: recTime,
    action: 'recover',
    userName: recUserName ?? '',
    detail: by?.eventName ?? '',
    pushed: (by?.pushed ?? pushed) !== neverPushed,
  }
  return [end]
}
