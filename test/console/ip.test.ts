import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addressOf, addressText, cellsOf } from '../../console/inventory/ip.ts'

test('addresses are numbers of their family', () => {
  assert.deepEqual(addressOf('10.0.1.2'), { family: 4, value: 0x0a000102n })
  assert.deepEqual(addressOf('::1'), { family: 6, value: 1n })
  assert.deepEqual(addressOf('2001:db8::'), { family: 6, value: 0x20010db8n << 96n })
  assert.deepEqual(addressOf('::ffff:192.0.2.1'), { family: 6, value: 0xffffc0000201n })
})

test('IPv6 is written as RFC 5952 wants it', () => {
  const written = (text: string) => addressText(addressOf(text))
  assert.equal(written('2001:0db8:0:0:0:0:0:1'), '2001:db8::1')
  assert.equal(written('2001:db8:0:1:1:1:1:1'), '2001:db8:0:1:1:1:1:1')
  assert.equal(written('2001:0:0:1:0:0:0:1'), '2001:0:0:1::1')
  assert.equal(written('0:0:0:0:0:0:0:0'), '::')
})

test('what is written is read as the same address', () => {
  for (const [family, bits] of [
    [4, 32n],
    [6, 128n],
  ] as const) {
    fc.assert(
      fc.property(fc.bigInt(0n, (1n << bits) - 1n), (value) => {
        assert.deepEqual(addressOf(addressText({ family, value })), { family, value })
      }),
    )
  }
})

test('a small segment has a cell for each address', () => {
  const cells = cellsOf({ start: 10n, end: 13n }, [11n, 13n], [{ start: 12n, end: 13n }], 256)
  assert.deepEqual(
    cells.map(({ first, last, taken, inChild }) => [first, last, taken, inChild]),
    [
      [10n, 10n, 0, false],
      [11n, 11n, 1, false],
      [12n, 12n, 0, true],
      [13n, 13n, 1, true],
    ],
  )
})

test('cells cover a segment of any size without gap, and lose no address', () => {
  const segment = fc.tuple(
    fc.bigInt(0n, 1n << 128n),
    fc.bigInt(1n, 1n << 64n),
    fc.integer({ min: 1, max: 300 }),
  )
  fc.assert(
    fc.property(segment, fc.array(fc.bigInt(0n, 1n << 64n)), ([start, size, most], offsets) => {
      const end = start + size - 1n
      const taken = offsets.map((offset) => start + (offset % size))
      const cells = cellsOf({ start, end }, taken, [], most)
      assert(cells.length <= most)
      assert.equal(cells[0]?.first, start)
      assert.equal(cells.at(-1)?.last, end)
      for (const [index, { first }] of cells.entries())
        if (index > 0) assert.equal(first, (cells[index - 1]?.last ?? 0n) + 1n)
      assert.equal(
        cells.reduce((sum, cell) => sum + cell.taken, 0),
        taken.length,
      )
    }),
  )
})
