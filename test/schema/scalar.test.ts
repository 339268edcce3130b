import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Fault } from '../../src/fault.ts'
import {
  bool,
  coded,
  int,
  ip,
  ipFromKey,
  ipKey,
  keyNumber,
  long,
  mac,
  nextKey,
  oid,
  type Scalar,
  text,
} from '../../src/schema/scalar.ts'

function refused(scalar: Scalar<unknown>, value: string): void {
  assert.throws(
    () => scalar.read(value),
    (error) => error instanceof Fault && error.code === 'invalid' && error.message.includes(scalar.accepted),
    `${JSON.stringify(value)} is accepted, or refused without saying what is`,
  )
}

test('a long keeps all of its 64 bits and refuses the first number beyond them', () => {
  for (const edge of ['9223372036854775807', '-9223372036854775808', '0', '9007199254740993']) {
    assert.equal(long.write(long.read(edge)), edge)
  }
  assert.equal(long.read('+7'), 7n)
  assert.equal(long.read('-0'), 0n)
  assert.equal(long.read('007'), 7n)
  for (const bad of [
    '9223372036854775808',
    '-9223372036854775809',
    '1.0',
    '1e3',
    '0x10',
    '1_000',
    '٣',
    '--1',
    '1 2',
  ])
    refused(long, bad)
  refused(long, '9'.repeat(100_000))
  fc.assert(
    fc.property(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), (value) => long.read(long.write(value)) === value),
  )
})

test('an int holds 32 bits, or its own range', () => {
  assert.equal(int().read('2147483647'), 2147483647)
  assert.equal(int().read('-2147483648'), -2147483648)
  for (const bad of ['2147483648', '-2147483649', '1.5', '1e3', 'NaN', 'Infinity', '0x1']) refused(int(), bad)
  assert.equal(int({ min: 1 }).read('1'), 1)
  refused(int({ min: 1 }), '0')
  refused(int({ min: 0, max: 100 }), '101')
  // Minus zero would compare as different from the zero that the store gives back.
  assert(Object.is(int().read('-0'), 0))
})

test('a coded number is one of its values, and says what they mean', () => {
  const group = coded({ '-1': 'by event', 0: 'up and down', 1: 'own' })
  assert.equal(group.accepted, 'one of -1 (by event), 0 (up and down), 1 (own)')
  assert.equal(group.read('-1'), -1)
  assert(Object.is(group.read('-0'), 0))
  for (const bad of ['2', '-2', '', '0.0', 'by event']) refused(group, bad)
})

test('a boolean ignores letter case and knows no other words', () => {
  assert.equal(bool.read('TRUE'), true)
  assert.equal(bool.read('False'), false)
  for (const bad of ['1', '0', 'yes', 'on', 'truе']) refused(bool, bad)
})

test('text keeps what it is given, and refuses what XML or PostgreSQL could not keep', () => {
  const short = text({ maxLength: 3 })
  assert.equal(short.read('😀😀😀'), '😀😀😀', 'counted by character, not by UTF-16 unit')
  refused(short, 'abcd')
  refused(short, '😀😀😀😀')
  for (const bad of ['\u0000', '\u0001', '\u001f', '\ufffe', '\uffff', '\ud800', 'a\udc00b'])
    refused(text(), bad)
  for (const good of ['\t\r\n', '\u0085\u2028', '\ufffd', '\u{10ffff}', "'; drop table zone; --", '<&>"']) {
    assert.equal(text().read(good), good)
  }
})

test('a MAC address has six pairs and one spelling', () => {
  assert.equal(mac.read('00:1B:44:11:3A:B7'), '00:1b:44:11:3a:b7')
  for (const bad of [
    '00-1b-44-11-3a-b7',
    '001b.4411.3ab7',
    '00:1b:44:11:3a',
    '00:1b:44:11:3a:b7:00',
    '0:1b:44:11:3a:b7',
    '00:1b:44:11:3a:bg',
    '00:1b:44:11:3a:b7\n',
  ])
    refused(mac, bad)
})

test('an object identifier loses its leading dot', () => {
  assert.equal(oid.read('.1.3.6.1'), '1.3.6.1')
  assert.equal(oid.read('1.3.6.1.6.3.1.1.5.3'), '1.3.6.1.6.3.1.1.5.3')
  for (const bad of ['1..3', '1.3.', '..1', '.', 'iso.org', '1.3.6.1.*', '1.-3']) refused(oid, bad)
})

const v4 = fc.ipV4()
const v6 = fc
  .array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff })), { minLength: 8, maxLength: 8 })
  .map((groups) => groups.map((group) => group.toString(16)).join(':'))

test('an address has one spelling, that of RFC 5952', () => {
  const spellings: Record<string, string> = {
    '10.0.0.7': '10.0.0.7',
    '2001:DB8:0:0:0:0:0:7': '2001:db8::7',
    '2001:0db8::0007': '2001:db8::7',
    '2001:db8:0:1:1:1:1:1': '2001:db8:0:1:1:1:1:1',
    '2001:0:0:1:0:0:0:1': '2001:0:0:1::1',
    '::': '::',
    '::ffff:10.0.0.7': '10.0.0.7',
    '::FFFF:a00:7': '10.0.0.7',
    '::1.2.3.4': '::102:304',
  }
  for (const [given, canonical] of Object.entries(spellings)) assert.equal(ip.read(given), canonical)
  for (const bad of [
    '10.0.0',
    '10.0.0.256',
    '010.0.0.1',
    '0x0a.0.0.1',
    '167772167',
    '10.0.0.7/24',
    '10.0.0.7.',
    'fe80::1%eth0',
    '1::2::3',
    '12345::',
    '[::1]',
    '::ffff:010.0.0.1',
    '::ffff:0x0a.0.0.1',
    '١٠.٠.٠.١',
  ])
    refused(ip, bad)
})

test('the spelling of an IPv6 address is that of an independent writer', () => {
  fc.assert(
    fc.property(v6, (given) => {
      const independent = new URL(`http://[${given}]/`).hostname.slice(1, -1)
      const ours = ip.read(given)
      if (!ours.includes('.')) assert.equal(ours, independent)
      assert.equal(ip.read(ours), ours)
    }),
  )
})

const toNumber = (address: string): bigint =>
  address.includes('.')
    ? address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n)
    : keyNumber(ipKey(address))

test('keys of addresses sort as the addresses count, IPv4 before IPv6, and lead back', () => {
  fc.assert(
    fc.property(fc.oneof(v4, v6), fc.oneof(v4, v6), (a, b) => {
      const [first, second] = [ip.read(a), ip.read(b)]
      assert.equal(ipFromKey(ipKey(first)), first)
      assert.equal(ipKey(first).length, 33)
      const family = (address: string) => (address.includes(':') ? 6n : 4n)
      const order = (address: string) => family(address) * 2n ** 128n + toNumber(address)
      assert.equal(ipKey(first) < ipKey(second), order(first) < order(second))
    }),
  )
})

test('the next key is that of the next address, and behind the last one there is none', () => {
  assert.equal(ipFromKey(nextKey(ipKey('10.0.0.255'))), '10.0.1.0')
  assert.equal(ipFromKey(nextKey(ipKey('2001:db8::ffff'))), '2001:db8::1:0')
  const beyond = nextKey(ipKey('ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'))
  assert(beyond > ipKey('ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'))
  // The last IPv4 address is followed by none: a key that leads into nothing, not into IPv6.
  const afterLast = nextKey(ipKey('255.255.255.255'))
  assert(afterLast > ipKey('255.255.255.255') && afterLast < ipKey('::'))
})
