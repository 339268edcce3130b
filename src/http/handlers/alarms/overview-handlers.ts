// Handler for the overview: open alarms, recently raised ones, the devices that report most, and received traps.

import { overviewFigures, step } from '../../../alarms/open/overview-figures.ts'
import { groups, required } from '../../../schema/resource.ts'
import { instant, int, ip, long, oid, oidLength, text } from '../../../schema/scalar.ts'
import { intervalSeconds } from '../../../upkeep/traffic.ts'
import type { Handler } from '../../call.ts'
import { sendRecord } from '../../responses.ts'

const word = text({ maxLength: 100 })

export const overviewDocument = {
  name: 'overview',
  fields: {
    time: required(instant),
    /** Those that are held back are a part of the others. */
    open: groups({
      alarmLevel: required(int()),
      count: required(long),
      unacknowledged: required(long),
      suppressed: required(long),
      suppressedUnacknowledged: required(long),
    }),
    /** Alarms raised in the last day, in steps of a quarter of an hour. */
    stepSeconds: required(int()),
    raised: groups({ time: required(instant), alarmLevel: required(int()), count: required(long) }),
    /** Devices with most open alarms, and the events of the day that raised most. */
    device: groups({
      deviceId: required(long),
      deviceName: required(text(), { absent: 'empty' }),
      deviceIp: required(ip, { absent: 'empty' }),
      alarmLevel: required(int()),
      count: required(long),
    }),
    event: groups({
      OID: required(oid),
      eventName: required(text({ maxLength: oidLength }), { absent: 'empty' }),
      count: required(long),
    }),
    /** Open alarms whose definition says that something is out of reach. */
    outOfReach: groups({
      id: required(long),
      deviceId: required(long),
      deviceName: required(text(), { absent: 'empty' }),
      alarmDesc: required(text({ maxLength: 10_000 }), { absent: 'empty' }),
      faultTime: required(instant),
    }),
    /** Datagrams that came in each minute since the start, at most of the last day. */
    minuteSeconds: required(int()),
    minute: groups({ time: required(instant), bin: required(word), count: required(long) }),
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
    minuteSeconds: intervalSeconds,
    minute: traffic.intervals.flatMap(({ time, counts }) =>
      [...counts].map(([bin, n]) => ({ time, bin, count: BigInt(n) })),
    ),
    ...(await figures),
  })
}
