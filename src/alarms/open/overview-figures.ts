// Computes the figures of the overview page: open alarms, alarms of the last day, the busiest devices and events.

import { type Alarm, alarms } from '../../resources/alarms/alarm.ts'
import type { Database, Reader, Row, Transaction } from '../../store/database.ts'
import { addToTally, readTallies } from '../../store/tally.ts'
import { placesOf } from './overview-places.ts'

const day = 24 * 3600 * 1000
/** Milliseconds from one column of the day's chart to the next. */
export const step = 15 * 60 * 1000
const rowLimit = 8

/** A port at either end of a link between devices. */
const isUplinkPort =
  'exists (select 1 from device_parent p where (p.parent_id = a.device_id and p.parent_if_index = a.if_index) or (p.device_id = a.device_id and p.if_index = a.if_index))'

export type OverviewFigures = Readonly<
  Record<'open' | 'raised' | 'hour' | 'zone' | 'view' | 'device' | 'event' | 'outOfReach', object[]>
>

/** Recoveries are stored as alarms too. */
const faults = 'is_receover_fault = 0'

export async function overviewFigures(database: Database, now: number): Promise<OverviewFigures> {
  // Aligned to the clock, so that the chart does not shift with every request.
  const from = Math.floor((now - day) / step) * step
  const read = async (sql: string, values: readonly number[], shape: (row: Row) => object) =>
    (await database.readInBackground(sql, values)).map(shape)
  return {
    open: (await openByLevel(database)).map((level) => ({
      alarmLevel: level.alarmLevel,
      count: BigInt(level.count),
      unacknowledged: BigInt(level.unacknowledged),
      suppressed: BigInt(level.heldBack),
      suppressedUnacknowledged: BigInt(level.heldBackUnacknowledged),
    })),
    raised: await read(
      `select fault_time / ${step} as step, alarm_level, count(*) as n from alarm where fault_time >= ? and ${faults} group by fault_time / ${step}, alarm_level order by 1, 2`,
      [from],
      (row) => ({ time: Number(row.step) * step, alarmLevel: Number(row.alarm_level), count: row.n }),
    ),
    hour: await hoursOf(database, now),
    ...(await placesOf(database)),
    device: await read(
      `select device_id, device_name, device_ip, min(alarm_level) as worst, count(*) as n from alarm where rec_status = 0 group by device_id, device_name, device_ip order by n desc, worst limit ${rowLimit}`,
      [],
      (row) => ({
        deviceId: row.device_id,
        deviceName: row.device_name,
        deviceIp: row.device_ip,
        alarmLevel: Number(row.worst),
        count: row.n,
      }),
    ),
    event: await read(
      `select oid, event_name, count(*) as n from alarm where fault_time >= ? and ${faults} group by oid, event_name order by n desc, oid limit ${rowLimit}`,
      [from],
      (row) => ({ OID: row.oid, eventName: row.event_name, count: row.n }),
    ),
    outOfReach: await read(
      `select a.id, a.device_id, a.device_name, a.alarm_desc, a.fault_time from alarm a where a.rec_status = 0 and a.out_of_reach = 1 and (a.if_index is null or ${isUplinkPort}) order by a.fault_time limit 50`,
      [],
      (row) => ({
        id: row.id,
        deviceId: row.device_id,
        deviceName: row.device_name,
        alarmDesc: row.alarm_desc,
        faultTime: Number(row.fault_time),
      }),
    ),
  }
}

const hour = 3600 * 1000
const weeksCompared = 4

/** Alarms raised within the last hour, and within the same hour one to four weeks ago, as far back as alarms are known. */
async function hoursOf(database: Database, now: number): Promise<object[]> {
  const ends = Array.from({ length: weeksCompared + 1 }, (_, weeksAgo) => now - weeksAgo * 7 * day)
  const counts = ends.map(
    (end) =>
      `(select count(*) from alarm where fault_time > ${end - hour} and fault_time <= ${end} and ${faults})`,
  )
  const columns = counts.map((count, weeksAgo) => `${count} as w${weeksAgo}`)
  const [row] = await database.readInBackground(
    `select (select min(fault_time) from alarm) as oldest, ${columns.join(', ')}`,
    [],
  )
  const oldest = Number(row?.oldest ?? now)
  return ends.flatMap((end, weeksAgo) =>
    weeksAgo > 0 && end - hour < oldest ? [] : [{ weeksAgo, count: row?.[`w${weeksAgo}`] }],
  )
}

// Counts open alarms by level, acknowledged or not, suppressed or not. The counts are updated with every change, so that
// metrics and the overview cost the same however many alarms are open.

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

interface OpenOfLevel {
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
