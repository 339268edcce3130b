import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ageText, agoText, lastedText } from '../../console/core/time-text.ts'

test('how long something lasted is exact to the second below a minute', () => {
  assert.deepEqual([-1, 0, 7, 17, 59, 59.7, 60, 125, 7500].map(lastedText), [
    '0 s',
    '0 s',
    '7 s',
    '17 s',
    '59 s',
    '1 min',
    '1 min',
    '2 min',
    '2 h 5 min',
  ])
})

test('an age goes on: in steps of ten seconds below a minute', () => {
  assert.deepEqual([3, 17, 65].map(ageText), ['now', '10 s', '1 min'])
  assert.deepEqual([3, 17, 65].map(agoText), ['now', '10 s ago', '1 min ago'])
})
