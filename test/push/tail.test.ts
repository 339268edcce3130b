// The newest entries in memory: as many as fit, never more.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LogEntry } from '../../src/alarms/log/alarm-log.ts'
import { RecentEntries, RecentEntry } from '../../src/push/feed.ts'

const entries = (from: number, to: number, length: number): RecentEntry[] =>
  numbered(from, to, length).map((entry) => new RecentEntry(entry))

const numbered = (from: number, to: number, length: number): LogEntry[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({
    number: BigInt(from + index),
    kind: 'raise',
    alarmId: 1n,
    xml: 'x'.repeat(length),
    cleared: [],
    attributes: [],
    earlierPushes: [],
    operatorXml: '',
  }))

const numbers = (tail: RecentEntries, cursor: bigint) =>
  tail.after(cursor, 10_000)?.map(({ entry }) => Number(entry.number))

test('it answers what follows a cursor, and nothing for one that lies before it', () => {
  const tail = new RecentEntries()
  assert.equal(numbers(tail, 0n), undefined)
  tail.add(entries(5, 9, 10))
  assert.deepEqual(numbers(tail, 6n), [7, 8, 9])
  assert.deepEqual(numbers(tail, 4n), [5, 6, 7, 8, 9])
  assert.equal(numbers(tail, 9n), undefined)
  assert.equal(numbers(tail, 3n), undefined)
})

test('it holds two thousand short entries', () => {
  const tail = new RecentEntries()
  for (let first = 1; first <= 3000; first += 500) tail.add(entries(first, first + 499, 10))
  assert.equal(numbers(tail, 999n), undefined)
  assert.equal(numbers(tail, 1000n)?.length, 2000)
})

test('of long entries it holds as many as fit into four million characters', () => {
  const tail = new RecentEntries()
  tail.add(entries(1, 1000, 10_000))
  assert.deepEqual(numbers(tail, 1000n - 419n)?.length, 419)
  assert.equal(numbers(tail, 1000n - 420n), undefined)
  tail.add(entries(1001, 1001, 5 * 1024 * 1024))
  assert.equal(numbers(tail, 1000n), undefined, 'one that is too long alone is read from the log')
  tail.add(entries(1002, 1003, 10))
  assert.deepEqual(numbers(tail, 1001n), [1002, 1003])
})
