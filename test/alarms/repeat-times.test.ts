// When an alarm was reported again, as its history shows it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addRepeats, repeatTimesOf } from '../../src/alarms/history/alarm-history.ts'

const minute = 60_000
const trailOf = (times: readonly number[]) => times.reduce((trail, at) => addRepeats(trail, at, 1), '[]')

test('no repeat is shown before the first report or behind the last', () => {
  const faultTime = 10 * minute + 23_000
  const lastTime = 12 * minute + 41_000
  const repeatTrail = trailOf([10 * minute + 30_000, 10 * minute + 31_000, 11 * minute, lastTime])
  assert.deepEqual(repeatTimesOf({ repeatTrail, faultTime, lastTime }), [
    { from: faultTime, until: 11 * minute, times: 2 },
    { from: 11 * minute, until: 12 * minute, times: 1 },
    { from: 12 * minute, until: lastTime, times: 1 },
  ])
})

test('whatever the clock did, an interval ends at its beginning or later, and none is lost', () => {
  const moment = fc.integer({ min: 0, max: 90 * minute })
  fc.assert(
    fc.property(fc.array(moment, { maxLength: 200 }), moment, moment, (times, faultTime, lastTime) => {
      const spans = repeatTimesOf({ repeatTrail: trailOf(times), faultTime, lastTime })
      for (const { from, until } of spans) assert.ok(from <= until)
      assert.equal(
        spans.reduce((sum, span) => sum + span.times, 0),
        times.length,
      )
    }),
  )
})
