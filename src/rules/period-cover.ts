// Whether one trap rule is in force whenever another is, from now on.

import type { TrapRule } from '../resources/trap-rule.ts'
import { type Day, readDay, readTime } from '../resources/validity.ts'
import { isAlways, periodOf, validityKey, weeklyType } from './period.ts'
import { dayNumber, type ZoneTime } from './zone-time.ts'

/** A year and a week: every weekday meets every kind of clock change. */
const recurrence = 373
const midnight = 24 * 3600

/**
 * Periods change only where a window, a day or the period itself begins or ends, so it is enough to look at these
 * moments. Between the dates that rules name, windows recur with the week and with the clock changes of a year.
 */
export function coversPeriod(one: TrapRule, other: TrapRule, zone: ZoneTime, now: number): boolean {
  const [wide, narrow] = [withCountingDays(one), withCountingDays(other)]
  if (isAlways(wide) || validityKey(wide) === validityKey(narrow)) return true
  // Days of the month meet weekdays and clock changes in too many ways to look at all of them.
  if (isMonthly(wide)) return false
  const inWide = periodOf(wide, zone)
  const inNarrow = periodOf(isMonthly(narrow) ? withoutDays(narrow) : narrow, zone)
  for (const at of turns([wide, narrow], zone, now)) if (inNarrow(at) && !inWide(at)) return false
  return true
}

const daysOf = ({ startDay, endDay }: TrapRule): Day[] =>
  [startDay, endDay].flatMap((text) => (text === null ? [] : [readDay(text)]))

const isMonthly = (rule: TrapRule) => daysOf(rule).some(({ kind }) => kind === 'monthly')

/** Of a weekly period the days of the calendar do not count. */
const withCountingDays = (rule: TrapRule) => (rule.exectimeType === weeklyType ? withoutDays(rule) : rule)

/** In force at least whenever the rule is. */
const withoutDays = (rule: TrapRule): TrapRule => ({ ...rule, startDay: null, endDay: null })

/** Every moment from now on at which one of the rules may begin or cease to be in force. */
function* turns(rules: readonly TrapRule[], zone: ZoneTime, now: number): Generator<number> {
  yield now
  const today = zone.local(now).day
  const dates = rules.flatMap(daysOf).flatMap((day) => (day.kind === 'date' ? [day] : []))
  const times = new Set([
    0,
    midnight,
    ...rules.flatMap(({ startTime, endTime }) =>
      [startTime, endTime].flatMap((time) => (time === null ? [] : [readTime(time)])),
    ),
    ...dates.flatMap(({ time }) => (time === undefined ? [] : [time])),
  ])
  const firsts = new Set([today, ...dates.map(({ year, month, day }) => dayNumber(year, month, day))])
  const seen = new Set<number>()
  for (const first of firsts) {
    // A window of the day before may still be open.
    for (let day = first - 1; day <= first + recurrence; day += 1) {
      if (day < today - 1 || seen.has(day)) continue
      seen.add(day)
      for (const time of times) {
        const at = zone.instant(day, time)
        if (at >= now) yield at
      }
    }
  }
}
