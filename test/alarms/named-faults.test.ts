// A trap and a syslog message that identify the same thing differently, the one by a row and the other by a name, are one
// alarm, whichever comes first.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partName } from '../../src/alarms/engine/fault-names.ts'
import type { IncomingTrap } from '../../src/alarms/engine/incoming-trap.ts'
import { reportedByMessages, reportOf } from '../../src/intake/message-report.ts'
import { createIn } from '../../src/resources/collection.ts'
import { devices } from '../../src/resources/inventory/device.ts'
import { MessageMatcher } from '../../src/syslog/message-matcher.ts'
import { readMessage } from '../../src/syslog/message-reader.ts'
import { readShippedDefinitions } from '../../src/syslog/syslog-definitions.ts'
import { sweep } from '../../src/upkeep/retention.ts'
import { onEveryStore, variable, type World } from './world.ts'

const catalogue = readShippedDefinitions()
const matcher = new MessageMatcher(catalogue.definitions)
const messages = { ...reportedByMessages(catalogue), areExpected: true }

interface Report {
  readonly trap?: readonly [oid: string, ...variables: (readonly [oid: string, value: string])[]]
  readonly message?: string
}

/** A fault and its end, as a trap and a message report it. */
interface Pair {
  readonly what: string
  readonly down: readonly [Report, Report]
  readonly up: readonly [Report, Report]
}

const envmon = '1.3.6.1.4.1.9.9.13'
const ciscoFan = (state: number): Report => ({
  trap: [`${envmon}.3.0.4`, [`${envmon}.1.4.1.2.1004`, 'Fan 2'], [`${envmon}.1.4.1.3.1004`, String(state)]],
})
const ciscoSupply = (state: number): Report => ({
  trap: [
    `${envmon}.3.0.5`,
    [`${envmon}.1.5.1.2.1003`, 'Power Supply 2'],
    [`${envmon}.1.5.1.3.1003`, String(state)],
  ],
})
const junos = '1.3.6.1.4.1.2636'
const junosPart = (oid: string, container: number, name: string): Report => ({
  trap: [
    `${junos}.4.${oid}`,
    [`${junos}.3.1.8.1.1.${container}.2.0.0`, String(container)],
    [`${junos}.3.1.8.1.6.${container}.2.0.0`, name],
    [`${junos}.3.1.13.1.6.${container}.2.0.0`, '6'],
  ],
})
const extreme = (oid: number): Report => ({
  trap: [`1.3.6.1.4.1.1916.0.${oid}`, ['1.3.6.1.4.1.1916.1.1.1.9.1.1.3', '3']],
})
const ospf = (address: string, state: number, router = '10.0.0.9'): Report => ({
  trap: [
    '1.3.6.1.2.1.14.16.2.2',
    [`1.3.6.1.2.1.14.10.1.1.${address}.0`, address],
    [`1.3.6.1.2.1.14.10.1.2.${address}.0`, '0'],
    [`1.3.6.1.2.1.14.10.1.3.${address}.0`, router],
    [`1.3.6.1.2.1.14.10.1.6.${address}.0`, String(state)],
  ],
})
const isis = (state: number, circuit = '8'): Report => ({
  trap: [
    '1.3.6.1.2.1.138.0.17',
    ['1.3.6.1.2.1.138.1.10.1.1.0', '2'],
    ['1.3.6.1.2.1.138.1.10.1.2.0', circuit],
    ['1.3.6.1.2.1.138.1.10.1.3.0', '01:00:99:00:00:02:00:00'],
    ['1.3.6.1.2.1.138.1.10.1.12.0', String(state)],
  ],
})
const ldp = (oid: number, state: number): Report => ({
  trap: [
    `1.3.6.1.2.1.10.166.4.0.${oid}`,
    ['1.3.6.1.2.1.10.166.4.1.3.3.1.2.10.0.0.1.0.0.1.10.0.0.9.0.0', String(state)],
  ],
})
const says = (message: string): Report => ({ message })

