// When a trap rule is in force.

import type { TrapRule } from '../resources/trap-rule.ts'
import { type Day, readDay, readTime, readWeekdays } from '../resources/validity.ts'
import { dayNumber, monthOf, weekdayOf, type ZoneTime } from './zone-time.ts'

const alwaysType = 0
export const weeklyType = 1
const absoluteType = 2

const midnight = 24 * 3600

type Test = (at: number) => boolean

/** Made once per rule: what depends on the rule alone is settled here. */
export function periodOf(rule: TrapRule, zone: ZoneTime): Test {
  switch (rule.exectimeType) {
    case alwaysType:
      return () => true
    case weeklyType:
      return dailyWindow(rule, zone, weekdayTest(rule))
    case absoluteType:
      return absolutePeriod(rule, zone)
    default:
      return allLimits(rule, zone)
  }
}

const limitsOf = ({ startDay, endDay, startTime, endTime, selectedWeekDay }: TrapRule) => [
  startDay,
  endDay,
  startTime,
  endTime,
  selectedWeekDay,
]

export const isAlways = (rule: TrapRule) =>
  rule.exectimeType === alwaysType || limitsOf(rule).every((limit) => limit === null)

/** The same for rules that are in force at the same times because they say the same about it. */
export const validityKey = (rule: TrapRule) => JSON.stringify([rule.exectimeType, ...limitsOf(rule)])

const lookAhead = 800

/** Whether no moment from now on is in the period: every window begins on a day, or with the period itself. */
export function neverApplies(rule: TrapRule, zone: ZoneTime, now: number): boolean {
  const holds = periodOf(rule, zone)
  const { start } = timesOf(rule)
  const first = rule.startDay === null ? undefined : readDay(rule.startDay)
  const today = zone.local(now).day
  const from = first?.kind === 'date' ? Math.max(today, numberOf(first)) : today
  const begin = momentOf(rule.startDay, zone)
  const moments = [now, ...(begin === undefined || begin < now ? [] : [begin])]
  // Two years hold every combination of weekday, day of the month and clock change that recurs.
  for (let day = from; day <= from + lookAhead; day += 1) {
    moments.push(zone.instant(day, start), zone.instant(day, 0))
  }
  return !moments.some((at) => at >= now && holds(at))
}

/** Without a type, everything that is given must hold. */
function allLimits(rule: TrapRule, zone: ZoneTime): Test {
  const onWeekday = weekdayTest(rule)
  const onDay = dayTest(rule)
  const window = dailyWindow(rule, zone, (day) => onWeekday(day) && onDay(day))
  const from = momentOf(rule.startDay, zone)
  const until = momentOf(rule.endDay, zone)
  return (at) => (from === undefined || at >= from) && (until === undefined || at < until) && window(at)
}

/** The moment of a day that has a time behind it. */
function momentOf(text: string | null, zone: ZoneTime): number | undefined {
  const day = text === null ? undefined : readDay(text)
  if (day?.kind !== 'date' || day.time === undefined) return undefined
  return zone.instant(numberOf(day), day.time)
}

const numberOf = (day: Extract<Day, { kind: 'date' }>) => dayNumber(day.year, day.month, day.day)

function weekdayTest({ selectedWeekDay }: TrapRule): (day: number) => boolean {
  if (selectedWeekDay === null) return () => true
  const days = readWeekdays(selectedWeekDay)
  return (day) => days.has(weekdayOf(day))
}

/** Whether a day lies between startDay and endDay, both included; days of the month recur. */
function dayTest({ startDay, endDay }: TrapRule): (day: number) => boolean {
  const start = startDay === null ? undefined : readDay(startDay)
  const end = endDay === null ? undefined : readDay(endDay)
  const first = start?.kind === 'date' ? numberOf(start) : Number.NEGATIVE_INFINITY
  const last = end?.kind === 'date' ? numberOf(end) : Number.POSITIVE_INFINITY
  const from = start?.kind === 'monthly' ? start.day : undefined
  const to = end?.kind === 'monthly' ? end.day : undefined
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

/** From startTime to endTime of each day that qualifies; over midnight it belongs to the day it starts on. */
function dailyWindow(rule: TrapRule, zone: ZoneTime, qualifies: (day: number) => boolean): Test {
  const { start, end } = timesOf(rule)
  const overMidnight = end < start
  const inWindowOf = (day: number, at: number) =>
    qualifies(day) && at >= zone.instant(day, start) && at < zone.instant(overMidnight ? day + 1 : day, end)
  return (at) => {
    const { day } = zone.local(at)
    // A start that the clock skipped may have moved past midnight, and a window of yesterday may still be open.
    return inWindowOf(day, at) || inWindowOf(day - 1, at)
  }
}

/** No start is 0:00, no end is 24:00, equal times are the whole day. */
function timesOf({ startTime, endTime }: TrapRule): { start: number; end: number } {
  const start = startTime === null ? 0 : readTime(startTime)
  const end = endTime === null ? midnight : readTime(endTime)
  return start === end ? { start: 0, end: midnight } : { start, end }
}

function absolutePeriod(rule: TrapRule, zone: ZoneTime): Test {
  const start = rule.startDay === null ? undefined : readDay(rule.startDay)
  const end = rule.endDay === null ? undefined : readDay(rule.endDay)
  if (start?.kind === 'monthly' || end?.kind === 'monthly') return monthlyPeriod(rule, zone)
  const oneDay = start && end && numberOf(start) === numberOf(end)
  const times = oneDay ? timesOf(rule) : { start: startOf(rule, start), end: endOf(rule, end) }
  const from = start ? zone.instant(numberOf(start), times.start) : Number.NEGATIVE_INFINITY
  const until = end ? zone.instant(numberOf(end), times.end) : Number.POSITIVE_INFINITY
  return (at) => at >= from && at < until
}

/** startTime weighs more than a time behind startDay. */
const startOf = ({ startTime }: TrapRule, day: Day | undefined) =>
  startTime === null ? ((day?.kind === 'date' ? day.time : undefined) ?? 0) : readTime(startTime)

const endOf = ({ endTime }: TrapRule, day: Day | undefined) =>
  endTime === null ? ((day?.kind === 'date' ? day.time : undefined) ?? midnight) : readTime(endTime)

/** From startTime of the first day to endTime of the last, every month. */
function monthlyPeriod(rule: TrapRule, zone: ZoneTime): Test {
  const onDay = dayTest(rule)
  const start = startOf(rule, undefined)
  const end = endOf(rule, undefined)
  return (at) => {
    const { day } = zone.local(at)
    if (!onDay(day)) return false
    const isFirst = !onDay(day - 1)
    const isLast = !onDay(day + 1)
    return (!isFirst || at >= zone.instant(day, start)) && (!isLast || at < zone.instant(day, end))
  }
}
