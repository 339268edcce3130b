import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DeliveryWindow } from '../../src/push/delivery-window.ts'

const mebibyte = 1024 * 1024
const second = 1000

interface Write {
  readonly before: bigint
  readonly bytes: number
  readonly at: number
}

/** The rule as it is written: before all of the last seconds or the last bytes, whichever reaches further back. */
function plain(
  writes: readonly Write[],
  position: bigint,
  now: number,
  seconds: number,
  limit: number,
): bigint {
  let after = 0
  let safe = position
  for (const { before, bytes, at } of [...writes].reverse()) {
    if (now - at <= seconds * second || after < limit) safe = before
    after += bytes
  }
  return safe
}

test('nothing written, nothing to repeat', () => {
  assert.equal(new DeliveryWindow().confirmed(42n, 0), 42n)
})

test('the start lies before what the rule names, and by no more than a second or 64 KiB', () => {
  const write = fc.record({
    bytes: fc.oneof(fc.nat({ max: 3000 }), fc.nat({ max: 400_000 }), fc.nat({ max: 5 * mebibyte })),
    pause: fc.oneof(fc.constant(0), fc.nat({ max: 900 }), fc.nat({ max: 90 * second })),
    documents: fc.integer({ min: 1, max: 50 }),
    isLook: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(write, { maxLength: 60 }), (steps) => {
      const trail = new DeliveryWindow()
      const writes: Write[] = []
      let now = 0
      let cursor = 0n
      for (const { bytes, pause, documents, isLook } of steps) {
        now += pause
        trail.noteWrite(cursor, bytes, now)
        writes.push({ before: cursor, bytes, at: now })
        cursor += BigInt(documents)
        if (isLook) {
          const safe = trail.confirmed(cursor, now)
          assert(safe <= plain(writes, cursor, now, 60, 8 * mebibyte), 'all of it is repeated')
          assert(safe >= plain(writes, cursor, now, 61, 8 * mebibyte + 64 * 1024), 'not much more')
        }
      }
    }),
    { numRuns: 500 },
  )
})

test('long after, the last 8 MiB may still not have arrived', () => {
  const trail = new DeliveryWindow()
  trail.noteWrite(0n, 5 * mebibyte, 0)
  trail.noteWrite(10n, 5 * mebibyte, 2 * second)
  trail.noteWrite(20n, 5 * mebibyte, 4 * second)
  assert.equal(trail.confirmed(30n, 4 * second), 0n, 'within the minute')
  assert.equal(trail.confirmed(30n, 3600 * second), 10n, 'within the bytes')
})

test('of a fast stream the whole last minute may not have arrived', () => {
  const trail = new DeliveryWindow()
  for (let at = 0; at < 100; at += 1) trail.noteWrite(BigInt(at), mebibyte, at * second)
  assert.equal(trail.confirmed(100n, 99 * second), 39n)
})
