// When a trap rule or a maintenance window is in force: whenever all limits of its validity are met, whatever its type.
// Only with type 2, days and times together form one span.

import {
  type CalendarDay,
  type Day,
  readDay,
  readTime,
  readWeekdays,
  spanType,
  type Validity,
} from '../resources/alarms/validity.ts'
import { dayNumber, monthOf, weekdayOf, type ZoneTime } from './zone-time.ts'

const midnight = 24 * 3600

/** Whether it is in force at a time. */
export type Period = (at: number) => boolean

/** The parsed limits of a rule; those that are not set are absent. */
interface Limits {
  readonly startDay?: Day
  readonly endDay?: Day
  readonly startTime?: number
  readonly endTime?: number
  readonly weekdays?: ReadonlySet<number>
}

function limitsOf({ startDay, endDay, startTime, endTime, selectedWeekDay }: Validity): Limits {
  return {
    ...(startDay !== null && { startDay: readDay(startDay) }),
    ...(endDay !== null && { endDay: readDay(endDay) }),
    ...(startTime !== null && { startTime: readTime(startTime) }),
    ...(endTime !== null && { endTime: readTime(endTime) }),
    ...(selectedWeekDay !== null && { weekdays: readWeekdays(selectedWeekDay) }),
  }
}

const writtenLimits = ({ startDay, endDay, startTime, endTime, selectedWeekDay }: Validity) => [
  startDay,
  endDay,
  startTime,
  endTime,
  selectedWeekDay,
]

export const isAlways = (rule: Validity) => writtenLimits(rule).every((limit) => limit === null)

const isSpan = ({ exectimeType, startDay, endDay }: Validity) =>
  exectimeType === spanType && (startDay !== null || endDay !== null)

/** Equal for rules with the same limits. */
export const validityKey = (rule: Validity) => JSON.stringify([isSpan(rule), ...writtenLimits(rule)])

/** Compiles a validity: everything that depends on the rule alone is computed once. */
export function periodOf(rule: Validity, zone: ZoneTime): Period {
  const limits = limitsOf(rule)
  return isSpan(rule) ? span(limits, zone) : windows(limits, zone)
}

/** From startTime to endTime, on each of the weekdays from startDay to endDay. */
function windows(limits: Limits, zone: ZoneTime): Period {
  const onWeekday = weekdayTest(limits)
  const onDay = dayTest(limits)
  const inWindow = dailyWindow(limits, zone, (day) => onWeekday(day) && onDay(day))
  const from = momentOf(limits.startDay, undefined, zone)
  const until = momentOf(limits.endDay, undefined, zone)
  return (at) => (from === undefined || at >= from) && (until === undefined || at < until) && inWindow(at)
}

/** From startTime of startDay to endTime of endDay, on the selected weekdays. */
function span(limits: Limits, zone: ZoneTime): Period {
  const onWeekday = weekdayTest(limits)
  const { startDay, endDay, startTime, endTime } = limits
  const inDates = dateSpan(limits, zone)
  const inMonth = monthlySpan(limits, zone)
  // A time without a day cannot begin or end the span; it limits each day.
  const loose = {
    ...(startDay === undefined && startTime !== undefined && { startTime }),
    ...(endDay === undefined && endTime !== undefined && { endTime }),
  }
  const inWindow = dailyWindow(loose, zone, () => true)
  return (at) => {
    const { day } = zone.local(at)
    return inDates(at) && inMonth(at, day) && onWeekday(day) && inWindow(at)
  }
}

const numberOf = (day: CalendarDay) => dayNumber(day.year, day.month, day.day)

/**
 * The start or end of a span: a date with a time, its own or a separate one. Of two times, the stricter one applies.
 */
function momentOf(
  day: Day | undefined,
  separateTime: number | undefined,
  zone: ZoneTime,
  narrower = Math.max,
): number | undefined {
  if (day?.kind !== 'date') return undefined
  const times = [day.time, separateTime].filter((time) => time !== undefined)
  return times.length === 0 ? undefined : zone.instant(numberOf(day), narrower(...times))
}

function dateSpan({ startDay, endDay, startTime, endTime }: Limits, zone: ZoneTime): Period {
  const first = startDay?.kind === 'date' ? startDay : undefined
  const last = endDay?.kind === 'date' ? endDay : undefined
  const midnights = {
    from: first ? zone.instant(numberOf(first), 0) : Number.NEGATIVE_INFINITY,
    until: last ? zone.instant(numberOf(last), midnight) : Number.POSITIVE_INFINITY,
  }
  let from = momentOf(first, startTime, zone) ?? midnights.from
  let until = momentOf(last, endTime, zone, Math.min) ?? midnights.until
  // Equal times are the whole day.
  if (first && last && numberOf(first) === numberOf(last) && from === until) ({ from, until } = midnights)
  return (at) => at >= from && at < until
}

