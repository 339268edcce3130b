// Periods around the days on which clocks change, and counting record by record.

import fc from 'fast-check'
import type { ReportDocument } from '../../src/reports/report-document.ts'
import type { World } from './world.ts'

export const minute = 60_000
export const hour = 60 * minute
/** Clocks in Berlin go back on the 25th of October 2026 at 3:00, and forward on the 29th of March. */
const changes = [Date.UTC(2026, 9, 25, 1), Date.UTC(2026, 2, 29, 1)]
export const timeZone = 'Europe/Berlin'
export const localDay = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })
const seconds = (at: number) => String(at / 1000)

export interface Timed<T> {
  readonly begin: number
  readonly end: number
  readonly now: number
  readonly made: T
}

export const moment = (around: number) =>
  fc.integer({ min: -72 * 60, max: 72 * 60 }).map((n) => around + n * minute)

/** A period around a change of clocks, up to now or before it, and what is made for the same days. */
export const around = <T>(more: (change: number) => fc.Arbitrary<T>): fc.Arbitrary<Timed<T>> =>
  fc.constantFrom(...changes).chain((change) =>
    fc
      .record({
        begin: moment(change),
        length: fc.integer({ min: 1, max: 120 * 60 }),
        now: fc.constant(change + 80 * hour),
        made: more(change),
      })
      .map(({ begin, length, now, made }) => ({
        ...{ begin, now, made },
        end: Math.min(begin + length * minute, now),
      })),
  )

/** Holds a report against a check, for many cases; on SQLite for fewer, where each begins with a thread. */
export const hold = <T>(
  world: World,
  store: { readonly name: string },
  cases: (change: number) => fc.Arbitrary<T>,
  check: (world: World, given: Timed<T>) => Promise<void>,
  runs = { sqlite: 8, postgres: 20 },
): Promise<void> =>
  fc.assert(
    fc.asyncProperty(around(cases), (given) => check(world, given)),
    { numRuns: store.name === 'SQLite' ? runs.sqlite : runs.postgres, endOnFailure: true },
  )

export const run = (
  world: World,
  template: number,
  { begin, end, now }: Timed<unknown>,
  more: Readonly<Record<string, string>> = {},
): Promise<ReportDocument> =>
  world.run(template, { beginTime: seconds(begin), endTime: seconds(end), ...more }, now)

export const within = <T>(records: readonly T[], at: (one: T) => number, { begin, end }: Timed<unknown>) =>
  records.filter((one) => at(one) >= begin && at(one) < end)

export function tally<T>(
  records: readonly T[],
  key: (one: T) => string,
  weight: (one: T) => number = () => 1,
): Map<string, number> {
  const counts = new Map<string, number>()
  for (const one of records) counts.set(key(one), (counts.get(key(one)) ?? 0) + weight(one))
  return counts
}

export const sum = (numbers: readonly number[]) => numbers.reduce((all, n) => all + n, 0)

/** The same entries in whatever order. */
export const sorted = (map: ReadonlyMap<unknown, unknown>) => [...map].map(String).sort()

/** Most first, and in the order of their names where they are as many. */
export const ranked = (counts: ReadonlyMap<string, number>, nameOf = (key: string) => key) =>
  [...counts].sort(([a, n], [b, m]) => m - n || (nameOf(a) < nameOf(b) ? -1 : 1))
