// Handlers for alarm statistics: counts, and times to acknowledgement and recovery.

import type { Dimension } from '../../../alarms/history/figure-sums.ts'
import { type Figure, type FigureQuery, readFigures } from '../../../alarms/history/figures.ts'
import { overviewFigures, step } from '../../../alarms/open/overview-figures.ts'
import { Fault, shown } from '../../../fault.ts'
import { eventNames } from '../../../resources/alarms/trap-event.ts'
import { deviceHeads } from '../../../resources/inventory/device.ts'
import { zoneNames } from '../../../resources/inventory/zone.ts'
import { oneScalar, oneValue, type Parameters, readPage, type SizeRule } from '../../../schema/list.ts'
import { derived, groups, required, type Shape } from '../../../schema/resource.ts'
import { instant, int, ip, long, oid, oidLength, text } from '../../../schema/scalar.ts'
import type { Database } from '../../../store/database.ts'
import { intervalSeconds } from '../../../upkeep/traffic.ts'
import type { Handler } from '../../call.ts'
import { sendRecord } from '../../responses.ts'
import { sendPage } from '../list-handlers.ts'

const empty = { absent: 'empty' } as const

export const statisticsDocument: Shape = {
  name: 'statistics',
  fields: {
    /** What the figures are grouped by. */
    day: derived(text()),
    deviceId: derived(long),
    eventOid: derived(oid),
    zoneId: derived(long),
    /** Of the device, the event or the zone; empty where it is not there any more. */
    name: required(text(), empty),
    raised: required(long),
    acknowledged: required(long),
    /** Means and longest times are in seconds. */
    secondsToAcknowledge: required(long),
    longestToAcknowledge: required(long),
    ended: required(long),
    secondsToEnd: required(long),
    longestToEnd: required(long),
  },
}

export const dayText = text({ pattern: { source: '\\d{4}-\\d{2}-\\d{2}', accepted: 'a day as yyyy-MM-dd' } })
const kinds = ['day', 'device', 'event', 'zone'] as const
type By = (typeof kinds)[number]

const day = 24 * 3600 * 1000
const defaultDays = 30
export const statisticsPages: SizeRule = { default: 100, negative: 'default', max: 1000 }

export const showStatistics: Handler = async (call) => {
  const { database, parameters } = call
  await call.figures.catchUp()
  const query = readQuery(parameters, call.config['time-zone'], call.clock())
  const page = readPage(statisticsPages, parameters)
  const { total, figures } = await readFigures(database, { ...query, ...page })
  const names = await namesOf(database, query.by, figures)
  const rows = figures.map((figure) => rowOf(query.by, figure, names.get(figure.key) ?? ''))
  sendPage(call, statisticsDocument, page, rows, total)
}

function readQuery(
  parameters: Parameters,
  timeZone: string,
  now: number,
): Omit<FigureQuery, 'start' | 'size'> {
  const by = (oneValue(parameters, 'by') ?? 'day') as By
  if (!kinds.includes(by)) {
    const message = `by: ${shown(by)} is not accepted: expected one of ${kinds.join(', ')}`
    throw new Fault('invalid', message, { field: 'by' })
  }
  const local = (at: number) => new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(at)
  return {
    by,
    of: memberOf(parameters, by),
    from: oneScalar(parameters, 'from', dayText) ?? local(now - (defaultDays - 1) * day),
    to: oneScalar(parameters, 'to', dayText) ?? local(now),
  }
}

/** Figures are kept for one dimension at a time: those of a device by its events are not. */
function memberOf(parameters: Parameters, by: By): FigureQuery['of'] {
  const asked = (
    [
      ['device', 'deviceId', long],
      ['event', 'eventOid', oid],
      ['zone', 'zoneId', long],
    ] as const
  ).flatMap(([dimension, name, scalar]) => {
    const value = oneScalar<unknown>(parameters, name, scalar)
    return value === undefined ? [] : [{ dimension: dimension as Dimension, name, member: String(value) }]
  })
  const wrong = asked.find(({ dimension }, index) => index > 0 || (by !== 'day' && by !== dimension))
  if (wrong) {
    const message = `${wrong.name}: figures by ${by} are kept ${asked.length > 1 ? `of one ${asked[0]?.dimension} at a time` : 'of all alarms'}: use by=day, or leave it out`
    throw new Fault('invalid', message, { field: wrong.name })
  }
  return asked[0] ?? { dimension: 'all', member: '' }
}

/** The names of what figures are grouped by, by key. */
async function namesOf(database: Database, by: By, figures: readonly Figure[]): Promise<Map<string, string>> {
  const keys = figures.map(({ key }) => key)
  if (by === 'day') return new Map()
  if (by === 'event') return eventNames(database, keys)
  const ids = keys.map(BigInt)
  if (by === 'zone') return textKeys(await zoneNames(database, ids), (name) => name)
  return textKeys(await deviceHeads(database, ids), ({ label }) => label)
}

const textKeys = <T>(found: ReadonlyMap<bigint, T>, name: (one: T) => string) =>
  new Map(Array.from(found, ([id, one]) => [String(id), name(one)]))

const seconds = (sum: number, count: number) => (count === 0 ? 0n : BigInt(Math.round(sum / count / 1000)))

function rowOf(by: By, figure: Figure, name: string) {
  const { key, raised, acknowledged, ackTime, ackMost, ended, endTime, endMost } = figure
  const keys = {
    day: { day: key },
    device: { deviceId: key },
    event: { eventOid: key },
    zone: { zoneId: key },
  }
  return {
    ...keys[by],
    name,
    raised: BigInt(raised),
    acknowledged: BigInt(acknowledged),
    secondsToAcknowledge: seconds(ackTime, acknowledged),
    longestToAcknowledge: seconds(ackMost, 1),
    ended: BigInt(ended),
    secondsToEnd: seconds(endTime, ended),
    longestToEnd: seconds(endMost, 1),
  }
}

// Handler for the overview: open alarms, recently raised ones, the devices that report most, and received traps.

const word = text({ maxLength: 100 })

const place = {
  name: required(text()),
  alarmLevel: required(int()),
  count: required(long),
  unacknowledged: required(long),
}

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
    /** Alarms raised within the last hour, and within the same hour of the weeks before, as far back as alarms are known. */
    hour: groups({ weeksAgo: required(int()), count: required(long) }),
    /**
     * Zones and views with their open alarms, the worst first; level 0 where none is open. What is
     * held back does not count, and a view of all devices is left out.
     */
    zone: groups({ zoneId: required(long), ...place }),
    view: groups({ symbolId: required(long), ...place }),
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

/** Cached, so that ten screens on a wall cost as much as one. */
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
