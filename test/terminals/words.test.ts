// How alarms about terminals say where a terminal may be.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Binding } from '../../src/resources/inventory/mac-access-bind.ts'
import { whereBound } from '../../src/terminals/terminal-texts.ts'

const bound = (bindType: number, ...ports: (readonly [number, number])[]) =>
  ({
    bindType,
    ifInfo: ports.map(([deviceId, ifIndex]) => ({ deviceId: BigInt(deviceId), ifIndex: BigInt(ifIndex) })),
  }) as unknown as Binding

const devices = new Map([
  [
    1n,
    { id: 1n, ip: '10.0.0.1', label: 'core', interfaces: [{ ifIndex: 7n, ifDesc: 'Gi0/7', basePort: null }] },
  ],
])

test('interfaces and devices are named as far as they are known', () => {
  assert.equal(whereBound(bound(2, [1, 7]), devices), 'it may be at Gi0/7 of core')
  assert.equal(whereBound(bound(2, [1, 8]), devices), 'it may be at interface 8 of core')
  assert.equal(whereBound(bound(2, [9, 8]), devices), 'it may be at interface 8 of device 9')
})

test('a terminal may be bound nowhere, and may be anywhere', () => {
  assert.equal(whereBound(undefined, devices), 'it is bound nowhere')
  assert.equal(whereBound(bound(1), devices), 'it may be anywhere')
})