const pairs: readonly Pair[] = [
  {
    what: 'a fan of Cisco IOS',
    down: [ciscoFan(3), says('<187>%FAN-3-FAN_FAILED: Fan 2 had a rotation error reported.')],
    up: [ciscoFan(1), says('<187>%FAN-3-FAN_OK: Fan 2 had earlier reported a rotation error. It is ok now')],
  },
  {
    what: 'a power supply of Cisco IOS',
    down: [ciscoSupply(3), says('<187>%POWER_SUPPLIES-3-PWR_FAIL: Power supply 2 is not functioning')],
    up: [ciscoSupply(1), says('<189>%POWER_SUPPLIES-5-PWR_OK: Power supply 2 is functioning')],
  },
  {
    what: 'a power supply of Junos',
    down: [
      junosPart('1.1', 2, 'PEM 1'),
      says(
        '<28>May  1 10:20:30 r1 alarmd[99]: Alarm set: Power Supply color=RED, class=CHASSIS, reason=PEM 1 Not OK',
      ),
    ],
    up: [
      junosPart('2.1', 2, 'PEM 1'),
      says(
        '<28>May  1 10:20:30 r1 alarmd[99]: Alarm cleared: Power Supply color=RED, class=CHASSIS, reason=PEM 1 Not OK',
      ),
    ],
  },
  {
    what: 'a fan of Junos',
    down: [
      junosPart('1.2', 4, 'FAN: Fan 1 @ 0/0/0'),
      says(
        '<28>May  1 10:20:30 r1 alarmd[99]: Alarm set: Fan color=RED, class=CHASSIS, reason=Fan 1 Failure',
      ),
    ],
    up: [
      junosPart('2.2', 4, 'FAN: Fan 1 @ 0/0/0'),
      says(
        '<28>May  1 10:20:30 r1 alarmd[99]: Alarm cleared: Fan color=RED, class=CHASSIS, reason=Fan 1 Failure',
      ),
    ],
  },
  {
    what: 'a fan that traps call by its number',
    down: [extreme(7), says('<187>May  1 10:20:30 sw1 HAL: Fan 3 has failed')],
    up: [extreme(8), says('<187>May  1 10:20:30 sw1 HAL: Fan 3 is operating normally')],
  },
  {
    what: 'an OSPF neighbour that messages call by its router id',
    down: [
      ospf('192.0.2.2', 1),
      says(
        '<189>%OSPF-5-ADJCHG: Process 1, Nbr 10.0.0.9 on Vlan44 from FULL to DOWN, Neighbor Down: Dead timer',
      ),
    ],
    up: [
      ospf('192.0.2.2', 8),
      says('<189>%OSPF-5-ADJCHG: Process 1, Nbr 10.0.0.9 on Vlan44 from LOADING to FULL, Loading Done'),
    ],
  },
  {
    what: 'an OSPF neighbour that messages call by its address',
    down: [
      ospf('192.0.2.2', 1),
      says(
        '<190>May  1 10:20:30 2024 sw1 %%10OSPF/5/OSPF_NBR_CHG: OSPF 1 Neighbor 192.0.2.2(Vlan-interface44) from Full to Down',
      ),
    ],
    up: [
      ospf('192.0.2.2', 8),
      says(
        '<190>May  1 10:20:30 2024 sw1 %%10OSPF/5/OSPF_NBR_CHG: OSPF 1 Neighbor 192.0.2.2(Vlan-interface44) from Loading to Full',
      ),
    ],
  },
  {
    what: 'an IS-IS adjacency by its port',
    down: [
      isis(1),
      says('<189>%CLNS-5-ADJCHANGE: ISIS: Adjacency to core2 (Port-channel8) Down, hold time expired'),
    ],
    up: [isis(3), says('<189>%CLNS-5-ADJCHANGE: ISIS: Adjacency to core2 (Port-channel8) Up, new adjacency')],
  },
  {
    what: 'an IS-IS adjacency by the system id',
    down: [
      isis(1, '99'),
      says(
        '<28>May  1 10:20:30 r1 rpd[968]: RPD_ISIS_ADJDOWN: IS-IS lost L2 adjacency to 0100.9900.0002 on ge-0/0/1.0, reason: Aged Out',
      ),
    ],
    up: [
      isis(3, '99'),
      says(
        '<28>May  1 10:20:30 r1 rpd[968]: RPD_ISIS_ADJUP: IS-IS new L2 adjacency to 0100.9900.0002 on ge-0/0/1.0',
      ),
    ],
  },
  {
    what: 'an LDP session',
    down: [
      ldp(4, 1),
      says('<189>%LDP-5-NBRCHG: LDP Neighbor 10.0.0.9:0 (4) is DOWN (TCP connection closed by peer)'),
    ],
    up: [ldp(3, 5), says('<189>%LDP-5-NBRCHG: LDP Neighbor 10.0.0.9:0 (4) is UP')],
  },
]

