// The validity of trap rules against a plain model: a strip of clock readings around a clock change, on which windows
// and spans are filled in one after the other.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type TrapRule, trapRule } from '../../src/resources/alarms/trap-rule.ts'
import { periodOf } from '../../src/rules/validity-period.ts'
import { ZoneTime } from '../../src/rules/zone-time.ts'
import { complete } from '../../src/schema/read-document.ts'
import { clockChanges, firstAt, type Strip, stripOf } from './wall-clock.ts'

/** Everything here begins and ends with a tenth minute. */
const step = 10 * 60_000
const perDay = 144

// --- the validity as it is drawn, before it is written in one of the forms
// ----------------------------------------------

type DrawnDay =
  | { readonly offset: number; readonly time: number | undefined; readonly form: number }
  | { readonly monthly: number }

interface Drawn {
  readonly type: number | null
  readonly startDay: DrawnDay | null
  readonly endDay: DrawnDay | null
  readonly startTime: { readonly steps: number; readonly form: number } | null
  readonly endTime: { readonly steps: number; readonly form: number } | null
  readonly weekdays: readonly number[] | null
}

const two = (n: number) => String(n).padStart(2, '0')

function writeTime({ steps, form }: { readonly steps: number; readonly form: number }): string {
  const [hour, minute] = [Math.floor(steps / 6), (steps % 6) * 10]
  if (minute === 0 && form === 0) return String(hour)
  return (
    [`${hour}:${two(minute)}`, `${two(hour)}:${two(minute)}`, `${two(hour)}:${two(minute)}:00`][form] ?? ''
  )
}

const dayOf = (change: string, offset: number) => Date.parse(`${change}T00:00Z`) / step / perDay + offset

function writeDay(change: string, day: DrawnDay | null): string | null {
  if (day === null) return null
  if ('monthly' in day) return String(day.monthly)
  const [year, month, date] = new Date(dayOf(change, day.offset) * perDay * step)
    .toISOString()
    .slice(0, 10)
    .split('-')
  const text = [`${year}-${month}-${date}`, `${year}/${month}/${date}`, `${year}${month}${date}`][day.form]
  return day.time === undefined ? `${text}` : `${text} ${writeTime({ steps: day.time, form: day.form })}`
}

function ruleOf(change: string, { type, startDay, endDay, startTime, endTime, weekdays }: Drawn): TrapRule {
  return complete(trapRule.fields, {
    exectimeType: type,
    startDay: writeDay(change, startDay),
    endDay: writeDay(change, endDay),
    startTime: startTime && writeTime(startTime),
    endTime: endTime && writeTime(endTime),
    selectedWeekDay: weekdays?.join(',') ?? null,
  }) as TrapRule
}

// --- the model
// ----------------------------------------------------------------------------------------------------------

const weekdayOf = (day: number) => new Date(day * perDay * step).getUTCDay()
const dayOfMonth = (day: number) => new Date(day * perDay * step).getUTCDate()
/** The last day of the month in which a day lies. */
function monthEnd(day: number): number {
  const date = new Date(day * perDay * step)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0) / step / perDay
}
const monthStart = (day: number) => day - dayOfMonth(day) + 1

/** True from one reading of the clock to another, and again for each pair. */
function filled(strip: Strip, spans: readonly (readonly [number, number])[]): boolean[] {
  const inside = strip.walls.map(() => false)
  for (const [from, until] of spans) {
    const [first, last] = [firstAt(strip, from), firstAt(strip, until)]
    if (last > first) inside.fill(true, first, last)
  }
  return inside
}

/** Days that the strip shows, and a month around it. */
const daysAround = ({ walls }: Strip) =>
  Array.from({ length: 75 }, (_, index) => Math.floor((walls[0] ?? 0) / perDay) - 32 + index)

/** The windows of the days that qualify. */
function windows(strip: Strip, start: number, end: number, qualifies: (day: number) => boolean): boolean[] {
  const [from, to] = start === end ? [0, perDay] : [start, end]
  return filled(
    strip,
    daysAround(strip)
      .filter(qualifies)
      .map((day) => [day * perDay + from, (to < from ? day + 1 : day) * perDay + to]),
  )
}

function daysQualify(change: string, { startDay, endDay, weekdays }: Drawn): (day: number) => boolean {
  return (day) => {
    const clamped = (monthly: number) => Math.min(monthly, dayOfMonth(monthEnd(day)))
    const from = startDay && 'monthly' in startDay ? dayOfMonth(day) >= clamped(startDay.monthly) : undefined
    const to = endDay && 'monthly' in endDay ? dayOfMonth(day) <= clamped(endDay.monthly) : undefined
    const wraps =
      startDay && endDay && 'monthly' in startDay && 'monthly' in endDay && endDay.monthly < startDay.monthly
    const inMonth = wraps ? from || to : (from ?? true) && (to ?? true)
    const first = startDay && 'offset' in startDay ? dayOf(change, startDay.offset) : -1e9
    const last = endDay && 'offset' in endDay ? dayOf(change, endDay.offset) : 1e9
    return day >= first && day <= last && inMonth === true && (weekdays?.includes(weekdayOf(day)) ?? true)
  }
}

const all = (parts: readonly boolean[][]) => (parts[0] ?? []).map((_, i) => parts.every((part) => part[i]))

/** Moments of days that have a time behind them. */
function fromTo(strip: Strip, change: string, start: DrawnDay | null, end: DrawnDay | null): boolean[] {
  const at = (day: DrawnDay | null, otherwise: number) =>
    day && 'offset' in day && day.time !== undefined
      ? dayOf(change, day.offset) * perDay + day.time
      : otherwise
  return filled(strip, [[at(start, -1e9), at(end, 1e9)]])
}

