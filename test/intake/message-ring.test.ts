// The last messages are kept within a number of bytes, those of quiet devices for longest.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MessageRing, messageEffects, type RingQuery } from '../../src/intake/message-ring.ts'

const add = (ring: MessageRing, deviceIp: string, text: string, receivedAt = 0) =>
  ring.add({ deviceIp, receivedAt, does: 'unknown', bytes: Buffer.from(text) })

/** All pages, one after the other. */
function textsOf(ring: MessageRing, query: Partial<RingQuery> = {}): string[] {
  const texts: string[] = []
  for (let before: number | undefined; ; ) {
    const page = ring.read({ count: 7, bytes: 10_000, before, ...query })
    texts.push(...page.messages.map(({ bytes }) => bytes.toString()))
    assert(page.next === undefined || before === undefined || page.next < before, 'reading goes on')
    before = page.next
    if (before === undefined) return texts
  }
}

test('messages come back newest first, of one device or of all, as they were', () => {
  const ring = new MessageRing(1_000_000)
  for (const [index, does] of messageEffects.entries())
    ring.add({ deviceIp: `10.0.0.${index % 2}`, receivedAt: index + 0.5, does, bytes: Buffer.from([index]) })
  const { messages, next } = ring.read({ count: 10, bytes: 1000 })
  assert.equal(next, undefined)
  assert.deepEqual(
    messages.map(({ number, deviceIp, receivedAt, does, bytes }) => [
      number,
      deviceIp,
      receivedAt,
      does,
      bytes[0],
    ]),
    messageEffects.map((does, n) => [n + 1, `10.0.0.${n % 2}`, n + 0.5, does, n]).reverse(),
  )
  assert.deepEqual(
    ring.read({ count: 10, bytes: 1000, deviceIps: ['10.0.0.1'] }).messages.map(({ does }) => does),
    ['clear', 'event'].reverse().map((_, n) => messageEffects[3 - 2 * n]),
  )
  assert.deepEqual(textsOf(ring, { deviceIps: ['10.9.9.9'] }), [])
})

test('a device that floods loses its own oldest messages, not those of others', () => {
  const ring = new MessageRing(300_000)
  add(ring, '10.0.0.1', 'the only one')
  for (let n = 0; n < 20_000; n += 1) add(ring, '10.0.0.2', `flood ${n}`)
  assert(ring.size <= 300_000)
  assert.deepEqual(textsOf(ring, { deviceIps: ['10.0.0.1'] }), ['the only one'])
  const flood = textsOf(ring, { deviceIps: ['10.0.0.2'], count: 1000 })
  assert(flood.length > 5000)
  assert.deepEqual(
    flood,
    Array.from({ length: flood.length }, (_, n) => `flood ${19_999 - n}`),
  )
})

test('invented devices push out the oldest, and nothing else is lost before', () => {
  const ring = new MessageRing(10_000_000, 16)
  for (let n = 0; n < 1000; n += 1) add(ring, `10.0.${n >> 8}.${n & 255}`, `from ${n}`)
  const texts = textsOf(ring)
  assert(texts.length >= 14 && texts.length <= 16, `${texts.length} are kept`)
  assert.deepEqual(
    texts,
    Array.from({ length: texts.length }, (_, n) => `from ${999 - n}`),
  )
})

test('nothing is kept with a limit of 0', () => {
  const ring = new MessageRing(0)
  add(ring, '10.0.0.1', 'gone')
  assert.deepEqual(textsOf(ring), [])
})

test('whatever is said by whom, memory has its limit, and what is kept is the newest of each device', () => {
  const said = fc.record({
    device: fc.integer({ min: 0, max: 5 }),
    length: fc.integer({ min: 8, max: 3000 }),
  })
  fc.assert(
    fc.property(fc.array(said, { maxLength: 400 }), (all) => {
      const ring = new MessageRing(100_000, 4)
      const byDevice = new Map<string, string[]>()
      for (const [n, { device, length }] of all.entries()) {
        const [ip, text] = [`10.0.0.${device}`, String(n).padEnd(length, '.')]
        add(ring, ip, text)
        byDevice.set(ip, [text, ...(byDevice.get(ip) ?? [])])
        assert(ring.size <= 100_000)
      }
      for (const [ip, texts] of byDevice) {
        const kept = textsOf(ring, { deviceIps: [ip] })
        assert.deepEqual(kept, texts.slice(0, kept.length))
      }
      const newest = String(all.length - 1)
      assert.equal(textsOf(ring)[0]?.replace(/\.+$/, ''), all.length > 0 ? newest : undefined)
    }),
    { numRuns: 60 },
  )
})
