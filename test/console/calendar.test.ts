// What the calendar shows: its days, windows and reports.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Schedule } from '../../console/reports/schedules.tsx'
import { daysAround, runsOf, spansOf } from '../../console/rules/calendar.ts'
import type { Window } from '../../console/rules/window.ts'

const berlin = 'Europe/Berlin'
const at = (text: string) => Date.parse(text)

test('days are whole weeks without a gap, in which the day is, whatever the zone does with its clock', () => {
  const zone = fc.constantFrom('UTC', berlin, 'America/New_York', 'Pacific/Apia', 'Asia/Kolkata')
  fc.assert(
    fc.property(
      zone,
      fc.constantFrom('week', 'month'),
      fc.integer({ min: 20_000, max: 23_000 }),
      (name, view, n) => {
        const days = daysAround(view as 'week', n * 86_400_000, name)
        assert.equal(days.length % 7, 0)
        assert.equal(new Date(days[0]?.wall ?? 0).getUTCDay(), 1)
        assert(days.some(({ wall, isShown }) => wall === n * 86_400_000 && isShown))
        for (const [index, { from }] of days.entries()) if (index > 0) assert.equal(from, days[index - 1]?.to)
      },
    ),
  )
})

const window = (given: Partial<Window>) =>
  ({ fromTime: '0', untilTime: '0', endedFrom: '0', endedUntil: '0', ...given }) as Window

test('a window is shown once, weekly over midnight, or until it was ended', () => {
  const within = { from: at('2031-04-01T00:00Z'), to: at('2031-04-15T00:00Z') }
  const now = at('2031-04-01T12:00Z')
  const once = window({
    ...{ exectimeType: '2', startDay: '2031-04-05', endDay: '2031-04-06' },
    ...{ startTime: '22:00', endTime: '02:00', selectedWeekDay: '' },
  })
  assert.deepEqual(spansOf(once, berlin, within, now), [
    { from: at('2031-04-05T20:00Z'), to: at('2031-04-06T00:00Z') },
  ])
  const weekly = window({ exectimeType: '1', startTime: '23:00', endTime: '01:00', selectedWeekDay: '6' })
  assert.deepEqual(
    spansOf(weekly, berlin, within, now).map(({ from }) => new Date(from).toISOString()),
    ['2031-04-05T21:00:00.000Z', '2031-04-12T21:00:00.000Z'],
  )
  const [from, until] = [at('2031-04-02T08:00Z') / 1000, at('2031-04-02T10:00Z') / 1000]
  const ended = {
    fromTime: `${from}`,
    untilTime: `${until}`,
    endedFrom: `${from + 60}`,
    endedUntil: `${until}`,
  }
  assert.deepEqual(spansOf(window(ended), berlin, within, now), [
    { from: from * 1000, to: (from + 60) * 1000 },
  ])
  assert.deepEqual(
    spansOf(window({ exectimeType: '1', selectedWeekDay: '6' }), berlin, { from: 0, to: 1 }, now),
    [],
  )
})

test('a report is shown when the service makes it, on the last day of a short month, too', () => {
  const within = { from: at('2031-02-01T00:00Z'), to: at('2031-03-02T00:00Z') }
  const schedule = (given: Partial<Schedule>) =>
    ({ enabled: 'true', time: '06:30', nextTime: '0', ...given }) as Schedule
  const runs = (given: Partial<Schedule>, now = within.from) =>
    runsOf(schedule(given), berlin, within, now).map((one) => new Date(one).toISOString().slice(0, 16))
  assert.deepEqual(runs({ every: 'monthly', monthDay: '31' }), ['2031-02-28T05:30'])
  assert.equal(runs({ every: 'daily' }).length, 29)
  assert.equal(runs({ every: 'weekly', weekDay: '1' })[0], '2031-02-03T05:30')
  assert.deepEqual(runs({ every: 'daily', enabled: 'false' }), [])
  assert.equal(
    runs({ every: 'daily', nextTime: String(at('2031-02-20T05:30Z') / 1000) })[0],
    '2031-02-20T05:30',
  )
})
