// A trap and a syslog message about the same thing are one alarm, whichever comes first.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchWindow } from '../../src/alarms/engine/fault-turns.ts'
import type { IncomingTrap } from '../../src/alarms/engine/incoming-trap.ts'
import { reportedByMessages, reportOf } from '../../src/intake/message-report.ts'
import { createIn } from '../../src/resources/collection.ts'
import { devices } from '../../src/resources/inventory/device.ts'
import { MessageMatcher } from '../../src/syslog/message-matcher.ts'
import { readMessage } from '../../src/syslog/message-reader.ts'
import { readShippedDefinitions } from '../../src/syslog/syslog-definitions.ts'
import { sweep } from '../../src/upkeep/retention.ts'
import { chance } from '../acceptance/chance.ts'
import { ifIndex, linkDown, linkUp, onEveryStore, type World } from './world.ts'

const catalogue = readShippedDefinitions()
const matcher = new MessageMatcher(catalogue.definitions)
const messages = { ...reportedByMessages(catalogue), areExpected: true }

function messageFrom(world: World, from: string, text: string): IncomingTrap {
  const message = readMessage(Buffer.from(text))
  const meaning = matcher.match(message)
  assert(meaning, text)
  const origin = { sourceIp: from, agentIp: undefined, receivedAt: world.time.now }
  const report = reportOf(message, meaning, origin, text)
  assert(report, text)
  return report
}

function engineOf(world: World) {
  const engine = world.another({}, { messages })
  const handle = async (report: IncomingTrap) => (await engine.handle([report]))[0]
  return {
    engine,
    say: (from: string, text: string) => handle(messageFrom(world, from, text)),
    trap: (...args: Parameters<World['trap']>) => handle(world.trap(...args)),
  }
}

/** A device whose inventory names its ports. */
async function addDevice(world: World, ip: string): Promise<void> {
  await world.database.transaction((tx) =>
    createIn(tx, devices, {
      ip,
      label: `sw-${ip}`,
      interfaces: [
        { ifIndex: 7n, ifDesc: 'GigabitEthernet0/7', basePort: null },
        { ifIndex: 8n, ifDesc: 'Port-channel8', basePort: null },
      ],
    }),
  )
}

const isDown = (port: string) => `<187>%LINK-3-UPDOWN: Interface ${port}, changed state to down`
const isUp = (port: string) => `<187>%LINK-3-UPDOWN: Interface ${port}, changed state to up`

