import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { isInSegments, merged, type Segment, SegmentIndex } from '../../src/push/ip-segments.ts'
import { ipKey } from '../../src/schema/scalar.ts'

/** Few enough addresses that ranges meet, at both ends of the words that they are made of. */
const address = fc.oneof(
  fc.nat(40).map((last) => `10.0.0.${last}`),
  fc.constantFrom('0.0.0.0', '10.0.255.255', '10.1.0.0', '127.255.255.255', '128.0.0.0', '255.255.255.255'),
  fc.nat(20).map((last) => `2001:db8::${last.toString(16)}`),
  fc.constantFrom(
    '::',
    '2001:db8::ffff:ffff',
    '2001:db8::1:0:0',
    '2001:db8:0:1::',
    'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  ),
)
const segment = fc
  .tuple(address, address)
  .map(([one, other]) => [ipKey(one), ipKey(other)].sort() as [string, string])
  .filter(([first, last]) => first[0] === last[0])
  .map(([first, last]): Segment => ({ first, last }))

const isIn = (segments: readonly Segment[], key: string) =>
  segments.some(({ first, last }) => first <= key && key <= last)

suite('segments of one filter', () => {
  test('are merged where they overlap, touch or are equal, and hold the same addresses', () => {
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 30 }), fc.array(address), (segments, addresses) => {
        const one = merged(segments)
        assert(one.length <= segments.length)
        for (const [index, { first, last }] of one.entries()) {
          assert(first <= last)
          assert(index === 0 || (one[index - 1]?.last ?? '') < first)
        }
        for (const key of addresses.map(ipKey)) assert.equal(isInSegments(one, key), isIn(segments, key), key)
      }),
    )
  })

  test('a thousand equal ones, or neighbours, are one', () => {
    const range = (first: string, last: string) => ({ first: ipKey(first), last: ipKey(last) })
    const equal = Array.from({ length: 1000 }, () => range('10.0.0.1', '10.0.0.9'))
    assert.deepEqual(merged(equal), [range('10.0.0.1', '10.0.0.9')])
    const neighbours = Array.from({ length: 250 }, (_, last) => range(`10.0.0.${last}`, `10.0.0.${last}`))
    assert.deepEqual(merged(neighbours.toReversed()), [range('10.0.0.0', '10.0.0.249')])
    const [v4, v6] = [range('255.255.255.0', '255.255.255.255'), range('::', '::1')]
    assert.deepEqual(
      merged([v6, v4]),
      [v4, v6],
      'the last of the one kind does not touch the first of the other',
    )
  })
})

suite('segments of many filters', () => {
  test('an address finds those it lies in, whoever came and went', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(segment, { maxLength: 4 }), { maxLength: 40 }),
        fc.array(fc.nat(39), { maxLength: 40 }),
        fc.array(address, { minLength: 1 }),
        (owners, leaving, addresses) => {
          const index = new SegmentIndex()
          const present = new Map(owners.map((segments, slot) => [slot, merged(segments)]))
          for (const [slot, segments] of present) index.add(slot, segments)
          for (const slot of leaving) {
            index.delete(slot, present.get(slot) ?? [])
            present.delete(slot)
          }
          for (const key of addresses.map(ipKey)) {
            const bits = new Uint32Array(2)
            index.mark(key, bits)
            const found = owners
              .map((_, slot) => slot)
              .filter((slot) => (bits[slot >>> 5] ?? 0) & (1 << (slot % 32)))
            const expected = [...present].filter(([, segments]) => isIn(segments, key)).map(([slot]) => slot)
            assert.deepEqual(found, expected, key)
          }
        },
      ),
    )
  })
})
