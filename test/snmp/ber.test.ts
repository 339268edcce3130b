import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { BerReader, BerWriter, MAX_DATAGRAM, Tag } from '../../src/snmp/ber.ts'
import { Malformed } from '../../src/snmp/malformed.ts'
import { oidContents, oidText } from '../../src/snmp/oid.ts'

const reader = (hex: string) => new BerReader(Buffer.from(hex.replaceAll(' ', ''), 'hex'))

function refuses(reason: string, read: () => unknown): void {
  assert.throws(read, (error) => {
    assert(error instanceof Malformed)
    assert.equal(error.reason, reason)
    return true
  })
}

const subIdentifier = fc.oneof(fc.nat(200), fc.nat(0xffff_ffff), fc.constant(0xffff_ffff))
const oid = fc
  .tuple(
    fc.oneof(fc.tuple(fc.nat(1), fc.nat(39)), fc.tuple(fc.constant(2), subIdentifier)),
    fc.array(subIdentifier, { maxLength: 126 }),
  )
  .map(([start, rest]) => [...start, ...rest].join('.'))

describe('lengths', () => {
  test('the short and the long form are read, padded or not', () => {
    assert.deepEqual([...reader('04 01 41').octets()], [0x41])
    assert.deepEqual([...reader('04 81 01 41').octets()], [0x41])
    assert.deepEqual([...reader('04 84 00 00 00 01 41').octets()], [0x41])
    assert.equal(reader(`04 8200c8 ${'41'.repeat(200)}`).octets().length, 200)
  })

  test('the indefinite form and lengths of more than four bytes are refused', () => {
    refuses('bad-length', () => reader('04 80 41 0000').octets())
    refuses('bad-length', () => reader('04 85 00 00 00 00 01 41').octets())
    refuses('bad-length', () => reader('04 ff 41').octets())
  })

  test('contents that are cut off are distinguished from contents that leave their container', () => {
    refuses('truncated', () => reader('04 05 41').octets())
    refuses('truncated', () => reader('04 84 ff ff ff ff 41').octets())
    refuses('truncated', () => reader('04').octets())
    refuses('truncated', () => reader('04 82 01').octets())
    refuses('truncated', () => reader('').octets())
    refuses('bad-length', () => {
      const inside = reader('30 03 04 02 41 42')
      inside.enter(Tag.sequence)
      inside.octets()
    })
  })

  test('a container that is not read to its end is noticed', () => {
    const inside = reader('30 06 02 01 05 02 01 06')
    const outer = inside.enter(Tag.sequence)
    assert.equal(inside.integer(), 5)
    refuses('trailing-bytes', () => inside.leave(outer))
    assert.equal(inside.integer(), 6)
    inside.leave(outer)
    assert.equal(inside.at, inside.end)
  })

  test('another tag than the expected one is refused', () => {
    refuses('bad-tag', () => reader('04 01 41').integer())
  })
})

describe('integers', () => {
  test('signed ones have 32 bits', () => {
    assert.equal(reader('02 01 00').integer(), 0)
    assert.equal(reader('02 01 ff').integer(), -1)
    assert.equal(reader('02 02 00 80').integer(), 128)
    assert.equal(reader('02 04 80 00 00 00').integer(), -2147483648)
    assert.equal(reader('02 04 7f ff ff ff').integer(), 2147483647)
    assert.equal(reader('02 04 00 00 00 05').integer(), 5)
    refuses('bad-integer', () => reader('02 00').integer())
    refuses('bad-integer', () => reader('02 05 00 ff ff ff ff').integer())
  })

  test('unsigned ones may come without the leading zero they should have', () => {
    assert.equal(reader('41 05 00 ff ff ff ff').unsigned(Tag.counter32), 4294967295)
    assert.equal(reader('41 04 ff ff ff ff').unsigned(Tag.counter32), 4294967295)
    assert.equal(reader('41 04 80 00 00 00').unsigned(Tag.counter32), 2147483648)
    refuses('bad-integer', () => reader('41 05 01 00 00 00 00').unsigned(Tag.counter32))
    refuses('bad-integer', () => reader('41 06 00 00 00 00 00 01').unsigned(Tag.counter32))
    refuses('bad-integer', () => reader('41 00').unsigned(Tag.counter32))
  })

  test('Counter64 keeps all its bits', () => {
    assert.equal(reader('46 09 00 ff ff ff ff ff ff ff ff').unsigned64(Tag.counter64), 18446744073709551615n)
    assert.equal(reader('46 08 ff ff ff ff ff ff ff fe').unsigned64(Tag.counter64), 18446744073709551614n)
    assert.equal(reader('46 08 7f ff ff ff ff ff ff ff').unsigned64(Tag.counter64), 9223372036854775807n)
    assert.equal(reader('46 01 00').unsigned64(Tag.counter64), 0n)
    refuses('bad-integer', () => reader('46 09 01 00 00 00 00 00 00 00 00').unsigned64(Tag.counter64))
    refuses('bad-integer', () => reader(`46 0a ${'00'.repeat(10)}`).unsigned64(Tag.counter64))
    refuses('bad-integer', () => reader('46 00').unsigned64(Tag.counter64))
  })

  test('whatever is written is read back, in as few bytes as X.690 asks for', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.nat(0xffff_ffff),
        fc.bigInt(0n, 0xffff_ffff_ffff_ffffn),
        (signed, unsigned, large) => {
          const writer = new BerWriter()
          writer.integer(signed)
          writer.unsigned(unsigned, Tag.gauge32)
          writer.unsigned64(large, Tag.counter64)
          const written = new BerReader(writer.bytes())
          assert.equal(written.integer(), signed)
          assert.equal(written.unsigned(Tag.gauge32), unsigned)
          assert.equal(written.unsigned64(Tag.counter64), large)
          assert.equal(written.at, written.end)
          const bits = large.toString(2).length
          const sizes = 4 + Math.floor(bits / 8) + 1
          assert(writer.bytes().length <= 6 + 7 + sizes)
        },
      ),
    )
  })

  test('integers are written minimally', () => {
    const hex = (value: number) => {
      const writer = new BerWriter()
      writer.integer(value)
      return writer.bytes().toString('hex')
    }
    assert.equal(hex(127), '02017f')
    assert.equal(hex(128), '02020080')
    assert.equal(hex(-128), '020180')
    assert.equal(hex(-129), '0202ff7f')
    assert.equal(hex(65_507), '020300ffe3')
    assert.equal(hex(-8_388_608), '0203800000')
    assert.equal(hex(8_388_608), '020400800000')
  })
})

