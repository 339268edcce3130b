// What happens to an incident besides its beginning and its end: late effects, changes in quiet hours, "I cannot", a log
// with holes, and who is told when no route cares.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { lastEntryNumber, openEpoch, openEpochAhead } from '../../src/alarms/log/epochs.ts'
import { raiseServiceAlarm } from '../../src/alarms/service/service-alarms.ts'
import type { SendResult } from '../../src/notify/message.ts'
import { explain } from '../../src/notify/routes/explain.ts'
import { NextSteps } from '../../src/notify/routes/next-step.ts'
import { readRoutes } from '../../src/notify/routes/route.ts'
import { RouteCache } from '../../src/notify/routes/route-index.ts'
import { create } from '../../src/resources/collection.ts'
import { devices } from '../../src/resources/inventory/device.ts'
import { ifIndex, linkDown } from '../alarms/world.ts'
import { patience } from '../patience.ts'
import { stores } from '../support.ts'
import { gone, hot, network, raise } from './causes.ts'
import { delivered, refused, Town } from './town.ts'

/** What the service has raised about itself. */
const ownAlarms = async (town: Town, event: string) =>
  (await town.database.all('select alarm_desc from alarm where event_name = ? order by id', [event])).map(
    (row) => String(row.alarm_desc),
  )

