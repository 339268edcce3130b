import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endOf, mornings } from '../../console/alarms/ending.ts'

const at = (time: string) => new Date(`2031-04-05T${time}`).getTime()
const seconds = (time: string) => new Date(time).getTime() / 1000

test('before the morning its end is today, and tomorrow is offered as well', () => {
  assert.deepEqual(mornings(at('03:00:00')), ['today', 'tomorrow'])
  assert.deepEqual(mornings(at('07:59:59')), ['today', 'tomorrow'])
  assert.deepEqual(mornings(at('08:00:00')), ['tomorrow'])
  assert.equal(endOf('today', at('03:00:30')), seconds('2031-04-05T08:00:00'))
  assert.equal(endOf('tomorrow', at('03:00:30')), seconds('2031-04-06T08:00:00'))
  assert.equal(endOf('tomorrow', at('14:03:12.345')), seconds('2031-04-06T08:00:00'))
})

test('minutes count from now, to the minute', () => {
  assert.equal(endOf('60', at('14:03:12.345')), seconds('2031-04-05T15:03:00'))
  assert.equal(endOf('1440', at('14:03:12')), seconds('2031-04-06T14:03:00'))
  assert.equal(endOf('', at('14:03:12')), 0)
})
