// Whether a terminal is admitted, and why.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Binding } from '../../src/resources/inventory/mac-access-bind.ts'
import { macOf } from '../../src/schema/scalar.ts'
import { decide, terminalOf } from '../../src/terminals/sighting.ts'

const binding = (bindType: 1 | 2, ...ports: readonly (readonly [bigint, bigint])[]): Binding => ({
  id: 1n,
  terminalMac: '00:1b:44:11:3a:b7',
  terminalName: null,
  bindType,
  maintainer: null,
  ifInfo: ports.map(([deviceId, ifIndex]) => ({ deviceId, ifIndex })),
  vlan: 42,
})
const place = (deviceId: bigint, ifIndex: bigint | null) => ({ deviceId, ifIndex })

test('every case has its answer and its reason', () => {
  const said = (
    ...[bound, where, unknown = 'reject']: [
      Binding | undefined,
      ReturnType<typeof place>,
      ('admit' | 'reject')?,
    ]
  ) => {
    const { admits, reason, vlan } = decide(bound, where, unknown)
    return `${admits ? 'accept' : 'reject'} ${reason} ${vlan ?? '-'}`
  }
  assert.equal(said(binding(1), place(7n, 3n)), 'accept bound-anywhere 42')
  assert.equal(said(binding(1), place(0n, null)), 'accept bound-anywhere 42')
  assert.equal(said(binding(2, [7n, 3n]), place(7n, 3n)), 'accept bound-here 42')
  assert.equal(said(binding(2, [7n, 3n], [8n, 1n]), place(8n, 1n)), 'accept bound-here 42')
  assert.equal(said(binding(2, [7n, 3n]), place(7n, 4n)), 'reject bound-elsewhere -')
  assert.equal(said(binding(2, [7n, 3n]), place(8n, 3n)), 'reject bound-elsewhere -')
  assert.equal(said(binding(2, [7n, 3n]), place(7n, null)), 'reject unknown-interface -')
  assert.equal(said(binding(2, [7n, 3n]), place(0n, 3n)), 'reject unknown-device -')
  assert.equal(said(binding(2, [0n, 3n]), place(0n, 3n)), 'reject unknown-device -')
  assert.equal(said(undefined, place(7n, 3n)), 'reject unknown-terminal -')
  assert.equal(said(undefined, place(7n, 3n), 'admit'), 'accept unknown-admitted -')
  assert.equal(said(binding(2, [7n, 3n]), place(7n, 4n), 'admit'), 'reject bound-elsewhere -')
})

const spellings = (mac: string) => {
  const digits = mac.replaceAll(':', '')
  const groups = (size: number, between: string) =>
    digits.match(new RegExp(`.{${size}}`, 'g'))?.join(between) ?? ''
  const all = [digits, groups(2, ':'), groups(2, '-'), groups(4, '.'), groups(4, '-')]
  return [...all, ...all.map((one) => one.toUpperCase())]
}

test('User-Name must be the Calling-Station-Id, however each is spelled', () => {
  const hex = fc.stringMatching(/^[0-9a-f]{12}$/)
  fc.assert(
    fc.property(hex, fc.nat(9), fc.nat(9), (digits, a, b) => {
      const mac = digits.match(/../g)?.join(':') ?? ''
      const [userName = '', callingStationId = ''] = [spellings(mac)[a], spellings(mac)[b]]
      assert.equal(terminalOf({ userName, callingStationId }), mac)
    }),
  )
  const reason = (userName: string, callingStationId: string) => {
    const said = terminalOf({ userName, callingStationId })
    return typeof said === 'string' ? said : said.reason
  }
  assert.equal(reason('001b44113ab7', '00-1B-44-11-3A-B8'), 'user-name-differs')
  assert.equal(reason('001b44113ab7', ''), 'user-name-differs')
  assert.equal(reason('ann', '00-1B-44-11-3A-B7'), 'no-mac-address')
  assert.equal(reason('', ''), 'no-mac-address')
})

test('nothing but a MAC address is one', () => {
  for (const wrong of [
    '001b44113ab',
    '001b44113ab77',
    '00:1b:44:11:3a-b7',
    '001b:4411:3ab7',
    '00.1b.44.11.3a.b7',
    'g01b44113ab7',
    ' 001b44113ab7',
    '001b44113ab7\n',
  ])
    assert.equal(macOf(wrong), undefined, wrong)
})