for (const store of stores) {
  describe(`Incidents on ${store.name}`, () => {
    test('effects are counted into the message of their cause, late ones too', async () => {
      const town = await Town.open(store)
      const [core, ...edges] = await network(town)
      const ann = await town.contact()
      await town.route({ name: 'all', step: [[0, ann.target]] })
      const [first = 0n, second = 0n, third = 0n] = edges
      // The effect is reported before its cause: it waits, and is not told by itself.
      await raise(town, first)
      await town.later(5)
      assert.deepEqual(town.told, [])
      const cause = await raise(town, core, gone)
      town.world.time.now += 20_000
      await town.world.engine.releaseSuppressed(town.world.time.now, () => false)
      await town.later(5)
      assert.deepEqual(town.told, ['100 raised'])
      assert.equal(town.sent[0]?.message.alarm?.id, String(cause))
      assert.equal(town.sent[0]?.message.children, 1)
      assert.match(town.sent[0]?.message.text ?? '', /1 alarm follows from it/)
      // Late ones: one message with the new number, in the same thread.
      await raise(town, second)
      const late = await raise(town, third)
      await town.later(30)
      assert.equal(town.told.length, 1)
      await town.later(300)
      assert.deepEqual(town.told, ['100 raised', '100 summary'])
      assert.equal(town.sent[1]?.message.children, 3)
      assert.equal(town.sent[1]?.message.incident, town.sent[0]?.message.incident)
      const merged = (await town.ledger()).filter(({ outcome }) => outcome === 'merged')
      assert.equal(merged.length, 3, 'each of them has an outcome of its own')
      const { summary } = await explain(town.database, [], await town.world.alarm(late))
      assert.equal(summary, `It was told through 1 channel with alarm ${cause}, which it was counted into.`)
    })

    test('whoever asks about one of a storm learns that it was told with the others', async () => {
      const town = await Town.open(store)
      const ann = await town.contact()
      await town.route({ name: 'all', step: [[0, ann.target]] })
      const routeCache = new RouteCache(town.database, 'UTC')
      const routes = (await readRoutes(town.database)).map((route) => routeCache.known(route))
      const summaryOf = async (id: bigint) => {
        const [alarm] = await town.world.alarmsOf(`10.0.0.${id}`)
        assert.ok(alarm)
        return (await explain(town.database, routes, alarm)).summary
      }
      for (let device = 1; device <= 15; device += 1) await town.down(device)
      await town.turn()
      const due =
        'Nobody was told yet: it is told with a storm of 5 alarms, whose message is due in 30 seconds.'
      assert.equal(await summaryOf(15n), due)
      await town.later(31)
      assert.equal(await summaryOf(15n), 'It was told through 1 channel with a storm of 5 alarms.')
      assert.equal(await summaryOf(1n), 'It was told through 1 channel.')
      await town.up(15)
      await town.turn()
      assert.equal(await summaryOf(15n), 'It was told through 1 channel with a storm of 5 alarms.')
    })

    test('what gets worse in quiet hours is told as soon as they let it pass', async () => {
      const town = await Town.open(store)
      const night = { quietFrom: '11:00', quietTo: '13:00', quietLevel: 1 }
      const [ann, bob] = [await town.contact([0], night), await town.contact()]
      await town.route({ name: 'all', step: [[0, `${ann.target},${bob.target}`]] })
      const device = await create(town.database, devices, { ip: '10.9.1.1', label: 'oven' })
      await raise(town, device)
      await town.turn()
      assert.deepEqual(town.told, ['200 raised'], 'Ann is left in peace')
      await raise(town, device, hot, { alarmLevel: 1 })
      await town.turn()
      assert.deepEqual(town.told.toSorted(), ['100 raised', '200 raised', '200 worse'])
      const told = town.sent.find(({ channelId }) => channelId === 100n)
      assert.equal(told?.message.alarm?.alarmLevel, 1)
    })

    test('a recovery is not sent where the fault was not delivered, although it was being sent when it ended', async () => {
      const town = await Town.open(store)
      const ann = await town.contact()
      await town.route({ name: 'all', step: [[0, ann.target]] })
      const attempt = Promise.withResolvers<void>()
      town.answer = async ({ message }) => {
        if (message.change !== 'raised') return delivered
        await attempt.promise
        return refused
      }
      await town.down(1)
      while (await town.notifier.turn());
      assert.deepEqual(town.told, ['100 raised'])
      await town.up(1)
      while (await town.notifier.turn());
      assert.deepEqual(
        (await town.ledger()).map(({ change, outcome }) => `${change} ${outcome}`),
        ['raised pending', 'recovered pending'],
      )
      attempt.resolve()
      await town.later(600)
      assert.deepEqual(town.told, ['100 raised'])
      assert.deepEqual(
        (await town.ledger()).map(({ change, outcome, reason }) => [change, outcome, reason]),
        [
          ['raised', 'suppressed', 'it was over before it could be delivered: connection refused'],
          ['recovered', 'suppressed', 'this channel was not told of the fault'],
        ],
      )
    })

    test('what had no answer in time may have arrived: its end is told', async () => {
      const town = await Town.open(store)
      const ann = await town.contact()
      await town.route({ name: 'all', step: [[0, ann.target]] })
      const late: SendResult = { outcome: 'failed', retry: true, reason: 'no answer', mayHaveArrived: true }
      town.answer = ({ message }) => (message.change === 'raised' ? late : delivered)
      await town.down(1)
      await town.turn()
      await town.up(1)
      await town.turn()
      await town.later(600)
      await town.later(600)
      assert.deepEqual(town.told, ['100 raised', '100 raised', '100 recovered'])
      assert.deepEqual(
        (await town.ledger()).map(({ change, outcome }) => `${change} ${outcome}`),
        ['raised suppressed', 'recovered delivered'],
      )
      // The same where it was given up before.
      await town.down(2)
      for (let minute = 0; minute < 40; minute += 1) await town.later(60)
      assert.ok((await town.ledger()).some(({ outcome }) => outcome === 'givenUp'))
      await town.up(2)
      await town.later(600)
      assert.equal(town.told.at(-1), '100 recovered')
    })

    test('the time of an attempt begins when it is its turn, and it does not begin after the lease', {
      timeout: patience,
    }, async (t) => {
      const town = await Town.open(store)
      const ann = await town.contact()
      await town.route({ name: 'all', step: [[0, ann.target]] })
      let turn = Promise.withResolvers<void>()
      const answer = Promise.withResolvers<void>()
      town.queue = () => turn.promise
      town.answer = async () => {
        await answer.promise
        return delivered
      }
      const { notifier } = town
      const asked = t.mock.method(town, 'queue')
      const until = async (condition: () => boolean) => {
        while (!condition()) await new Promise((resolve) => setImmediate(resolve))
      }
      t.mock.timers.enable({ apis: ['setTimeout'] })
      await town.down(1)
      while (await notifier.turn());
      await until(() => asked.mock.callCount() === 1)
      t.mock.timers.tick(60_000)
      turn.resolve()
      await until(() => town.sent.length === 1)
      t.mock.timers.tick(20_000)
      answer.resolve()
      await notifier.idle()
      t.mock.timers.reset()
      assert.deepEqual(
        (await town.ledger()).map(({ outcome, attempts, reason }) => [outcome, attempts, reason]),
        [['delivered', 1, null]],
      )
      turn = Promise.withResolvers<void>()
      await town.down(2)
      while (await notifier.turn());
      await until(() => asked.mock.callCount() === 2)
      town.isLeader = false
      turn.resolve()
      await notifier.idle()
      assert.equal(town.sent.length, 1)
      town.isLeader = true
      town.notifier = town.another()
      await town.turn()
      assert.deepEqual(town.told, ['100 raised', '100 raised'])
    })

    test('a sender whose time is over says how far it came; one that says nothing is not waited for', {
      timeout: patience,
    }, async (t) => {
      const expect = async (answer: Town['answer'], reason: string, attemptOpen: number) => {
        const town = await Town.open(store)
        const ann = await town.contact()
        await town.route({ name: 'all', step: [[0, ann.target]] })
        town.answer = answer
        const asked = t.mock.method(town, 'answer')
        t.mock.timers.enable({ apis: ['setTimeout'] })
        await town.down(1)
        while (await town.notifier.turn());
        while (asked.mock.callCount() === 0) await new Promise((resolve) => setImmediate(resolve))
        for (const step of [30_000, 1000]) {
          t.mock.timers.tick(step)
          await new Promise((resolve) => setImmediate(resolve))
        }
        await town.notifier.idle()
        t.mock.timers.reset()
        const [row] = await town.ledger()
        assert.deepEqual([row?.reason, row?.attemptOpen], [reason, attemptOpen])
      }
      const reason = 'silence at the greeting'
      const heeding: Town['answer'] = async (_sent, signal) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        return { outcome: 'failed', retry: true, reason }
      }
      await expect(heeding, reason, 0)
      await expect(() => new Promise(() => undefined), 'no answer in 30 seconds', 1)
    })

    test('"I cannot" calls the next step at once, for those incidents that the contact was told of', async () => {
      const town = await Town.open(store)
      const steps = new NextSteps(new RouteCache(town.database, 'UTC'))
      const [ann, bob, cid] = [await town.contact([0, 600]), await town.contact(), await town.contact()]
      await town.route({
        name: 'chain',
        goOn: true,
        step: [
          [0, ann.target],
          [3600, bob.target],
        ],
      })
      await town.route({
        name: 'others',
        step: [
          [0, cid.target],
          [3600, cid.target],
        ],
      })
      const alarm = await town.down(1)
      await town.turn()
      assert.deepEqual(town.told.toSorted(), ['100 raised', '300 raised'])
      const ask = (contactId: bigint) =>
        town.database.transaction((tx) => steps.ask(tx, alarm, { contactId, name: `contact ${contactId}` }))
      assert.equal(await ask(bob.id), false, 'Bob was not told')
      assert.equal(await steps.has(town.database, alarm, ann.id), true)
      assert.deepEqual(await Promise.all([ask(ann.id), ask(ann.id)]), [true, true], 'twice is once')
      await town.turn()
      assert.deepEqual(town.told.slice(2), ['200 escalated'])
      assert.equal(await ask(bob.id), false, 'there is no further step')
      await town.later(3000)
      assert.deepEqual(town.told.slice(3), [], "Ann's second channel is not used any more")
      await town.up(1)
      await town.turn()
      assert.deepEqual(town.told.slice(3).toSorted(), ['100 recovered', '200 recovered', '300 recovered'])
      assert.ok((await town.ledger()).every(({ outcome }) => outcome !== 'pending'))
    })

    test('people are told although the log grows faster than it is read', async () => {
      const town = await Town.open(store)
      const ann = await town.contact()
      await town.route({ name: 'one', filter: 'deviceIp=10.0.0.1', step: [[0, ann.target]] })
      await town.down(1)
      const { world } = town
      for (let second = 0; second < 10 && town.sent.length === 0; second += 1) {
        const flood = Array.from({ length: 300 }, (_, index) =>
          world.trap(linkDown, '10.7.0.1', [ifIndex(1000 * second + index)]),
        )
        await world.handle(...flood)
        world.time.now += 1000
        await town.notifier.turn()
        await town.notifier.idle()
      }
      assert.deepEqual(town.told, ['100 raised'])
    })

    test('changes that the log lost before they were read are said to be missing', async () => {
      const town = await Town.open(store)
      const ann = await town.contact()
      await town.route({ name: 'all', step: [[0, ann.target]] })
      await town.down(1)
      await town.turn()
      await town.notifier.stop()
      for (let device = 2; device <= 6; device += 1) await town.down(device)
      const last = await lastEntryNumber(town.database)
      await town.database.transaction((tx) => tx.run('delete from alarm_log where number < ?', [last]))
      town.notifier = town.another()
      await town.turn()
      assert.deepEqual(await ownAlarms(town, 'notificationsMissed'), [
        '4 changes of alarms were removed from the log before they could be told',
      ])
      const titles = town.sent.map(({ message }) => message.title).join('\n')
      assert.match(titles, /removed from the log/, 'people are told so')
      assert.match(titles, /10\.0\.0\.6/, 'and what the log still has')
    })

    test('a store that went back to an older state says so', async () => {
      const town = await Town.open(store)
      await openEpoch(town.database)
      const ann = await town.contact()
      await town.route({ name: 'all', step: [[0, ann.target]] })
      await town.down(1)
      await town.turn()
      await town.notifier.stop()
      const seen = { epoch: 0n, number: (await lastEntryNumber(town.database)) + 7n }
      await town.database.transaction((tx) => openEpochAhead(tx, { ids: new Map(), isReported: true, seen }))
      town.notifier = town.another()
      await town.turn()
      const expected =
        'The store went back to an older state: what happened in between may not have been told'
      assert.deepEqual(await ownAlarms(town, 'notificationsMissed'), [expected])
      assert.ok(town.sent.some(({ message }) => message.text.includes(expected)))
      await town.notifier.stop()
      town.notifier = town.another()
      await town.turn()
      assert.equal((await ownAlarms(town, 'notificationsMissed')).length, 1, 'once')
    })

    test('alarms of the service that a route takes and can tell nobody are told to administrators', async () => {
      const town = await Town.open(store)
      await town.database.transaction(async (tx) => {
        const insert = 'insert into operator (id, name, name_key, role, enabled) values (?, ?, ?, ?, 1)'
        await tx.run(insert, [1, 'root', 'root', 'administrator'])
      })
      const [ann, boss] = [await town.contact(), await town.contact([0], { operatorId: 1 })]
      await town.route({ name: 'night', filter: 'alarmLevel=4', step: [[0, 'schedule:9']] })
      await town.route({ name: 'all', position: 2, step: [[0, ann.target]] })
      town.answer = ({ channelId }) => (channelId === ann.channels[0] ? refused : delivered)
      await town.down(1)
      for (let minute = 0; minute < 32; minute += 1) await town.later(60)
      await town.raised('notificationFailed')
      for (let minute = 0; minute < 3; minute += 1) await town.later(60)
      const toBoss = () => town.sent.filter(({ channelId }) => channelId === boss.channels[0])
      assert.deepEqual(
        toBoss().map(({ message }) => message.change),
        ['raised'],
      )
      assert.match(toBoss()[0]?.message.text ?? '', /are not delivered: connection refused/)
      assert.ok(
        (await town.ledger()).some(
          ({ reason }) => reason === 'step 1: the alarm is about the only channel of this step',
        ),
      )
      town.answer = () => delivered
      await town.down(2)
      await town.later(400)
      await town.later(20)
      assert.deepEqual(
        toBoss().map(({ message }) => message.change),
        ['raised', 'recovered'],
      )
    })

    test('alarms of the service that no route takes are told to administrators, and to nobody else', async () => {
      const town = await Town.open(store)
      await town.database.transaction(async (tx) => {
        const insert = 'insert into operator (id, name, name_key, role, enabled) values (?, ?, ?, ?, 1)'
        await tx.run(insert, [1, 'root', 'root', 'administrator'])
        await tx.run(insert, [2, 'guest', 'guest', 'viewer'])
      })
      const boss = await town.contact([0], { operatorId: 1 })
      await town.contact([0], { operatorId: 2 })
      const other = await town.contact()
      await town.route({ name: 'devices', filter: 'deviceIp=10.0.0.1', step: [[0, other.target]] })
      await raiseServiceAlarm(town.world.engine, 'reportFailed', 'schedule=1', 'it failed')
      await raise(town, 0n, hot, { alarmDesc: 'of a program' })
      await town.later(30)
      assert.deepEqual(town.told, [])
      await town.later(31)
      assert.deepEqual(town.told, [`${boss.channels[0]} raised`])
      assert.match(town.sent[0]?.message.text ?? '', /it failed[\s\S]*route last resort/)
    })
  })
}
