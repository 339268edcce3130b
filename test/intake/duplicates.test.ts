// The same datagram again: when it is the same notification, and when that cannot be determined.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Duplicates, fingerprintOf } from '../../src/intake/duplicates.ts'
import type { Trap } from '../../src/snmp/decoder.ts'

const trap: Trap = {
  version: '2c',
  community: 'public',
  usm: undefined,
  inform: false,
  uptime: 4711,
  oid: '1.3.6.1.6.3.1.1.5.3',
  enterprise: undefined,
  agentAddress: undefined,
  variables: [],
}
const print = (text: string, receivedAt: number, from = {}, about = trap, inform?: { requestId: number }) =>
  fingerprintOf(
    { sourceIp: '10.0.0.1', port: 162, receivedAt, bytes: Buffer.from(text), ...from },
    about,
    inform,
    false,
  )

/** Returns whether it is taken for a copy of an earlier one. */
const asked =
  (seen: Duplicates, more = {}) =>
  (at: number, text: string, from = {}, requestId?: number) =>
    seen.see(print(text, at, from, { ...trap, ...more }, requestId === undefined ? undefined : { requestId }))
      ?.isAgain

test('it is the same within the window, counted from the first, and new after it', () => {
  const again = asked(new Duplicates(5000))
  assert.equal(again(1000, 'a'), false)
  assert.equal(again(4000, 'a'), true)
  assert.equal(again(5999, 'a'), true)
  assert.equal(again(5999, 'a', { sourceIp: '10.0.0.2' }), false, 'another sender')
  assert.equal(again(6000, 'a'), false)
  assert.equal(again(6001, 'a'), true)
  assert.equal(again(6001, 'b'), false, 'other bytes')
  assert.equal(again(6002, 'b', { port: 163 }), false, 'another program there')
  assert.equal(again(16_000, 'b', { port: 163 }), false)
})

test('a fault that looks like the one before its recovery is new', () => {
  const again = asked(new Duplicates(60_000))
  for (const [at, text] of ['down', 'up', 'down', 'up', 'down'].entries())
    assert.equal(again(at, text), false)
  assert.equal(again(5, 'down'), true)
  assert.equal(again(6, 'up', { port: 163 }), false)
  assert.equal(again(7, 'down'), false, 'from whatever port the recovery came')
  assert.equal(again(8, 'up', {}, 1), false)
  assert.equal(again(9, 'down'), false, 'or whether it was an inform')
})

test('a trap is not sent again by its sender: after some seconds it is new', () => {
  const again = asked(new Duplicates(60_000))
  assert.deepEqual(
    [0, 4999, 5000].map((at) => again(at, 'down')),
    [false, true, false],
  )
})

test('an inform is sent again after others, unless its sender gives all the same number', () => {
  const again = asked(new Duplicates(60_000))
  assert.equal(again(0, 'down', {}, 1), false)
  assert.equal(again(1, 'up', {}, 2), false)
  assert.equal(again(30_000, 'down', {}, 1), true)
  assert.equal(again(59_999, 'up', {}, 2), true)
  assert.equal(again(60_000, 'down', {}, 0), false)
  assert.equal(again(60_001, 'down', {}, 0), true)
  assert.equal(again(60_002, 'up', {}, 0), false)
  assert.equal(again(60_003, 'down', {}, 0), false)
})

test('a datagram that was refused does not make the next one a duplicate', () => {
  const seen = new Duplicates(5000)
  const first = seen.see(print('a', 0))?.first
  assert.ok(first)
  first.refused = true
  assert.equal(seen.see(print('a', 1))?.isAgain, false)
  assert.equal(seen.see(print('a', 2))?.isAgain, true)
})

test('it cannot be determined of a device that does not say how long it is up, and need not of version 3', () => {
  const seen = new Duplicates(5000)
  const usm = { user: 'ops', engineId: '80', contextEngineId: '80', contextName: '' }
  for (const other of [
    { ...trap, uptime: 0 },
    { ...trap, uptime: undefined },
    { ...trap, usm: { ...usm, level: 'authPriv' as const } },
  ]) {
    for (const at of [0, 1]) assert.equal(seen.see(print('a', at, {}, other))?.isAgain, false)
  }
  const open = { ...trap, usm: { ...usm, level: 'noAuthNoPriv' as const } }
  assert.equal(seen.see(print('b', 2, {}, open))?.isAgain, false)
  assert.equal(seen.see(print('b', 3, {}, open))?.isAgain, true)
  assert.equal(new Duplicates(0).see(print('a', 0)), undefined, 'switched off')
})

test('memory is bounded: of too many the oldest are forgotten', () => {
  const again = asked(new Duplicates(3_600_000, 100_000))
  for (let index = 0; index < 10_000; index += 1) again(index, 'down', {}, index)
  assert.equal(again(10_000, 'down', {}, 0), false)
  assert.equal(again(10_000, 'down', {}, 9999), true)
})
