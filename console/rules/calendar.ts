// What a calendar shows: the days of a week or a month, and when windows are in force and reports are made in them.

import { momentOf, wallClock } from '../core/zone-time.ts'
import type { Schedule } from '../reports/schedules.tsx'
import { nextSpans, onceFrom, type Span, spanOf } from './once.ts'
import { validityOf } from './validity.ts'
import type { Window } from './window.ts'

const dayLength = 86_400_000

export type View = 'week' | 'month'

/** A day in the zone of the viewer. */
export interface Day extends Span {
  /** Its midnight, as a clock shows it: as if it were UTC. */
  readonly wall: number
  /** Of the month that is shown. */
  readonly isShown: boolean
}

/** 1970-01-01 was a Thursday; weeks begin on Monday. */
const mondayOf = (wall: number) => wall - ((((wall / dayLength + 3) % 7) + 7) % 7) * dayLength

export const firstOfMonth = (wall: number, months = 0) => {
  const date = new Date(wall)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months)
}

/** Whole weeks: the one in which a day lies, or those of its month. */
export function daysAround(view: View, wall: number, zone: string): Day[] {
  const first = mondayOf(view === 'week' ? wall : firstOfMonth(wall))
  const last = view === 'week' ? first : mondayOf(firstOfMonth(wall, 1) - dayLength)
  const count = (last - first) / dayLength + 7
  return Array.from({ length: count }, (_, index) => {
    const day = first + index * dayLength
    return {
      ...{ wall: day, from: momentOf(zone, day), to: momentOf(zone, day + dayLength) },
      isShown: view === 'week' || firstOfMonth(day) === firstOfMonth(wall),
    }
  })
}

/** The same day of the week, or of the month, before or after. */
export const turned = (view: View, wall: number, by: number) =>
  view === 'week' ? wall + by * 7 * dayLength : firstOfMonth(wall, by)

const isIn = (span: Span, within: Span) => span.from < within.to && span.to > within.from

/** More than one a day for the six weeks that a month may touch. */
const maxSpans = 60

/**
 * When a window is in force. One that recurs is shown from today on: since when it has been there is not known. `zone` is
 * that of the service.
 */
export function spansOf(window: Window, zone: string, within: Span, now: number): Span[] {
  const [from, until] = [Number(window.fromTime) * 1000, Number(window.untilTime) * 1000]
  const once = onceFrom(window, zone, zone)
  const single = from > 0 ? { from, to: until } : once && spanOf(once, zone)
  const today = momentOf(zone, Math.floor(wallClock(zone, now) / dayLength) * dayLength)
  const all = single
    ? [single]
    : (nextSpans(validityOf(window), zone, Math.max(within.from, today), maxSpans) ?? [])
  // Somebody ended it before its time.
  const [endedFrom, endedUntil] = [Number(window.endedFrom) * 1000, Number(window.endedUntil) * 1000]
  return all
    .map((span) =>
      endedFrom > span.from && endedFrom < span.to && endedUntil >= span.to
        ? { ...span, to: endedFrom }
        : span,
    )
    .filter((span) => isIn(span, within))
}

/** When a report is made, from its next time on; as the service decides it. */
export function runsOf(schedule: Schedule, zone: string, within: Span, now: number): number[] {
  if (schedule.enabled === 'false') return []
  const [hours = 0, minutes = 0] = schedule.time.split(':').map(Number)
  const earliest = Math.max(now, within.from, Number(schedule.nextTime) * 1000)
  const runs: number[] = []
  let day = Math.floor(wallClock(zone, within.from) / dayLength) * dayLength
  for (; momentOf(zone, day) < within.to; day += dayLength) {
    const at = momentOf(zone, day + (hours * 60 + minutes) * 60_000)
    if (at >= earliest && at < within.to && isDue(schedule, new Date(day))) runs.push(at)
  }
  return runs
}

function isDue({ every, weekDay = '1', monthDay = '1' }: Schedule, day: Date): boolean {
  if (every === 'daily') return true
  if (every === 'weekly') return day.getUTCDay() === Number(weekDay)
  const last = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate()
  return day.getUTCDate() === Math.min(Number(monthDay), last)
}

export interface Entry extends Span {
  readonly kind: 'window' | 'report' | 'shift'
  readonly name: string
  readonly href: string
}

/** Those of a day, in their order. What has no length is on the day on which it happens. */
export const entriesOf = (day: Day, entries: readonly Entry[]): Entry[] =>
  entries
    .filter((one) => (one.from === one.to ? one.from >= day.from && one.from < day.to : isIn(one, day)))
    .sort((a, b) => a.from - b.from)