function reportFrom(world: World, from: string, { trap, message: text }: Report): IncomingTrap {
  if (trap) {
    const [oid, ...variables] = trap
    return world.trap(
      oid,
      from,
      variables.map(([name, value]) =>
        variable(name, value, /^\d+$/.test(value) ? 'Integer32' : 'OctetString'),
      ),
    )
  }
  const message = readMessage(Buffer.from(text ?? ''))
  const meaning = matcher.match(message)
  assert(meaning, text)
  const origin = { sourceIp: from, agentIp: undefined, receivedAt: world.time.now }
  const report = reportOf(message, meaning, origin, text ?? '')
  assert(report, text)
  return report
}

let hosts = 0
async function newDevice(world: World): Promise<string> {
  hosts += 1
  const ip = `198.51.100.${hosts}`
  await world.database.transaction((tx) =>
    createIn(tx, devices, {
      ...{ ip, label: `r-${ip}` },
      interfaces: [{ ifIndex: 8n, ifDesc: 'Port-channel8', basePort: null }],
    }),
  )
  return ip
}

await onEveryStore((world) => {
  const engine = world.another({}, { messages })
  const tell = async (from: string, report: Report) => {
    world.time.now += 1000
    return (await engine.handle([reportFrom(world, from, report)]))[0]
  }
  const openOf = async (ip: string) =>
    (await world.alarmsOf(ip)).filter(
      ({ recStatus, isReceoverFault }) => recStatus === 0 && isReceoverFault === 0,
    )

  for (const { what, down, up } of pairs) {
    for (const [first, second, order] of [
      [0, 1, 'the trap first'],
      [1, 0, 'the message first'],
    ] as const) {
      test(`${what}, ${order}, is one alarm, which either ends`, async () => {
        const ip = await newDevice(world)
        for (const ender of [0, 1] as const) {
          assert.equal(await tell(ip, down[first]), 'raised')
          assert.equal(await tell(ip, down[second]), 'repeated')
          const [alarm, ...others] = await openOf(ip)
          assert.deepEqual(others, [])
          const isFirst = ender === 0
          if (isFirst) assert.equal(alarm?.originalType, first === 0 ? 1 : 2)
          assert.equal(await tell(ip, up[ender]), 'recovered')
          assert.equal(await tell(ip, up[ender === 0 ? 1 : 0]), 'stored-only')
          assert.deepEqual(await openOf(ip), [])
          world.time.now += 120_000
        }
      })
    }
  }

  test('a late report of a fault that has ended raises nothing, also in one block', async () => {
    const [fan] = pairs
    assert(fan)
    const ip = await newDevice(world)
    for (const report of [fan.down[0], fan.up[0]]) await tell(ip, report)
    assert.equal(await tell(ip, fan.down[1]), 'stored-only')
    assert.equal(await tell(ip, fan.up[1]), 'stored-only')
    const other = await newDevice(world)
    const block = [fan.down[1], fan.down[0], fan.up[0], fan.up[1]].map((one) => reportFrom(world, other, one))
    assert.deepEqual(await engine.handle(block), ['raised', 'repeated', 'recovered', 'stored-only'])
  })

  test('an end whose fault only the other sense has reported ends its alarm', async () => {
    const [fan] = pairs
    assert(fan)
    for (const [raises, ends] of [
      [0, 1],
      [1, 0],
    ] as const) {
      const ip = await newDevice(world)
      assert.equal(await tell(ip, fan.down[raises]), 'raised')
      assert.equal(await tell(ip, fan.up[ends]), 'recovered')
      assert.deepEqual(await openOf(ip), [])
    }
  })

  test('two links to one router are two faults, and the end of one leaves the other', async () => {
    const says = (port: string, change: string) => ({
      message: `<189>%OSPF-5-ADJCHG: Process 1, Nbr 10.0.0.9 on ${port} ${change}`,
    })
    const ip = await newDevice(world)
    const [lost, back] = [
      'from FULL to DOWN, Neighbor Down: Dead timer expired',
      'from LOADING to FULL, Loading Done',
    ]
    await tell(ip, says('Vlan1', lost))
    await tell(ip, ospf('192.0.2.2', 1))
    await tell(ip, says('Vlan2', lost))
    await tell(ip, ospf('192.0.2.6', 1))
    await tell(ip, says('Vlan1', back))
    await tell(ip, ospf('192.0.2.2', 8))
    assert.notEqual((await openOf(ip)).length, 0)
    await tell(ip, says('Vlan2', back))
    await tell(ip, ospf('192.0.2.6', 8))
    assert.deepEqual(await openOf(ip), [])
  })

  test('fans of the same name in two members of a stack are told apart by their rows', async () => {
    const member = (row: number, state: number): Report => ({
      trap: [
        `${envmon}.3.0.4`,
        [`${envmon}.1.4.1.2.${row}`, 'Fan 1'],
        [`${envmon}.1.4.1.3.${row}`, String(state)],
      ],
    })
    const ip = await newDevice(world)
    assert.equal(await tell(ip, member(1001, 3)), 'raised')
    assert.equal(await tell(ip, member(2001, 3)), 'raised')
    assert.equal(await tell(ip, member(1001, 1)), 'recovered')
    assert.equal((await openOf(ip)).length, 1)
    assert.equal(await tell(ip, member(2001, 1)), 'recovered')
  })

  test('what is no longer used is removed, unless its alarm is open', async () => {
    const keep = { count: 1_000_000, bytes: 2 ** 40, days: 1000 }
    const [fan] = pairs
    assert(fan)
    const ip = await newDevice(world)
    await tell(ip, fan.down[0])
    world.time.now += 2 * 3_600_000
    await sweep(
      world.database,
      { traps: keep, alarms: keep, log: keep, audit: keep },
      undefined,
      world.time.now,
    )
    const rows = await world.database.all('select name from fault_name')
    assert.deepEqual(
      rows.map(({ name }) => name),
      ['fan 2'],
    )
    assert.equal(await tell(ip, fan.up[1]), 'recovered')
  })

  test('without messages, names are not kept', async () => {
    const ip = await newDevice(world)
    const before = await world.database.all('select name from fault_name')
    const alone = world.another({}, { messages: { ...messages, areExpected: false } })
    await alone.handle([reportFrom(world, ip, ciscoFan(3))])
    assert.deepEqual(await world.database.all('select name from fault_name'), before)
  })
})

