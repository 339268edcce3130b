// The period of a report and its days, also across clock changes.

import { Fault, shown } from '../fault.ts'
import { dayNumber, monthOf, weekdayOf, type ZoneTime } from '../rules/zone-time.ts'
import type { Scalar } from '../schema/scalar.ts'
import { text } from '../schema/scalar.ts'

/** From the first moment up to, not including, the second; milliseconds. */
export interface Period {
  readonly begin: number
  readonly end: number
}

const dayMilliseconds = 24 * 3600 * 1000
export const dayText = (day: number): string => new Date(day * dayMilliseconds).toISOString().slice(0, 10)

/** The days that a period touches, by their numbers. */
export function daysOf({ begin, end }: Period, zone: ZoneTime): number[] {
  const first = zone.local(begin).day
  const last = zone.local(Math.max(begin, end - 1)).day
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

/** Days between two changes of clocks, or the single day of a change, which is longer or shorter than others. */
interface DayRun {
  readonly first: number
  readonly begin: number
  readonly isEven: boolean
}

const week = 7

/** Clocks do not change there and back within a week: checking once a week finds every change. */
function* dayRuns(period: Period, zone: ZoneTime): Generator<DayRun> {
  const behind = zone.local(period.end - 1).day + 1
  const shift = (day: number) => zone.instant(day, 0) - day * dayMilliseconds
  const runAt = (first: number, isEven: boolean) => ({ first, begin: zone.instant(first, 0), isEven })
  for (let day = zone.local(period.begin).day; day < behind; ) {
    const before = shift(day)
    let next = day
    while (next + week <= behind && shift(next + week) === before) next += week
    while (next <= behind && shift(next) === before) next += 1
    if (next - 1 > day || next > behind) yield runAt(day, true)
    if (next <= behind) yield runAt(next - 1, false)
    day = next
  }
}

/**
 * The number of the local day of a moment in the period, as an SQL expression: no store knows the time zone. Between
 * two clock changes days have equal length; days with a change are handled one by one.
 */
export function dayIn(column: string, period: Period, zone: ZoneTime): { sql: string; values: number[] } {
  const parts: string[] = []
  const values: number[] = []
  for (const { first, begin, isEven } of [...dayRuns(period, zone)].reverse()) {
    const more = isEven ? ` + (${column} - cast(? as bigint)) / ${dayMilliseconds}` : ''
    parts.push(`when ${column} >= cast(? as bigint) then cast(? as bigint)${more}`)
    values.push(begin, first, ...(isEven ? [begin] : []))
  }
  return { sql: `case ${parts.join(' ')} end`, values }
}

/** The last whole day, week (from Monday) or month before a moment. */
export const spans = ['day', 'week', 'month'] as const
export type Span = (typeof spans)[number]

export function lastWhole(span: Span, zone: ZoneTime, now: number): Period {
  const today = zone.local(now).day
  const [first, last] = wholeDays(span, today)
  return { begin: zone.instant(first, 0), end: zone.instant(last, 0) }
}

function wholeDays(span: Span, today: number): [number, number] {
  if (span === 'day') return [today - 1, today]
  if (span === 'week') {
    const monday = today - ((weekdayOf(today) + 6) % 7)
    return [monday - 7, monday]
  }
  const first = today - monthOf(today).dayOfMonth + 1
  return [first - monthOf(first - 1).lastOfMonth, first]
}

const dateTime = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2}))?)?$/
const seconds = /^\d{1,12}$/
const latest = 253_402_300_799

/** A moment as people or programs write it; local times become moments once the time zone is known. */
export const momentText: Scalar<string> = {
  ...text({ maxLength: 30 }),
  accepted: 'seconds since 1970, or a local day or time as yyyy-MM-dd or yyyy-MM-dd HH:mm:ss',
  read(value) {
    if (seconds.test(value) && Number(value) <= latest) return value
    if (isDateTime(value)) return value
    throw new Fault('invalid', `${shown(value)} is not accepted: expected ${momentText.accepted}`)
  },
}

function isDateTime(value: string): boolean {
  const [, year, month, day, hour = '0', minute = '0', second = '0'] = dateTime.exec(value) ?? []
  if (year === undefined || Number(year) < 1970) return false
  const at = new Date(`${year}-${month}-${day}T00:00:00Z`)
  const exists = !Number.isNaN(at.getTime()) && at.toISOString().startsWith(`${year}-${month}-${day}`)
  return exists && Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60
}

/** Of what `momentText` has read. */
export function momentOf(value: string, zone: ZoneTime): number {
  if (seconds.test(value)) return Number(value) * 1000
  const [, year, month, day, hour = 0, minute = 0, second = 0] = dateTime.exec(value) ?? []
  const number = dayNumber(Number(year), Number(month), Number(day))
  return zone.instant(number, Number(hour) * 3600 + Number(minute) * 60 + Number(second))
}

/** Intervals that neither overlap nor touch, in order. */
export type Intervals = readonly Period[]

/** What any of them covers. */
export function union(periods: readonly Period[]): Intervals {
  const merged: { begin: number; end: number }[] = []
  for (const { begin, end } of periods.toSorted((a, b) => a.begin - b.begin)) {
    if (end <= begin) continue
    const last = merged.at(-1)
    if (last && begin <= last.end) last.end = Math.max(last.end, end)
    else merged.push({ begin, end })
  }
  return merged
}

/** What both cover. */
export function intersection(one: Intervals, other: Intervals): Intervals {
  const found: Period[] = []
  for (let a = 0, b = 0; ; ) {
    const [first, second] = [one[a], other[b]]
    if (!first || !second) return found
    const [begin, end] = [Math.max(first.begin, second.begin), Math.min(first.end, second.end)]
    if (begin < end) found.push({ begin, end })
    if (first.end < second.end) a += 1
    else b += 1
  }
}

export const lengthOf = (stretches: Intervals) =>
  stretches.reduce((sum, { begin, end }) => sum + end - begin, 0)
