// Handlers for alarm statistics: counts, and times to acknowledgement and recovery.

import type { Dimension } from '../../../alarms/history/figure-sums.ts'
import { type Figure, type FigureQuery, readFigures } from '../../../alarms/history/figures.ts'
import { Fault, shown } from '../../../fault.ts'
import { eventNames } from '../../../resources/alarms/trap-event.ts'
import { deviceHeads } from '../../../resources/inventory/device.ts'
import { zoneNames } from '../../../resources/inventory/zone.ts'
import { oneScalar, oneValue, type Parameters, readPage, type SizeRule } from '../../../schema/list.ts'
import { derived, required, type Shape } from '../../../schema/resource.ts'
import { long, oid, text } from '../../../schema/scalar.ts'
import type { Database } from '../../../store/database.ts'
import type { Handler } from '../../call.ts'
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
const usualDays = 30
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
    from: oneScalar(parameters, 'from', dayText) ?? local(now - (usualDays - 1) * day),
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
