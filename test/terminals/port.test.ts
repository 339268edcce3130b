// Which interface a switch means: what Cisco, H3C, Huawei and others write into NAS-Port and NAS-Port-Id.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { portOf } from '../../src/terminals/switch-port.ts'

const interfaces = (...names: readonly (readonly [number, string])[]) =>
  names.map(([ifIndex, ifDesc]) => ({ ifIndex: BigInt(ifIndex), ifDesc }))

const cisco = interfaces(
  [1, 'Vlan1'],
  [10101, 'GigabitEthernet1/0/1'],
  [10107, 'GigabitEthernet1/0/7'],
  [10607, 'GigabitEthernet2/0/7'],
  [10201, 'TenGigabitEthernet1/1/1'],
)
const h3c = interfaces(
  [3, 'GigabitEthernet1/0/3'],
  [4, 'GigabitEthernet1/0/4'],
  [49, 'Ten-GigabitEthernet1/0/49'],
  [60, 'GigabitEthernet1/0/50'],
  [61, 'Ten-GigabitEthernet1/0/50'],
  [70, 'Vlan-interface10'],
)
const huawei = interfaces(
  [6, 'GigabitEthernet0/0/1'],
  [7, 'GigabitEthernet0/0/2'],
  [30, 'XGigabitEthernet0/0/1'],
)

const at = (known: typeof cisco, nasPort: number | null, nasPortId: string | null) =>
  portOf(known, { nasPort, nasPortId }).ifIndex

test('by its name, written out or shortened, in any letter case and spacing', () => {
  for (const name of [
    'GigabitEthernet1/0/7',
    'gigabitethernet1/0/7',
    'Gi1/0/7',
    'GigabitEthernet 1/0/7',
    'GE1/0/7',
  ])
    assert.equal(at(cisco, 50107, name), 10107n, name)
  assert.equal(at(cisco, null, 'Te1/1/1'), 10201n)
  assert.equal(at(h3c, null, 'Ten-GigabitEthernet1/0/49'), 49n)
  assert.equal(at(huawei, null, 'XGE0/0/1'), 30n)
})

test('by slot, subslot and port, as H3C and Huawei write them into text and bits', () => {
  assert.equal(at(h3c, null, 'slot=1;subslot=0;port=3;vlanid=10'), 3n)
  assert.equal(at(huawei, null, 'slot=0;subslot=0;port=2;vlanid=1'), 7n)
  const coded = (slot: number, subslot: number, port: number, vlan: number) =>
    slot * 2 ** 24 + subslot * 2 ** 20 + port * 2 ** 12 + vlan
  assert.equal(at(h3c, coded(1, 0, 4, 10), null), 4n)
  assert.equal(at(huawei, coded(0, 0, 2, 1), null), 7n)
})

test('by the interface index, and by the number that Cisco makes of unit and port', () => {
  assert.equal(at(cisco, 10107, null), 10107n)
  assert.equal(at(cisco, null, '10107'), 10107n)
  assert.equal(at(cisco, 50107, null), 10107n)
  assert.equal(at(cisco, 50207, null), 10607n)
})

test('what matches two interfaces matches none', () => {
  // Of unit 1 there is a port 1 twice.
  assert.equal(at(cisco, 50101, null), null)
  assert.equal(at(h3c, null, 'slot=1;subslot=0;port=50;vlanid=10'), null)
  assert.equal(at(huawei, null, 'slot=0;subslot=0;port=1'), null)
})

test('a name that is not known is no port, whatever its number would say', () => {
  assert.equal(at(cisco, 10107, 'GigabitEthernet1/0/9'), null)
  assert.equal(at(cisco, 50107, 'FastEthernet1/0/7'), null)
  assert.deepEqual(portOf(cisco, { nasPort: null, nasPortId: 'Gi9/0/9' }), { ifIndex: null, name: 'Gi9/0/9' })
  assert.deepEqual(portOf(cisco, { nasPort: 7, nasPortId: null }), { ifIndex: null, name: 'NAS-Port 7' })
  assert.deepEqual(portOf(cisco, { nasPort: null, nasPortId: null }), { ifIndex: null, name: '' })
})

test('of a device whose interfaces are not known the number is the index', () => {
  assert.equal(at([], 7, null), 7n)
  assert.equal(at([], 7, 'A7'), 7n)
  assert.equal(at([], null, 'A7'), null)
})

test('of such a device a name stays what the switch has said, and nothing said is no port', () => {
  assert.deepEqual(portOf([], { nasPort: null, nasPortId: 'Gi1/0/7' }), { ifIndex: null, name: 'Gi1/0/7' })
  assert.deepEqual(portOf([], { nasPort: 7, nasPortId: null }), { ifIndex: 7n, name: 'interface 7' })
  assert.deepEqual(portOf([], { nasPort: null, nasPortId: null }), { ifIndex: null, name: '' })
})

test('no other text than those that name it is taken for an interface', () => {
  const name = fc.oneof(fc.string({ maxLength: 40 }), fc.stringMatching(/^[GgTtEeXx]{0,3}[0-9/]{1,8}$/))
  fc.assert(
    fc.property(name, fc.option(fc.nat()), (said, number) => {
      const { ifIndex } = portOf(cisco, { nasPort: number, nasPortId: said })
      if (ifIndex === null) return
      const found = cisco.find((one) => one.ifIndex === ifIndex)
      const numbers = found?.ifDesc.replace(/^\D*/, '') ?? ''
      assert.ok(said.includes(numbers) || /^\D*$/.test(said) || /^\d+$/.test(said) || number !== null, said)
    }),
  )
})
