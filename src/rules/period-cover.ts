// Whether one trap rule is in force whenever another is, from now on.

import { spanType, type Validity } from '../resources/alarms/validity.ts'
import { datesOf, isAlways, isMonthly, periodOf, turningTimes, validityKey } from './validity-period.ts'
import type { ZoneTime } from './zone-time.ts'

/** A year and a week: every weekday coincides with every kind of clock change. */
const recurrence = 373

/**
 * Periods change only where a window, a day or the period itself begins or ends, so it is enough to check these
 * moments. Between the dates that rules name, windows recur with the week and with the clock changes of a year.
 */
export function coversPeriod(wide: Validity, narrow: Validity, zone: ZoneTime, now: number): boolean {
  if (isAlways(wide) || validityKey(wide) === validityKey(narrow)) return true
  // Days of the month coincide with weekdays and clock changes in too many ways to check all of them.
  if (isMonthly(wide)) return false
  const inWide = periodOf(wide, zone)
  const inNarrow = periodOf(isMonthly(narrow) ? withoutDays(narrow) : narrow, zone)
  for (const at of turns([wide, narrow], zone, now)) if (inNarrow(at) && !inWide(at)) return false
  return true
}

/** In force at least whenever the rule is: in a span, the times go with the days. */
const withoutDays = (rule: Validity): Validity => ({
  ...rule,
  startDay: null,
  endDay: null,
  ...(rule.exectimeType === spanType && { startTime: null, endTime: null }),
})

/** Every moment from now on at which one of the rules may begin or cease to be in force. */
function* turns(rules: readonly Validity[], zone: ZoneTime, now: number): Generator<number> {
  yield now
  const today = zone.local(now).day
  const times = new Set(rules.flatMap(turningTimes))
  const firsts = new Set([today, ...rules.flatMap(datesOf)])
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