describe('object identifiers', () => {
  test('the two first sub-identifiers share a number', () => {
    assert.equal(reader('06 03 2b 06 01').oid(), '1.3.6.1')
    assert.equal(reader('06 01 00').oid(), '0.0')
    assert.equal(reader('06 01 27').oid(), '0.39')
    assert.equal(reader('06 01 28').oid(), '1.0')
    assert.equal(reader('06 02 88 37').oid(), '2.999')
    assert.equal(reader('06 05 90 80 80 80 4f').oid(), '2.4294967295')
  })

  test('empty contents, which some agents send, are 0.0', () => {
    assert.equal(reader('06 00').oid(), '0.0')
  })

  test('sub-identifiers beyond 32 bits, padded or unfinished are refused', () => {
    assert.equal(reader('06 06 2b 8f ff ff ff 7f').oid(), '1.3.4294967295')
    refuses('bad-oid', () => reader('06 06 2b 90 80 80 80 00').oid())
    refuses('bad-oid', () => reader('06 05 90 80 80 80 50').oid())
    refuses('bad-oid', () => reader(`06 0c 2b ${'ff'.repeat(10)}7f`).oid())
    refuses('bad-oid', () => reader('06 03 2b 80 01').oid())
    refuses('bad-oid', () => reader('06 02 2b 86').oid())
  })

  test('128 sub-identifiers are the most', () => {
    const longest = oidContents(['1.3', ...new Array(126).fill(1)].join('.'))
    assert.equal(oidText(longest, 0, longest.length).split('.').length, 128)
    const longer = Buffer.concat([longest, Buffer.of(1)])
    refuses('bad-oid', () => oidText(longer, 0, longer.length))
  })

  test('text and contents convert into each other, also when asked again', () => {
    fc.assert(
      fc.property(oid, (text) => {
        const contents = oidContents(text)
        assert.equal(oidText(contents, 0, contents.length), text)
        assert.equal(oidText(contents, 0, contents.length), text)
      }),
      { numRuns: 2000 },
    )
  })

  test('text that is no OID is a fault of the caller', () => {
    for (const text of ['', '1', '3.1', '1.40', '1..3', '1.3.x', '1.3.-1', '1.3.4294967296', '1.3.6.']) {
      assert.throws(() => oidContents(text), { name: 'Fault', code: 'invalid' }, text)
    }
    assert.deepEqual(oidContents('.1.3.6.1'), oidContents('1.3.6.1'))
  })
})

describe('writing', () => {
  test('containers may be nested and grow as large as a datagram', () => {
    const writer = new BerWriter()
    const outer = writer.open(Tag.sequence)
    const inner = writer.open(Tag.sequence)
    const large = Buffer.alloc(60_000, 7)
    writer.octets(large)
    writer.close(inner)
    writer.integer(5)
    writer.close(outer)
    const written = new BerReader(writer.bytes())
    const outside = written.enter(Tag.sequence)
    const middle = written.enter(Tag.sequence)
    assert.deepEqual(written.octets(), large)
    written.leave(middle)
    assert.equal(written.integer(), 5)
    written.leave(outside)
  })

  test('contents of 127 bytes have a short length, those of 128 a long one: 80 would be the indefinite form', () => {
    for (const [size, head] of [
      [127, '047f'],
      [128, '04820080'],
    ] as const) {
      const writer = new BerWriter()
      writer.octets(Buffer.alloc(size))
      assert.equal(writer.bytes().toString('hex'), head + '00'.repeat(size))
    }
  })

  test('a message that fits into no datagram is a fault of the caller', () => {
    assert.throws(() => new BerWriter().octets(Buffer.alloc(MAX_DATAGRAM)), { code: 'too-large' })
  })
})