function monthSpans(strip: Strip, drawn: Drawn): boolean[] {
  const { startDay, endDay } = drawn
  const from = startDay && 'monthly' in startDay ? startDay.monthly : undefined
  const to = endDay && 'monthly' in endDay ? endDay.monthly : undefined
  if (from === undefined && to === undefined) return strip.walls.map(() => true)
  let [start, end] = [drawn.startTime?.steps ?? 0, drawn.endTime?.steps ?? perDay]
  if (from === to && start === end) [start, end] = [0, perDay]
  const months = [...new Set(daysAround(strip).map(monthStart))]
  const inMonth = (month: number, day: number) => Math.min(month + day - 1, monthEnd(month))
  return filled(
    strip,
    months.map((month) => {
      const wraps = from !== undefined && to !== undefined && to < from
      const last = wraps ? monthEnd(month) + 1 : month
      return [
        from === undefined ? month * perDay : inMonth(month, from) * perDay + start,
        to === undefined ? (monthEnd(month) + 1) * perDay : inMonth(last, to) * perDay + end,
      ] as const
    }),
  )
}

function model(strip: Strip, change: string, drawn: Drawn): boolean[] {
  const { type, startDay, endDay, weekdays } = drawn
  const startTime = drawn.startTime?.steps
  const endTime = drawn.endTime?.steps
  const behind = fromTo(strip, change, startDay, endDay)
  if (type !== 2 || (!startDay && !endDay)) {
    return all([behind, windows(strip, startTime ?? 0, endTime ?? perDay, daysQualify(change, drawn))])
  }
  const timed = (day: DrawnDay | null, time: number | undefined, other: number, narrower = Math.max) =>
    day && 'offset' in day
      ? {
          ...day,
          time: narrower(
            ...[day.time, time].filter((one) => one !== undefined),
            ...(time === undefined && day.time === undefined ? [other] : []),
          ),
        }
      : day
  let start = timed(startDay, startTime, 0)
  let end = timed(endDay, endTime, perDay, Math.min)
  if (
    start &&
    end &&
    'offset' in start &&
    'offset' in end &&
    start.offset === end.offset &&
    start.time === end.time
  ) {
    start = { ...start, time: 0 }
    end = { ...end, time: perDay }
  }
  return all([
    fromTo(strip, change, start, end),
    monthSpans(strip, drawn),
    strip.walls.map((wall) => weekdays?.includes(weekdayOf(Math.floor(wall / perDay))) ?? true),
    windows(
      strip,
      startDay === null ? (startTime ?? 0) : 0,
      endDay === null ? (endTime ?? perDay) : perDay,
      () => true,
    ),
  ])
}

// --- the comparison
// -----------------------------------------------------------------------------------------------------

const time = fc.record({
  steps: fc.oneof(fc.constantFrom(0, 6, 12, 15, 18, 24, 132, 141, perDay), fc.nat(perDay)),
  form: fc.nat(2),
})
const day: fc.Arbitrary<DrawnDay> = fc.oneof(
  fc.record({
    offset: fc.integer({ min: -3, max: 3 }),
    time: fc.option(fc.nat(perDay), { nil: undefined, freq: 2 }),
    form: fc.nat(2),
  }),
  fc.record({ monthly: fc.constantFrom(1, 2, 5, 7, 8, 24, 25, 26, 28, 29, 30, 31) }),
)
const drawn: fc.Arbitrary<Drawn> = fc.record({
  type: fc.constantFrom(null, 0, 1, 2, 2, 2, 7, -3),
  startDay: fc.option(day),
  endDay: fc.option(day),
  startTime: fc.option(time),
  endTime: fc.option(time),
  weekdays: fc.option(fc.uniqueArray(fc.nat(6), { minLength: 1 }), { freq: 2 }),
})

test('a rule is in force when the plain model says so, at every step around a clock change', () => {
  let [inside, outside] = [0, 0]
  fc.assert(
    fc.property(fc.constantFrom(...clockChanges), drawn, ([zone, change], validity) => {
      const strip = stripOf(zone, change, step)
      const expected = model(strip, change, validity)
      const rule = ruleOf(change, validity)
      const holds = periodOf(rule, new ZoneTime(zone))
      // The first days and the last are seen only in part.
      for (let index = 2 * perDay; index < strip.walls.length - 2 * perDay; index += 1) {
        const at = strip.from + index * step
        if (holds(at) !== expected[index]) {
          assert.fail(`${zone} ${new Date(at).toISOString()}: ${JSON.stringify(rule)}`)
        }
        if (expected[index]) inside += 1
        else outside += 1
      }
    }),
    { numRuns: 400 },
  )
  assert.ok(inside > 10_000 && outside > 10_000, `${inside} in force, ${outside} not`)
})

test('a second before and a second after each turn, the answer is the one of the step', () => {
  fc.assert(
    fc.property(fc.constantFrom(...clockChanges), drawn, ([zone, change], validity) => {
      const strip = stripOf(zone, change, step)
      const holds = periodOf(ruleOf(change, validity), new ZoneTime(zone))
      for (let index = 2 * perDay; index < strip.walls.length - 2 * perDay; index += 1) {
        const at = strip.from + index * step
        assert.equal(holds(at + 1000), holds(at), new Date(at).toISOString())
        assert.equal(holds(at + step - 1), holds(at), new Date(at).toISOString())
      }
    }),
    { numRuns: 60 },
  )
})
