import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clockDifference } from '../../console/messages/device-clock.ts'

const at = Date.UTC(2026, 4, 1, 10, 20, 30) / 1000
/** Two hours ahead, as in Berlin in summer. */
const difference = (text: string, receivedAt = at) => {
  const found = clockDifference(text, receivedAt, () => 120)
  return found && `${found.seconds} ${found.zone}`
}

for (const [text, expected] of [
  ['2026-05-01T10:20:33.123Z', '3 named'],
  ['2026-05-01T12:20:30+02:00', '0 named'],
  ['2026-05-01T05:50:00.5-0430', '-30 named'],
  ['2026-5-1 12:20:30', '0 local'],
  ['May  1 10:20:33', '3 utc'],
  ['May  1 12:20:27', '-3 local'],
  ['May 01 2026 10:19:30', '-60 utc'],
  ['May  1 10:20:30:123 2026', '0 utc'],
  ['Fri May  1 10:20:31', '1 utc'],
  ['Mar  1 1993 18:46:11.123', `${Date.UTC(1993, 2, 1, 18, 46, 11) / 1000 - at} utc`],
  ['2026 May  1 12:20:30 CEST', '0 named'],
  ['May  1 10:20:30.103 UTC', '0 named'],
  ['May  1 06:20:30 EDT', '0 named'],
  ['05/01/2026 10:20:30.82', '0 utc'],
  ['01.05.2026 12:20:30', '0 local'],
  ['2026/05/01 12:20:31', '1 local'],
  ['1777630830.5', '0 named'],
  ['3d12h', undefined],
  ['00:00:46', undefined],
  ['', undefined],
  ['x'.repeat(70_000), undefined],
] as const) {
  test(`the clock of a device, by ${text.slice(0, 40) || 'no text'}`, () =>
    assert.equal(difference(text), expected))
}

test('a time without a year is of the year next to ours', () => {
  const newYear = Date.UTC(2027, 0, 1, 0, 0, 10) / 1000
  assert.equal(difference('Dec 31 23:59:50', newYear), '-20 utc')
  assert.equal(difference('Jan  1 00:00:05', Date.UTC(2026, 11, 31, 23, 59, 55) / 1000), '10 utc')
})
