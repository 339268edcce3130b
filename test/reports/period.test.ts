// Local days in SQL, held against the calendar.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { dayIn, dayText } from '../../src/reports/report-period.ts'
import { ZoneTime } from '../../src/rules/zone-time.ts'
import { everyStore } from '../support.ts'

/** With changes of an hour, of half an hour, at midnight, without any, and a day that was left out. */
const timeZones = [
  ...['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Santiago'],
  ...['Asia/Kolkata', 'Africa/Casablanca', 'Pacific/Apia', 'UTC'],
]
const minute = 60_000
const first = Date.UTC(2008, 0, 1)

const cases = fc.record({
  timeZone: fc.constantFrom(...timeZones),
  begin: fc.integer({ min: 0, max: 18 * 366 * 24 * 60 }).map((n) => first + n * minute),
  minutes: fc.integer({ min: 1, max: 3650 * 24 * 60 }),
  parts: fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), {
    minLength: 1,
    maxLength: 20,
  }),
})

for (const { store, database } of await everyStore()) {
  test(`the local day of a moment is that of the calendar, whatever its clocks do, on ${store.name}`, () =>
    fc.assert(
      fc.asyncProperty(cases, async ({ timeZone, begin, minutes, parts }) => {
        const period = { begin, end: begin + minutes * minute }
        const { sql, values } = dayIn('t', period, new ZoneTime(timeZone))
        const calendar = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })
        for (const part of [0, ...parts]) {
          const at = begin + Math.floor(part * minutes * minute)
          const [row] = await database.all(
            `select ${sql} as day from (select cast(? as bigint) as t) as moment`,
            [...values, at],
          )
          assert.equal(dayText(Number(row?.day)), calendar.format(at), `${timeZone} ${at}`)
        }
      }),
      { numRuns: 60 },
    ))
}
