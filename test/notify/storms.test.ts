// Incidents of several alarms: storms, summaries, and effects that outlive their cause. One of the alarms is not all of
// them.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { applyAction } from '../../src/alarms/actions/operator-actions.ts'
import { raiseByProgram } from '../../src/alarms/actions/program-alarms.ts'
import type { AlarmChanges } from '../../src/alarms/engine/alarm-changes.ts'
import { trapEvents } from '../../src/resources/alarms/trap-event.ts'
import { create } from '../../src/resources/collection.ts'
import { devices } from '../../src/resources/inventory/device.ts'
import { stores } from '../support.ts'
import { Town } from './town.ts'

type Update = AlarmChanges['update']

/** Changes alarms as operators do. */
const change = (town: Town, ids: readonly bigint[], act: (update: Update, id: bigint) => void) =>
  town.world.engine.change(async (changes) => {
    await changes.load(ids)
    for (const id of ids) act(changes.update, id)
  })

const acknowledge = (town: Town, ...ids: bigint[]) =>
  change(town, ids, (update, id) => update.acknowledge(id, { userName: 'ann' }))

const shelve = (town: Town, ...ids: bigint[]) =>
  change(town, ids, (update, id) =>
    update.shelve(id, { userName: 'ann', until: town.world.time.now + 3_600_000, level: 0 }),
  )

/** Ten faults that are told one by one, and so many more; returns the ids of these. */
async function storm(town: Town, more: number, first = 1): Promise<bigint[]> {
  const ids: bigint[] = []
  for (let device = first; device < first + 10 + more; device += 1) ids.push(await town.down(device))
  await town.turn()
  await town.later(31)
  return ids.slice(10)
}

const titles = (town: Town) =>
  town.sent
    .filter(({ message }) => /storm/i.test(message.title))
    .map(({ channelId, message }) => `${channelId} ${message.title}`)