test('parts are the same however they are spelt, and others are not', () => {
  const same = (kind: 'fan' | 'power', ...texts: string[]) => {
    const names = new Set(texts.map((text) => partName(kind, text)))
    assert(!names.has(undefined) && names.size === 1, `${texts}: ${[...names]}`)
  }
  same('fan', 'Fan 1', 'FAN# 1', 'fan1', 'FAN: Fan 1 @ 0/0/0', 'Fan module 1', 'Fan-01')
  same('fan', 'fan in power supply 2', 'power supply 2 fan', 'PSU 2 Fan')
  same('fan', 'Fan Tray 3', 'fantray 3', 'slot 3 fan tray')
  same(
    'power',
    'Power Supply 1',
    'PS1',
    'PSU 1',
    'PEM in slot 1',
    'PowerSupply1',
    'power-supply #1',
    'Supply: 1',
  )
  const other = ['Fan 1', 'Fan 2', 'Fan Tray 1', 'PSU 1 fan', 'left fan', 'Fan 1/2'].map((text) =>
    partName('fan', text),
  )
  assert.equal(new Set(other).size, other.length)
  for (const text of ['fan', 'fan failed', 'Sw1, PS1 Normal, RPS NotExist', 'x'.repeat(100), ''])
    assert.equal(partName('fan', text) ?? partName('power', text), undefined)
})
