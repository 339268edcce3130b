// A window that is in force once, between two zones, and when windows are in force next.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { momentOf, wallClock } from '../../console/core/zone-time.ts'
import { nextSpans, onceFrom, onceLimits, spanOf, tonight } from '../../console/rules/once.ts'
import { unlimited } from '../../console/rules/validity.ts'

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Apia',
]
const minute = 60_000
const hour = 60 * minute

test('what is typed in one zone is the same moments in another, and is read back as it was typed', () => {
  const wall = fc.integer({ min: Date.UTC(2025, 0) / minute, max: Date.UTC(2032, 0) / minute })
  const zone = fc.constantFrom(...zones)
  fc.assert(
    fc.property(zone, zone, wall, fc.integer({ min: 1, max: 5000 }), (viewer, service, start, length) => {
      const text = (at: number) => new Date(at * minute).toISOString().slice(0, 16)
      const once = { from: text(start), to: text(start + length) }
      const span = spanOf(once, viewer)
      assert(span)
      const limits = onceLimits(once, viewer, service)
      const moment = (day: string, time: string) => momentOf(service, Date.parse(`${day}T${time}Z`))
      // A time that comes twice in the zone of the service means the first.
      const isTold = (at: number) => momentOf(service, wallClock(service, at)) === at
      if (!isTold(span.from) || !isTold(span.to)) return
      assert.equal(moment(limits.startDay, limits.startTime), span.from)
      assert.equal(moment(limits.endDay, limits.endTime), span.to)
      const again = onceFrom(limits, service, viewer)
      assert.deepEqual(again && spanOf(again, viewer), span)
    }),
  )
})

test('a clock that skips a time goes forward, and one that shows it twice means the first', () => {
  const at = (wall: string) => new Date(momentOf('Europe/Berlin', Date.parse(`${wall}Z`))).toISOString()
  assert.equal(at('2026-03-29T02:30'), '2026-03-29T01:30:00.000Z')
  assert.equal(at('2026-10-25T02:30'), '2026-10-25T00:30:00.000Z')
  assert.equal(at('2026-07-01T12:00'), '2026-07-01T10:00:00.000Z')
})

test('tonight is from ten to two, and from ten on tomorrow', () => {
  const now = Date.parse('2026-05-05T12:00Z')
  assert.deepEqual(tonight(now, 'UTC'), { from: '2026-05-05T22:00', to: '2026-05-06T02:00' })
  assert.deepEqual(tonight(now + 10 * hour, 'UTC'), { from: '2026-05-06T22:00', to: '2026-05-07T02:00' })
})

test('the next times of days and hours: two nights from one day to the next, over midnight, until they are over', () => {
  const nights = { ...unlimited, startTime: '22:00', endTime: '2:00' }
  const between = { ...nights, startDay: '2026-05-05', endDay: '2026-05-06' }
  const now = Date.parse('2026-05-05T12:00Z')
  const at = (limits: typeof unlimited, from = now) =>
    nextSpans(limits, 'UTC', from, 3)?.map((span) => new Date(span.from).toISOString().slice(0, 16))
  assert.deepEqual(at(between), ['2026-05-05T22:00', '2026-05-06T22:00'])
  assert.deepEqual(at(between, Date.parse('2026-05-07T01:00Z')), ['2026-05-06T22:00'])
  assert.deepEqual(at(between, Date.parse('2026-05-07T02:00Z')), [])
  assert.deepEqual(at({ ...nights, weekdays: [0] }), [
    '2026-05-10T22:00',
    '2026-05-17T22:00',
    '2026-05-24T22:00',
  ])
  assert.equal(at({ ...nights, startDay: '31' }), undefined, 'a day of each month is not a date')
  assert.equal(at({ ...nights, startTime: 'late' }), undefined)
})
