import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hourOf, hoursOf, stretchesOf } from '../../console/rules/week.ts'

const week = (weekdays: number[], startTime = '', endTime = '') =>
  stretchesOf({ weekdays, startTime, endTime })

test('times are read in every form that the service takes, and nothing else is a time', () => {
  assert.deepEqual(['7', '7:30', '07:30:00', ' 24:00 ', '0'].map(hourOf), [7, 7.5, 7.5, 24, 0])
  for (const text of ['', '25', '24:01', '7:3', 'noon', '-1', '7.5']) assert.equal(hourOf(text), undefined)
})

test('without limits a rule is in force all week', () => {
  assert.equal(hoursOf(week([])), 168)
  assert.equal(hoursOf(week([1, 2, 3])), 72)
})

test('a window over midnight belongs to the day it starts on, also from Saturday to Sunday', () => {
  assert.deepEqual(week([6], '20:00', '6:00'), [
    { day: 6, from: 20, to: 24 },
    { day: 0, from: 0, to: 6 },
  ])
  assert.deepEqual(week([1], '20:00', '0:00'), [{ day: 1, from: 20, to: 24 }])
  assert.equal(hoursOf(week([1, 2, 3, 4, 5], '20:00', '06:00')), 50)
})

test('hours that two periods share count once', () => {
  const stretches = [
    { day: 1, from: 8, to: 12 },
    { day: 1, from: 10, to: 14 },
    { day: 1, from: 11, to: 12 },
  ]
  assert.equal(hoursOf(stretches), 6)
})

test('a window has as many hours on each of its days, wherever midnight is', () => {
  const hour = fc.integer({ min: 0, max: 23 })
  fc.assert(
    fc.property(fc.subarray([0, 1, 2, 3, 4, 5, 6], { minLength: 1 }), hour, hour, (days, from, to) => {
      const length = from === to ? 24 : (to - from + 24) % 24
      assert.equal(hoursOf(week(days, `${from}:00`, `${to}:00`)), days.length * length)
    }),
  )
})