for (const store of stores) {
  describe(`Storms on ${store.name}`, () => {
    test('a storm goes on calling until all of its alarms are acknowledged, shelved or over', async () => {
      const town = await Town.open(store)
      const [ann, bob, cid] = [await town.contact(), await town.contact(), await town.contact()]
      await town.route({
        name: 'all',
        step: [
          [0, ann.target],
          [600, bob.target],
          [600, cid.target],
        ],
      })
      const [first = 0n, second = 0n, third = 0n, ...others] = await storm(town, 5)
      assert.deepEqual(titles(town), ['100 Storm: 5 alarms'])
      for (let device = 1; device <= 10; device += 1) await town.up(device)
      await shelve(town, first)
      await acknowledge(town, second)
      await town.later(600)
      assert.deepEqual(titles(town).slice(1), ['200 Escalated: storm of 5 alarms'])
      await acknowledge(town, third, ...others)
      await town.later(1200)
      assert.deepEqual(titles(town).slice(2), [
        '100 Acknowledged: storm of 5 alarms',
        '200 Acknowledged: storm of 5 alarms',
      ])
      // One of them is somebody's task again: so is the storm.
      await change(town, [second], (update, id) => update.unacknowledge(id, 'ann', ''))
      await town.turn()
      assert.deepEqual(titles(town).slice(4), ['100 Still open: storm of 5 alarms'])
      for (let device = 11; device <= 15; device += 1) await town.up(device)
      await town.turn()
      assert.deepEqual(town.told.slice(-2).toSorted(), ['100 recovered', '200 recovered'])
      assert.ok((await town.ledger()).every(({ outcome }) => outcome !== 'pending'))
    })

    test('one that begins again in a storm stays by itself: its end is told where it was told', async () => {
      const town = await Town.open(store)
      const ann = await town.contact()
      await town.route({ name: 'all', step: [[0, ann.target]] })
      const known = await town.down(100)
      await town.turn()
      await acknowledge(town, known)
      await town.later(120)
      for (let device = 1; device <= 12; device += 1) await town.down(device)
      await town.turn()
      await change(town, [known], (update, id) => update.unacknowledge(id, 'ann', ''))
      await town.turn()
      await town.up(100)
      await town.turn()
      const { incident } = town.sent[0]?.message ?? {}
      const thread = town.sent.filter(({ message }) => message.incident === incident)
      assert.deepEqual(
        thread.map(({ message }) => message.change),
        ['raised', 'acknowledged', 'repeat', 'recovered'],
      )
    })

    test('a storm whose open alarms end calls nobody for those that are acknowledged', async () => {
      const town = await Town.open(store)
      const [ann, bob] = [await town.contact(), await town.contact()]
      await town.route({
        name: 'all',
        step: [
          [0, ann.target],
          [600, bob.target],
        ],
      })
      const [first = 0n] = await storm(town, 3)
      for (let device = 1; device <= 10; device += 1) await town.up(device)
      await acknowledge(town, first)
      await town.up(12)
      await town.up(13)
      await town.later(700)
      assert.deepEqual(
        town.told.filter((one) => one.startsWith('200')),
        [],
      )
      await town.up(11)
      await town.turn()
      assert.equal(town.sent.at(-1)?.message.title, 'Recovered: 3 alarms')
    })

    test('messages of a storm are about an alarm that is open', async () => {
      const town = await Town.open(store)
      const ann = await town.contact()
      await town.route({ name: 'all', repeatAfter: 600, step: [[0, ann.target]] })
      await storm(town, 3)
      assert.match(town.sent.at(-1)?.message.text ?? '', /10\.0\.0\.11/)
      for (let device = 1; device <= 11; device += 1) await town.up(device)
      await town.later(600)
      assert.match(town.sent.at(-1)?.message.text ?? '', /3 alarms came in: 2 open, 1 over/)
      assert.match(town.sent.at(-1)?.message.text ?? '', /10\.0\.0\.12/)
    })

    test('a later storm is told to everybody, although an alarm of the earlier one is open', async () => {
      const town = await Town.open(store)
      const [ann, bob] = [await town.contact(), await town.contact()]
      town.onCall.set(7n, [ann.id])
      await town.route({ name: 'all', step: [[0, 'schedule:7']] })
      await storm(town, 5)
      assert.deepEqual(titles(town), ['100 Storm: 5 alarms'])
      // Hours later somebody else is on call.
      await town.later(3600)
      town.onCall.set(7n, [bob.id])
      await storm(town, 4, 101)
      assert.deepEqual(titles(town).slice(1), ['200 Storm: 4 alarms'])
      // What comes while it is new is counted into it, and told as its new number.
      await town.later(60)
      await storm(town, 2, 201)
      await town.later(300)
      assert.deepEqual(titles(town).slice(2), ['200 Storm: 6 alarms'])
    })

    test('effects that outlive their cause are told by their own names, each until its own end', async () => {
      const town = await Town.open(store)
      const ann = await town.contact()
      await town.route({ name: 'all', step: [[0, ann.target]] })
      const { edges, cause, causeEnds } = await network(town, 3)
      const [first = 0n, second = 0n, third = 0n] = edges
      await town.later(25)
      assert.deepEqual(town.told, ['100 raised'])
      assert.equal(town.sent[0]?.message.alarm?.id, String(cause))
      await acknowledge(town, third)
      await causeEnds()
      await town.turn()
      assert.deepEqual(town.told, ['100 raised', '100 recovered'])
      assert.match(town.sent[1]?.message.text ?? '', /3 of them are still open/)
      await town.later(125)
      assert.deepEqual(town.told.slice(2), ['100 raised', '100 raised'], 'the third is acknowledged')
      assert.deepEqual(
        town.sent.slice(2).map(({ message }) => message.alarm?.id),
        [String(first), String(second)],
      )
      await recover(town, first)
      await town.turn()
      assert.deepEqual(
        town.sent.slice(4).map(({ message }) => `${message.change} ${message.alarm?.id}`),
        [`recovered ${first}`],
      )
      await recover(town, second)
      await recover(town, third)
      await town.turn()
      assert.deepEqual(
        town.sent.slice(5).map(({ message }) => `${message.change} ${message.alarm?.id}`),
        [`recovered ${second}`],
      )
    })

    test('very many effects that outlive their cause are one message', async () => {
      const town = await Town.open(store)
      const ann = await town.contact()
      await town.route({ name: 'all', step: [[0, ann.target]] })
      const { edges, causeEnds } = await network(town, 25)
      await town.later(25)
      await causeEnds()
      await town.turn()
      await town.later(125)
      assert.deepEqual(town.told, ['100 raised', '100 recovered', '100 summary'])
      assert.equal(town.sent.at(-1)?.message.title, 'Storm: 25 alarms')
      for (const id of edges) await recover(town, id)
      await town.turn()
      assert.equal(town.told.at(-1), '100 recovered')
      const [left] = await town.database.all('select count(*) as n from notify_member')
      assert.equal(left?.n, 0n)
    })

    test('whoever was told of a fault is told of its end, although the route was disabled or deleted', async () => {
      const town = await Town.open(store)
      const [ann, bob] = [await town.contact(), await town.contact()]
      const step: [number, string][] = [
        [0, ann.target],
        [600, bob.target],
      ]
      const disabled = await town.route({ name: 'first', filter: 'deviceIp=10.0.0.1', step })
      const deleted = await town.route({ name: 'second', filter: 'deviceIp=10.0.0.2', step })
      await town.down(1)
      await town.down(2)
      await town.turn()
      await town.database.transaction((tx) =>
        tx.run('update notify_route set enabled = 0 where id = ?', [disabled]),
      )
      await town.database.transaction((tx) => tx.run('delete from notify_route where id = ?', [deleted]))
      await town.later(700)
      assert.deepEqual(town.told, ['100 raised', '100 raised'], 'nobody else is called')
      await town.up(1)
      await town.up(2)
      await town.turn()
      assert.deepEqual(town.told.slice(2), ['100 recovered', '100 recovered'])
    })
  })
}

const gone = '1.3.6.1.4.1.32473.60.1'
const hot = '1.3.6.1.4.1.32473.60.2'

/** A core device that is down, and alarms of so many devices that are reached through it. */
async function network(town: Town, count: number) {
  const { database, world } = town
  const level = { alarmLevel: 2, alarmCategory: 2 }
  await create(database, trapEvents, { eventOid: gone, name: 'gone', ...level, outOfReach: true })
  const core = await create(database, devices, { ip: '10.9.0.1', label: 'core' })
  const parent = [{ deviceId: core, ifIndex: null, parentIfIndex: null }]
  const cause = await raise(town, core, gone)
  const edges: bigint[] = []
  for (let host = 2; host < 2 + count; host += 1) {
    const edge = await create(database, devices, { ip: `10.9.0.${host}`, label: `edge ${host}`, parent })
    edges.push(await raise(town, edge, hot))
  }
  world.time.now += 20_000
  await world.engine.releaseSuppressed(world.time.now, () => false)
  return { cause, edges, causeEnds: () => recover(town, cause) }
}

const raise = async (town: Town, deviceId: bigint, OID: string) =>
  (await raiseByProgram(town.world.engine, { OID, alarmLevel: 2, deviceId, alarmCategory: 2 })).id

const recover = (town: Town, id: bigint) => applyAction(town.world.engine, id, { action: 'recover' }, 'ann')
