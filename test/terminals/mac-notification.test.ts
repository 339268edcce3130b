// Notifications of MAC addresses as switches send them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { macChanges } from '../../src/terminals/mac-notification.ts'

const pairs = (...octets: number[]) => octets.map((one) => one.toString(16).padStart(2, '0')).join(':')
const octets = (oid: string, value: string) => ({ oid, type: 'OctetString', value })
const number = (oid: string, value: number) => ({ oid, type: 'Gauge32', value: String(value) })
const terminal = [0x00, 0x1b, 0x44, 0x11, 0x3a, 0xb7]
const mac = '00:1b:44:11:3a:b7'

const cisco = '1.3.6.1.4.1.9.9.215'
const ciscoMessage = (...all: number[]) => [octets(`${cisco}.1.1.8.1.2.17`, pairs(...all))]

test('Cisco: operation, VLAN, address and port of the bridge, several in one', () => {
  const other = [0x00, 0x1b, 0x44, 0x11, 0x3a, 0xb8]
  const variables = ciscoMessage(1, 0, 20, ...terminal, 0, 7, 2, 0x0f, 0xff, ...other, 1, 2, 0)
  assert.deepEqual(macChanges(`${cisco}.2.0.1`, variables), [
    { mac, isGone: false, vlan: 20, ifIndex: null, basePort: 7n },
    { mac: '00:1b:44:11:3a:b8', isGone: true, vlan: null, ifIndex: null, basePort: 258n },
  ])
})

for (const root of [
  '1.3.6.1.4.1.25506.2.87.1',
  '1.3.6.1.4.1.2011.10.2.87.1',
  '1.3.6.1.4.1.43.45.1.10.2.87.1',
]) {
  test(`H3C (${root}): with the type of the address and the interface, and the older cells by their number`, () => {
    const cell = [1, 0, 10, ...terminal, 7, 0, 0, 1, 3]
    const seen = { mac, isGone: false, vlan: 10, basePort: null }
    assert.deepEqual(
      macChanges(`${root}.4.0.1`, [
        number(`${root}.4.2.1.0`, 1),
        number(`${root}.4.2.2.0`, 1),
        number(`${root}.4.2.3.0`, 2),
        octets(`${root}.4.2.4.0`, pairs(...cell, 2, ...cell.slice(1))),
      ]),
      [
        { ...seen, ifIndex: 259n },
        { ...seen, isGone: true, ifIndex: 259n },
      ],
    )
    const older = (count: number, ...all: number[]) =>
      macChanges(`${root}.3.0.1`, [
        number(`${root}.3.2.2.0`, count),
        octets(`${root}.3.2.3.0`, pairs(...all)),
      ])
    assert.deepEqual(older(1, ...cell), [{ ...seen, ifIndex: 259n }])
    assert.deepEqual(older(1, 1, 0, 10, ...terminal, 0, 0, 1, 3), [{ ...seen, ifIndex: 259n }])
    assert.deepEqual(older(1, 1, 0, 10, ...terminal, 0, 9), [{ ...seen, ifIndex: null, basePort: 9n }])
  })

  test(`H3C (${root}): an address that has moved is at the interface it moved to`, () => {
    const objects = `${root}.4.2`
    assert.deepEqual(
      macChanges(`${root}.4.0.2`, [
        octets(`${objects}.5.0`, pairs(...terminal)),
        number(`${objects}.6.0`, 10),
        number(`${objects}.7.0`, 3),
        number(`${objects}.8.0`, 4),
      ]),
      [{ mac, isGone: false, vlan: 10, ifIndex: 4n, basePort: null }],
    )
    // Six octets that are letters come as text.
    const [text] = macChanges(`${root}.4.0.2`, [
      octets(`${objects}.5.0`, 'BCDEFG'),
      number(`${objects}.8.0`, 4),
    ])
    assert.equal(text?.mac, '42:43:44:45:46:47')
  })
}

test('groups of terminals, the end of a list, and what is no such notification make nothing', () => {
  const group = [0x01, 0, 0x5e, 0, 0, 1]
  assert.deepEqual(macChanges(`${cisco}.2.0.1`, ciscoMessage(1, 0, 1, ...group, 0, 1)), [])
  assert.deepEqual(macChanges(`${cisco}.2.0.1`, ciscoMessage(0, 0, 1, ...terminal, 0, 1)), [])
  assert.deepEqual(macChanges('1.3.6.1.6.3.1.1.5.3', ciscoMessage(1, 0, 1, ...terminal, 0, 1)), [])
})

test('whatever it contains, a notification names few terminals, and only valid addresses', () => {
  const value = fc.oneof(
    fc.string(),
    fc.uint8Array({ maxLength: 4000 }).map((all) => pairs(...all)),
  )
  fc.assert(
    fc.property(value, fc.integer(), (text, count) => {
      for (const [oid, object, counter] of [
        [`${cisco}.2.0.1`, `${cisco}.1.1.8.1.2.1`, ''],
        [
          '1.3.6.1.4.1.25506.2.87.1.3.0.1',
          '1.3.6.1.4.1.25506.2.87.1.3.2.3.0',
          '1.3.6.1.4.1.25506.2.87.1.3.2.2.0',
        ],
        [
          '1.3.6.1.4.1.25506.2.87.1.4.0.2',
          '1.3.6.1.4.1.25506.2.87.1.4.2.5.0',
          '1.3.6.1.4.1.25506.2.87.1.4.2.8.0',
        ],
      ] as const) {
        const changes = macChanges(oid, [octets(object, text), number(counter, count)])
        assert.ok(changes.length <= 70)
        for (const { mac: found } of changes) assert.match(found, /^[0-9a-f][02468ace](:[0-9a-f]{2}){5}$/)
      }
    }),
  )
})
