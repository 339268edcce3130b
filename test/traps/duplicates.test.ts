// The same datagram again: when it is the same notification, and when that cannot be told.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Duplicates } from '../../src/traps/duplicates.ts'
import type { Trap } from '../../src/traps/snmp.ts'

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
const datagram = (text: string, receivedAt: number, from = {}) => ({
  sourceIp: '10.0.0.1',
  port: 162,
  receivedAt,
  bytes: Buffer.from(text),
  ...from,
})

test('it is the same within the window, counted from the first, and new after it', () => {
  const seen = new Duplicates(5000)
  const again = (at: number, text = 'a', from = {}) => seen.see(datagram(text, at, from), trap)?.isAgain
  assert.equal(again(1000), false)
  assert.equal(again(4000), true)
  assert.equal(again(5999), true)
  assert.equal(again(5999, 'b'), false, 'other bytes')
  assert.equal(again(5999, 'a', { sourceIp: '10.0.0.2' }), false, 'another sender')
  assert.equal(again(5999, 'a', { port: 163 }), false, 'another program there')
  assert.equal(again(6000), false)
  assert.equal(again(6001), true)
  assert.equal(again(16_000), false)
})

test('what was refused after all does not make the next one a duplicate', () => {
  const seen = new Duplicates(5000)
  const first = seen.see(datagram('a', 0), trap)?.first
  assert.ok(first)
  first.refused = true
  assert.equal(seen.see(datagram('a', 1), trap)?.isAgain, false)
  assert.equal(seen.see(datagram('a', 2), trap)?.isAgain, true)
})

test('it cannot be told of a device that does not say how long it is up, and need not of version 3', () => {
  const seen = new Duplicates(5000)
  const usm = { user: 'ops', engineId: '80', contextEngineId: '80', contextName: '' }
  for (const other of [
    { ...trap, uptime: 0 },
    { ...trap, uptime: undefined },
    { ...trap, usm: { ...usm, level: 'authPriv' as const } },
  ]) {
    for (const at of [0, 1]) assert.equal(seen.see(datagram('a', at), other), undefined)
  }
  const open = { ...trap, usm: { ...usm, level: 'noAuthNoPriv' as const } }
  assert.equal(seen.see(datagram('a', 0), open)?.isAgain, false)
  assert.equal(seen.see(datagram('a', 1), open)?.isAgain, true)
  assert.equal(new Duplicates(0).see(datagram('a', 0), trap), undefined, 'switched off')
})

test('memory is bounded: of too many the oldest are forgotten', () => {
  const seen = new Duplicates(3_600_000, 100_000)
  for (let index = 0; index < 10_000; index += 1) seen.see(datagram(`trap ${index}`, index), trap)
  assert.equal(seen.see(datagram('trap 0', 10_000), trap)?.isAgain, false)
  assert.equal(seen.see(datagram('trap 9999', 10_000), trap)?.isAgain, true)
})