await onEveryStore((world) => {
  test('a message raises and ends an alarm, whose origin is syslog', async () => {
    const { say } = engineOf(world)
    const from = '192.0.2.7'
    assert.equal(await say(from, '%FAN-3-FAN_FAILED: Fan 1 had a rotation error reported.'), 'raised')
    assert.equal(await say(from, '%FAN-3-FAN_FAILED: Fan 1 had a rotation error reported.'), 'repeated')
    const [alarm] = await world.alarmsOf(from)
    assert.deepEqual(
      [alarm?.originalType, alarm?.resource, alarm?.alarmDesc, alarm?.alarmLevel, alarm?.recStatus],
      [2, 'fan=Fan 1', 'Fan Fan 1 has failed', 2, 0],
    )
    const ok = '%FAN-3-FAN_OK: Fan 1 had earlier reported a rotation error. It is ok now'
    assert.equal(await say(from, ok), 'recovered')
    assert.equal((await world.alarmsOf(from))[0]?.recStatus, 1)
    // Its definition is a record from then on, which people can change.
    const rows = await world.database.all('select source from trap_event where event_oid = ?', [
      '1.3.6.1.4.1.32473.514.1.1',
    ])
    assert.deepEqual(
      rows.map(({ source }) => source),
      ['syslog definitions'],
    )
  })

  test('a message repeats and ends what a trap raised, with the OIDs of the traps', async () => {
    const { say, trap } = engineOf(world)
    const from = '192.0.2.8'
    const peer = { oid: '1.3.6.1.2.1.15.3.1.2.192.0.2.9', type: 'Integer32', value: '1' }
    assert.equal(await trap('1.3.6.1.2.1.15.0.2', from, [peer]), 'raised')
    assert.equal(
      await say(from, '%BGP-5-ADJCHANGE: neighbor 192.0.2.9 Down BGP Notification sent'),
      'repeated',
    )
    assert.equal(await say(from, '%BGP-5-ADJCHANGE: neighbor 192.0.2.9 Up'), 'recovered')
    const [fault, recovery] = await world.alarmsOf(from)
    assert.equal(fault?.originalType, 1)
    assert.equal(fault?.recStatus, 1)
    assert.deepEqual([recovery?.OID, recovery?.originalType], ['1.3.6.1.2.1.15.0.1', 2])
    assert.equal(await trap('1.3.6.1.2.1.15.0.1', from, [peer]), 'stored-only')
  })

  test('a BGP session is one alarm by message and by either pair of traps', async () => {
    const { say, trap } = engineOf(world)
    const from = '192.0.2.18'
    const peer = { oid: '1.3.6.1.2.1.15.3.1.2.192.0.2.9', type: 'Integer32', value: '1' }
    const [down, up] = [
      '%BGP-5-ADJCHANGE: neighbor 192.0.2.9 Down',
      '%BGP-5-ADJCHANGE: neighbor 192.0.2.9 Up',
    ]
    assert.equal(await trap('1.3.6.1.2.1.15.7.2', from, [peer]), 'raised')
    assert.equal(await trap('1.3.6.1.2.1.15.0.2', from, [peer]), 'repeated')
    assert.equal(await say(from, down), 'repeated')
    assert.equal(await trap('1.3.6.1.2.1.15.7.1', from, [peer]), 'recovered')
    assert.equal(await say(from, up), 'stored-only')
    assert.equal(await say(from, down), 'raised')
    assert.equal(await trap('1.3.6.1.2.1.15.7.2', from, [peer]), 'repeated')
    assert.equal(await say(from, up), 'recovered')
    const faults = (await world.alarmsOf(from)).filter(({ isReceoverFault }) => isReceoverFault === 0)
    assert.deepEqual(
      faults.map(({ OID, recStatus }) => `${OID} ${recStatus}`),
      ['1.3.6.1.2.1.15.7.2 1', '1.3.6.1.2.1.15.0.2 1'],
    )
  })

  test('a port that the inventory knows is the same by name, short name and index', async () => {
    const { say, trap } = engineOf(world)
    const from = '192.0.2.10'
    await addDevice(world, from)
    assert.equal(await say(from, isDown('Gi0/7')), 'raised')
    assert.equal(await trap(linkDown, from, [ifIndex(7)]), 'repeated')
    const [alarm] = await world.alarmsOf(from)
    assert.deepEqual([alarm?.resource, alarm?.ifIndex], ['ifIndex=7', 7n])
    assert.equal(alarm?.alarmDesc, 'Interface Gi0/7 (index 7) is down')
    assert.equal(await trap(linkUp, from, [ifIndex(7)]), 'recovered')
    assert.equal(await say(from, isUp('GigabitEthernet0/7')), 'stored-only')
    assert.equal(await say(from, isDown('Po8')), 'raised')
    assert.equal(await trap(linkUp, from, [ifIndex(8)]), 'recovered')
  })

  test('a port that the inventory does not know is another alarm than its index', async () => {
    const { say, trap } = engineOf(world)
    const from = '192.0.2.11'
    assert.equal(await trap(linkDown, from, [ifIndex(7)]), 'raised')
    assert.equal(await say(from, isDown('Gi0/7')), 'raised')
    const texts = (await world.alarmsOf(from)).map(({ alarmDesc }) => alarmDesc)
    assert.deepEqual(texts, [
      'Interface unnamed (index 7) is down',
      'Interface Gi0/7 (index unknown) is down',
    ])
  })

  test('a message that comes after trap and recovery raises nothing, also after a restart', async () => {
    const { trap } = engineOf(world)
    const from = '192.0.2.12'
    await addDevice(world, from)
    assert.equal(await trap(linkDown, from, [ifIndex(7)]), 'raised')
    assert.equal(await trap(linkUp, from, [ifIndex(7)]), 'recovered')
    const { say } = engineOf(world)
    world.time.now += 5000
    assert.equal(await say(from, isDown('Gi0/7')), 'stored-only')
    assert.equal(await say(from, isUp('Gi0/7')), 'stored-only')
    world.time.now += 5000
    assert.equal(await say(from, isDown('Gi0/7')), 'raised')
    const alarms = await world.alarmsOf(from)
    assert.deepEqual(
      alarms.map(({ recStatus, isReceoverFault }) => [recStatus, isReceoverFault]),
      [
        [1, 0],
        [1, 1],
        [0, 0],
      ],
    )
  })

  test('an end of an earlier fault ends nothing', async () => {
    const { say, trap } = engineOf(world)
    const from = '192.0.2.13'
    await addDevice(world, from)
    for (const oid of [linkDown, linkUp, linkDown]) await trap(oid, from, [ifIndex(7)])
    assert.equal(await say(from, isDown('Gi0/7')), 'repeated')
    assert.equal(await say(from, isUp('Gi0/7')), 'stored-only')
    assert.equal((await world.alarmsOf(from)).at(-1)?.recStatus, 0)
    assert.equal(await trap(linkUp, from, [ifIndex(7)]), 'recovered')
  })

  test('a fault that may be a late repetition is raised after 30 seconds, with the time it was received', async () => {
    const { engine, say, trap } = engineOf(world)
    const from = '192.0.2.14'
    await addDevice(world, from)
    await trap(linkDown, from, [ifIndex(7)])
    await say(from, isDown('Gi0/7'))
    assert.equal(await say(from, isUp('Gi0/7')), 'recovered')
    world.time.now += 1000
    const at = world.time.now
    assert.equal(await trap(linkDown, from, [ifIndex(7)]), 'stored-only')
    world.time.now += matchWindow - 1000
    await engine.raiseHeldFaults(world.time.now)
    assert.equal((await world.alarmsOf(from)).at(-1)?.isReceoverFault, 1)
    world.time.now += 1000
    // By a service that was started meanwhile.
    await engineOf(world).engine.raiseHeldFaults(world.time.now)
    const alarm = (await world.alarmsOf(from)).at(-1)
    assert.deepEqual([alarm?.recStatus, alarm?.isReceoverFault, alarm?.faultTime], [0, 0, at])
    assert.notEqual(alarm?.trapId, 0n)
    await engine.raiseHeldFaults(world.time.now + matchWindow)
    assert.equal((await world.alarmsOf(from)).length, 3)
    assert.equal(await trap(linkUp, from, [ifIndex(7)]), 'recovered')
  })

  test('in any order, in blocks of any size, each outage is one alarm', async () => {
    const random = chance(3)
    const { engine } = engineOf(world)
    for (let round = 0; round < 12; round += 1) {
      const from = `198.51.100.${round}`
      await addDevice(world, from)
      const turns = 1 + Math.floor(random() * 4)
      const one = { trap: 0, message: 0 }
      const reports: IncomingTrap[] = []
      while (one.trap < turns || one.message < turns) {
        const isTrap = one.message >= turns || (one.trap < turns && random() < 0.5)
        world.time.now += 100
        if (isTrap) reports.push(world.trap(one.trap % 2 === 0 ? linkDown : linkUp, from, [ifIndex(7)]))
        else reports.push(messageFrom(world, from, (one.message % 2 === 0 ? isDown : isUp)('Gi0/7')))
        one[isTrap ? 'trap' : 'message'] += 1
      }
      for (let at = 0; at < reports.length; ) {
        const size = 1 + Math.floor(random() * 4)
        await engine.handle(reports.slice(at, at + size))
        at += size
      }
      const alarms = await world.alarmsOf(from)
      const faults = alarms.filter(({ isReceoverFault }) => isReceoverFault === 0)
      const order = reports.map(({ version, oid }) => `${version} ${oid}`).join(', ')
      assert.equal(faults.length, Math.ceil(turns / 2), order)
      assert.equal(faults.filter(({ recStatus }) => recStatus === 0).length, turns % 2, order)
    }
  })

  test('what can no longer be matched is removed', async () => {
    const keep = { count: 1_000_000, bytes: 2 ** 40, days: 1000 }
    const count = async () => (await world.database.all('select count(*) as n from fault_turn'))[0]?.n
    assert.notEqual(await count(), 0n)
    world.time.now += 2 * 3_600_000
    await sweep(
      world.database,
      { traps: keep, alarms: keep, log: keep, audit: keep },
      undefined,
      world.time.now,
    )
    assert.equal(await count(), 0n)
  })

  test('without messages, nothing is kept about them', async () => {
    const from = '192.0.2.15'
    assert.deepEqual(await world.handle(world.trap(linkDown, from, [ifIndex(1)])), ['raised'])
    assert.deepEqual(await world.database.all('select device_id from fault_turn'), [])
  })
})
