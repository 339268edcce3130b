// Counts open alarms by level, acknowledged or not, suppressed or not. The counts are updated with every change, so that
// metrics and the overview cost the same however many alarms are open.

import { type Alarm, alarms } from '../../resources/alarms/alarm.ts'
import type { Reader, Transaction } from '../../store/database.ts'
import { addToTally, readTallies } from '../../store/tally.ts'

/** The name of these counts in the tally table; not a column. */
export const openColumn = 'open'

/** The key of a count, as SQL: level, acknowledged, suppressed. */
export const openValueSql = "alarm_level || ' ' || ack_status || ' ' || suppressed"

/** Adds or subtracts an alarm, if it is open. */
export function countOpen(tx: Transaction, alarm: Alarm, by: 1 | -1): void {
  if (alarm.recStatus !== 0) return
  const value = `${alarm.alarmLevel} ${alarm.ackStatus} ${alarm.suppressed ? 1 : 0}`
  addToTally(tx, alarms.table, openColumn, value, by)
}

export interface OpenOfLevel {
  readonly alarmLevel: number
  count: number
  unacknowledged: number
  heldBack: number
  heldBackUnacknowledged: number
}

const noAlarms = { count: 0, unacknowledged: 0, heldBack: 0, heldBackUnacknowledged: 0 }

/** Only levels with open alarms, most severe first. */
export async function openByLevel(reader: Reader): Promise<OpenOfLevel[]> {
  const levels = new Map<number, OpenOfLevel>()
  for (const [value, n] of await readTallies(reader, alarms.table, openColumn)) {
    if (n === 0) continue
    const [alarmLevel = 0, acknowledged, heldBack] = value.split(' ').map(Number)
    const level = levels.get(alarmLevel) ?? { alarmLevel, ...noAlarms }
    level.count += n
    if (!acknowledged) level.unacknowledged += n
    if (heldBack) level.heldBack += n
    if (heldBack && !acknowledged) level.heldBackUnacknowledged += n
    levels.set(alarmLevel, level)
  }
  return [...levels.values()].sort((one, other) => one.alarmLevel - other.alarmLevel)
}
