// The state of everything at one look: what is open, what was raised lately, who reports most, and what comes in.

import { many, need } from '../../schema/resource.ts'
import { instant, int, ip, long, oid, oidLength, text } from '../../schema/scalar.ts'
import type { Database, Row } from '../../store/database.ts'
import { stretchSeconds } from '../../upkeep/traffic.ts'
import { sendRecord } from '../answers.ts'
import type { Handler } from '../call.ts'

const word = text({ maxLength: 100 })

export const overviewDocument = {
  name: 'overview',
  fields: {
    time: need(instant),
    open: many({ alarmLevel: need(int()), count: need(long), unacknowledged: need(long) }),
    /** Alarms raised in the last day, in steps of a quarter of an hour. */
    stepSeconds: need(int()),
    raised: many({ time: need(instant), alarmLevel: need(int()), count: need(long) }),
    /** Devices with most open alarms, and the events of the day that raised most. */
    device: many({
      deviceId: need(long),
      deviceName: need(text(), { absent: 'empty' }),
      deviceIp: need(ip, { absent: 'empty' }),
      alarmLevel: need(int()),
      count: need(long),
    }),
    event: many({
      OID: need(oid),
      eventName: need(text({ maxLength: oidLength }), { absent: 'empty' }),
      count: need(long),
    }),
    /** Open alarms whose definition says that something is out of reach. */
    outOfReach: many({
      id: need(long),
      deviceId: need(long),
      deviceName: need(text(), { absent: 'empty' }),
      alarmDesc: need(text({ maxLength: 10_000 }), { absent: 'empty' }),
      faultTime: need(instant),
    }),
    /** Datagrams that came in each minute since the start, at most of the last day. */
    minuteSeconds: need(int()),
    minute: many({ time: need(instant), bin: need(word), count: need(long) }),
  },
}

const day = 24 * 3600 * 1000
const step = 15 * 60 * 1000
const most = 8
/** Ten screens on a wall are to cost what one does. */
const lasts = 5000

/** The figures, and when they were read. */
export interface SeenOverview {
  readonly at: number
  readonly figures: Promise<Figures>
}

/** A port by which a device hangs behind another, seen from either end. */
const leadsSomewhere =
  'exists (select 1 from device_parent p where (p.parent_id = a.device_id and p.parent_if_index = a.if_index) or (p.device_id = a.device_id and p.if_index = a.if_index))'

type Figures = Readonly<Record<'open' | 'raised' | 'device' | 'event' | 'outOfReach', object[]>>

export const showOverview: Handler = async ({ database, memory, traffic, response, form }) => {
  const now = Date.now()
  if (!memory.overview || now - memory.overview.at > lasts)
    memory.overview = { at: now, figures: figuresOf(database, now) }
  const { at, figures } = memory.overview
  sendRecord(response, form, overviewDocument, {
    time: at,
    stepSeconds: step / 1000,
    minuteSeconds: stretchSeconds,
    minute: traffic.stretches.flatMap(({ time, counts }) =>
      [...counts].map(([bin, n]) => ({ time, bin, count: BigInt(n) })),
    ),
    ...(await figures),
  })
}

/** Recoveries are alarms of their own, and no trouble. */
const faults = 'is_receover_fault = 0'

async function figuresOf(database: Database, now: number): Promise<Figures> {
  // On the steps of the clock, so that a chart does not move by itself.
  const from = Math.floor((now - day) / step) * step
  const read = async (sql: string, values: readonly number[], shape: (row: Row) => object) =>
    (await database.longRead(sql, values)).map(shape)
  return {
    open: await read(
      'select alarm_level, count(*) as n, sum(1 - ack_status) as waiting from alarm where rec_status = 0 group by alarm_level order by alarm_level',
      [],
      ({ alarm_level, n, waiting }) => ({
        alarmLevel: Number(alarm_level),
        count: n,
        unacknowledged: BigInt(Number(waiting)),
      }),
    ),
    raised: await read(
      `select fault_time / ${step} as step, alarm_level, count(*) as n from alarm where fault_time >= ? and ${faults} group by fault_time / ${step}, alarm_level order by 1, 2`,
      [from],
      (row) => ({ time: Number(row.step) * step, alarmLevel: Number(row.alarm_level), count: row.n }),
    ),
    device: await read(
      `select device_id, device_name, device_ip, min(alarm_level) as worst, count(*) as n from alarm where rec_status = 0 group by device_id, device_name, device_ip order by n desc, worst limit ${most}`,
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
      `select oid, event_name, count(*) as n from alarm where fault_time >= ? and ${faults} group by oid, event_name order by n desc, oid limit ${most}`,
      [from],
      (row) => ({ OID: row.oid, eventName: row.event_name, count: row.n }),
    ),
    outOfReach: await read(
      `select a.id, a.device_id, a.device_name, a.alarm_desc, a.fault_time from alarm a where a.rec_status = 0 and a.out_of_reach = 1 and (a.if_index is null or ${leadsSomewhere}) order by a.fault_time limit 50`,
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
