// Figures over everything: what is open, what was raised recently, which devices report most, and what is received.

import { overviewFigures, step } from '../../../alarms/open/overview-figures.ts'
import { many, need } from '../../../schema/resource.ts'
import { instant, int, ip, long, oid, oidLength, text } from '../../../schema/scalar.ts'
import { stretchSeconds } from '../../../upkeep/traffic.ts'
import { sendRecord } from '../../responses.ts'
import type { Handler } from '../../call.ts'

const word = text({ maxLength: 100 })

export const overviewDocument = {
  name: 'overview',
  fields: {
    time: need(instant),
    /** Those that are held back are a part of the others. */
    open: many({
      alarmLevel: need(int()),
      count: need(long),
      unacknowledged: need(long),
      suppressed: need(long),
      suppressedUnacknowledged: need(long),
    }),
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

/** Ten screens on a wall are to cost what one does. */
const lasts = 5000

export const showOverview: Handler = async ({ database, memory, traffic, response, form, clock }) => {
  const now = clock()
  if (!memory.overview || Math.abs(now - memory.overview.at) > lasts)
    memory.overview = { at: now, figures: overviewFigures(database, now) }
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
