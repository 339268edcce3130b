// A window that is in force once, from one moment to another: typed in the zone of the viewer, sent in that of the service.
// And when windows are in force next.

import { momentOf, wallClock, wallDay, wallOf, wallTime } from '../core/zone-time.ts'
import type { Limits, Validity } from './validity.ts'
import { hourOf } from './week.ts'

const hour = 3_600_000
const dayLength = 24 * hour

/** Days and times such as `2031-04-05T22:00`. */
export interface Once {
  readonly from: string
  readonly to: string
}

const textOf = (wall: number) => `${wallDay(wall)}T${wallTime(wall)}`

/** Four hours from ten in the evening, when most work is planned; from ten on, tomorrow's. */
export function tonight(now: number, zone: string): Once {
  const wall = wallClock(zone, now)
  const today = Math.floor(wall / dayLength) * dayLength
  const from = today + 22 * hour + (wall - today >= 22 * hour ? dayLength : 0)
  return { from: textOf(from), to: textOf(from + 4 * hour) }
}

/** A stretch of time, in milliseconds. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Undefined where a day or a time is missing. */
export function spanOf({ from, to }: Once, zone: string): Span | undefined {
  const [begin, end] = [wallOf(from), wallOf(to)]
  if (begin === undefined || end === undefined) return undefined
  return { from: momentOf(zone, begin), to: momentOf(zone, end) }
}

const isSpan = '2'

/** As the service takes it; what cannot be read is sent as it is, and refused there. */
export function onceLimits(once: Once, viewer: string, service: string): Required<Limits> {
  const span = spanOf(once, viewer)
  const wall = (at: number | undefined) => (at === undefined ? undefined : wallClock(service, at))
  const [from, to] = [wall(span?.from), wall(span?.to)]
  return {
    exectimeType: isSpan,
    startDay: from === undefined ? once.from : wallDay(from),
    startTime: from === undefined ? '' : wallTime(from),
    endDay: to === undefined ? once.to : wallDay(to),
    endTime: to === undefined ? '' : wallTime(to),
    selectedWeekDay: '',
  }
}

const dayForm = /^(\d{4})[-/]?(\d{2})[-/]?(\d{2})$/

/** A whole date; undefined for a day of the month, or none. */
function dayOf(text = ''): number | undefined {
  const [, year, month, day] = dayForm.exec(text.trim()) ?? []
  return year === undefined ? undefined : Date.UTC(Number(year), Number(month) - 1, Number(day))
}

/** Of a record that is a single span; undefined for others. */
export function onceFrom(limits: Limits, service: string, viewer: string): Once | undefined {
  const { exectimeType, startDay, endDay, startTime = '', endTime = '', selectedWeekDay = '' } = limits
  const [first, last, from, to] = [dayOf(startDay), dayOf(endDay), hourOf(startTime), hourOf(endTime)]
  const isWhole = first !== undefined && last !== undefined && from !== undefined && to !== undefined
  if (exectimeType !== isSpan || selectedWeekDay !== '' || !isWhole) return undefined
  const shown = (wall: number) => textOf(wallClock(viewer, momentOf(service, wall)))
  return { from: shown(first + from * hour), to: shown(last + to * hour) }
}

/** A day beyond which nothing is looked for. */
const farthest = 400

/** When days and times apply from now on; undefined where they are not whole dates, or not readable. */
export function nextSpans(limits: Validity, zone: string, now: number, most: number): Span[] | undefined {
  const { weekdays, startTime, endTime, startDay, endDay } = limits
  const from = startTime.trim() === '' ? 0 : hourOf(startTime)
  const to = endTime.trim() === '' ? 24 : hourOf(endTime)
  const [first, last] = [dayOf(startDay), dayOf(endDay)]
  const isUnreadable = (text: string, day: number | undefined) => text.trim() !== '' && day === undefined
  if (from === undefined || to === undefined) return undefined
  if (limits.isSpan || isUnreadable(startDay, first) || isUnreadable(endDay, last)) return undefined
  const length = to > from ? to - from : to - from + 24
  const today = Math.floor(wallClock(zone, now) / dayLength) * dayLength
  const spans: Span[] = []
  const begin = Math.max(today - dayLength, first ?? 0)
  const end = Math.min(begin + farthest * dayLength, last ?? Number.POSITIVE_INFINITY)
  for (let day = begin; day <= end && spans.length < most; day += dayLength) {
    if (weekdays.length > 0 && !weekdays.includes(new Date(day).getUTCDay())) continue
    const wall = day + (from === to ? 0 : from) * hour
    const span = { from: momentOf(zone, wall), to: momentOf(zone, wall + length * hour) }
    if (span.to > now) spans.push(span)
  }
  return spans
}