/** From startTime of one day of the month to endTime of another, every month. */
function monthlySpan(
  { startDay, endDay, startTime = 0, endTime = midnight }: Limits,
  zone: ZoneTime,
): (at: number, day: number) => boolean {
  const from = startDay?.kind === 'monthly' ? startDay.day : undefined
  const to = endDay?.kind === 'monthly' ? endDay.day : undefined
  if (from === undefined && to === undefined) return () => true
  const equal = from === to && startTime === endTime
  const [start, end] = equal ? [0, midnight] : [startTime, endTime]
  const overEnd = from !== undefined && to !== undefined && to < from
  return (at, day) => {
    const { dayOfMonth, lastOfMonth } = monthOf(day)
    const first = from === undefined ? 0 : Math.min(from, lastOfMonth)
    const last = to === undefined ? 32 : Math.min(to, lastOfMonth)
    const begun = dayOfMonth > first || (dayOfMonth === first && at >= zone.instant(day, start))
    const goesOn = dayOfMonth < last || (dayOfMonth === last && at < zone.instant(day, end))
    return overEnd ? begun || goesOn : begun && goesOn
  }
}

function weekdayTest({ weekdays }: Limits): (day: number) => boolean {
  if (weekdays === undefined) return () => true
  return (day) => weekdays.has(weekdayOf(day))
}

/** Whether a day lies between startDay and endDay, both included; days of the month recur. */
function dayTest({ startDay, endDay }: Limits): (day: number) => boolean {
  const first = startDay?.kind === 'date' ? numberOf(startDay) : Number.NEGATIVE_INFINITY
  const last = endDay?.kind === 'date' ? numberOf(endDay) : Number.POSITIVE_INFINITY
  const from = startDay?.kind === 'monthly' ? startDay.day : undefined
  const to = endDay?.kind === 'monthly' ? endDay.day : undefined
  return (day) => day >= first && day <= last && inMonth(day, from, to)
}

/** A month that is too short for a day ends on its last. From 25 to 5 runs over the end of the month. */
function inMonth(day: number, from: number | undefined, to: number | undefined): boolean {
  if (from === undefined && to === undefined) return true
  const { dayOfMonth, lastOfMonth } = monthOf(day)
  const first = Math.min(from ?? 1, lastOfMonth)
  const last = Math.min(to ?? 31, lastOfMonth)
  return from !== undefined && to !== undefined && to < from
    ? dayOfMonth >= first || dayOfMonth <= last
    : dayOfMonth >= first && dayOfMonth <= last
}

interface Window {
  readonly from: number
  readonly until: number
}

const noWindow: Window = { from: Number.POSITIVE_INFINITY, until: Number.NEGATIVE_INFINITY }
const isIn = ({ from, until }: Window, at: number) => at >= from && at < until

/**
 * From startTime to endTime of each day that qualifies. No start is 0:00, no end is 24:00, equal times are the whole
 * day; over midnight it belongs to the day it starts on.
 */
function dailyWindow(
  { startTime = 0, endTime = midnight }: Limits,
  zone: ZoneTime,
  qualifies: (day: number) => boolean,
): Period {
  const [start, end] = startTime === endTime ? [0, midnight] : [startTime, endTime]
  const overMidnight = end < start
  const windowOf = (day: number): Window =>
    qualifies(day)
      ? { from: zone.instant(day, start), until: zone.instant(overMidnight ? day + 1 : day, end) }
      : noWindow
  // Cached for the last day asked for, because times are mostly asked in order.
  let day = Number.NaN
  let [today, yesterday] = [noWindow, noWindow]
  return (at) => {
    const local = zone.local(at).day
    if (local !== day) {
      day = local
      today = windowOf(day)
      yesterday = windowOf(day - 1)
    }
    // A start that the clock skipped may have moved past midnight, and a window of yesterday may still be open.
    return isIn(today, at) || isIn(yesterday, at)
  }
}

/** The dates in a rule, as day numbers. */
export const datesOf = (rule: Validity): number[] =>
  daysOf(rule).flatMap((day) => (day.kind === 'date' ? [numberOf(day)] : []))

export const isMonthly = (rule: Validity) => daysOf(rule).some(({ kind }) => kind === 'monthly')

const daysOf = (rule: Validity): Day[] => {
  const { startDay, endDay } = limitsOf(rule)
  return [startDay, endDay].filter((day) => day !== undefined)
}

/** The times of day at which a rule may begin or cease to be in force. */
export function changeTimes(rule: Validity): number[] {
  const { startTime, endTime } = limitsOf(rule)
  const ofDates = daysOf(rule).map((day) => (day.kind === 'date' ? day.time : undefined))
  const times = [startTime, endTime, ...ofDates].filter((time) => time !== undefined)
  return [...new Set([0, midnight, ...times])]
}

/** Two years contain every recurring combination of weekday, day of the month and clock change. */
const lookAhead = 800

/** Whether the rule is never in force from now on. */
export function neverApplies(rule: Validity, zone: ZoneTime, now: number): boolean {
  const isInForce = periodOf(rule, zone)
  if (isInForce(now)) return false
  const times = changeTimes(rule)
  const today = zone.local(now).day
  const { startDay, endDay } = limitsOf(rule)
  const first = startDay?.kind === 'date' ? Math.max(today, numberOf(startDay)) : today
  const last = endDay?.kind === 'date' ? numberOf(endDay) : Number.POSITIVE_INFINITY
  // A window over midnight may be open from the day before to the day after.
  for (let day = first - 1; day <= Math.min(first + lookAhead, last + 1); day += 1) {
    for (const time of times) {
      const at = zone.instant(day, time)
      if (at >= now && isInForce(at)) return false
    }
  }
  return true
}
