// How many alarms are open, by level, acknowledged or not, held back or not: counted as they change, so that metrics and
// the overview cost the same however many are open.

import { type Alarm, alarms } from '../../resources/alarms/alarm.ts'
import type { Reader, Transaction } from '../../store/database.ts'
import { addToTally, readTallies } from '../../store/tally.ts'

/** The tallies of alarms are kept under this name, which no column has. */
export const openColumn = 'open'

/** What such a tally is kept by, as SQL: level, acknowledged, held back. */
export const openValueSql = "alarm_level || ' ' || ack_status || ' ' || suppressed"

/** Adds an alarm, or takes it away; one that is over is not counted. */
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

const none = { count: 0, unacknowledged: 0, heldBack: 0, heldBackUnacknowledged: 0 }

/** Levels of which alarms are open, the most severe first. */
export async function openByLevel(reader: Reader): Promise<OpenOfLevel[]> {
  const levels = new Map<number, OpenOfLevel>()
  for (const [value, n] of await readTallies(reader, alarms.table, openColumn)) {
    if (n === 0) continue
    const [alarmLevel = 0, acknowledged, heldBack] = value.split(' ').map(Number)
    const level = levels.get(alarmLevel) ?? { alarmLevel, ...none }
    level.count += n
    if (!acknowledged) level.unacknowledged += n
    if (heldBack) level.heldBack += n
    if (heldBack && !acknowledged) level.heldBackUnacknowledged += n
    levels.set(alarmLevel, level)
  }
  return [...levels.values()].sort((one, other) => one.alarmLevel - other.alarmLevel)
}
