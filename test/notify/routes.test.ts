// What routes tell, to whom, and in which order.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { raiseByProgram } from '../../src/alarms/actions/program-alarms.ts'
import { raiseServiceAlarm } from '../../src/alarms/service/service-alarms.ts'
import { serviceEvents } from '../../src/events/service-events.ts'
import { maintenances } from '../../src/resources/alarms/maintenance.ts'
import { create } from '../../src/resources/collection.ts'
import { stores } from '../support.ts'
import { delivered, refused, Town } from './town.ts'

const outcomes = async (town: Town) =>
  (await town.ledger()).map(({ change, outcome }) => `${change} ${outcome}`)

for (const store of stores) {
  describe(`Routes on ${store.name}`, () => {
    const openTown = () => Town.open(store)

    test('a fault is told once, and its end to those who were told', async () => {
      const town = await openTown()
      const ann = await town.contact()
      await town.route({ name: 'all', step: [[0, ann.target]] })
      await town.down(1)
      await town.turn()
      assert.deepEqual(town.told, ['100 raised'])
      await town.up(1)
      await town.turn()
      assert.deepEqual(town.told, ['100 raised', '100 recovered'])
      assert.deepEqual(await outcomes(town), ['raised delivered', 'recovered delivered'])
      const [first, second] = town.sent
      assert.equal(first?.message.incident, second?.message.incident)
      assert.notEqual(first?.message.id, second?.message.id)
      assert.match(first?.message.title ?? '', /10\.0\.0\.1/)
      assert.match(first?.message.text ?? '', /^Device: 10\.0\.0\.1$/m, 'it has no name: the address once')
    })

    test('without routes, alarms of the service about itself are taken, and those that programs raise about no device are not', async () => {
      const town = await openTown()
      const { engine } = town.world
      await raiseByProgram(engine, {
        OID: '1.3.6.1.4.1.32473.9.1',
        alarmLevel: 1,
        alarmDesc: 'Smoke',
        deviceIp: '127.0.0.1',
      })
      await raiseServiceAlarm(engine, 'trapsLost', 'traps', 'Traps were lost')
      await town.turn()
      const taken = new Set((await town.ledger()).map(({ alarmId }) => alarmId))
      const [own] = await town.database.all('select id from alarm where oid = ?', [
        serviceEvents.trapsLost.eventOid,
      ])
      assert.deepEqual([...taken], [own?.id])
    })

    test('a fault that ends within the delay is told to nobody, and the ledger says why', async () => {
      const town = await openTown()
      const ann = await town.contact()
      await town.route({ name: 'all', delay: 60, step: [[0, ann.target]] })
      await town.down(1)
      await town.later(30)
      await town.up(1)
      await town.later(60)
      assert.deepEqual(town.told, [])
      const rows = await town.ledger()
      assert.deepEqual(
        rows.map(({ change, outcome, reason }) => [change, outcome, reason]),
        [
          ['raised', 'suppressed', 'it was over before it was sent'],
          ['recovered', 'suppressed', 'nobody was told yet'],
        ],
      )
    })

    test('routes are asked in order, the first that takes a fault is the last, unless it lets others go on', async () => {
      const town = await openTown()
      const [ann, bob, cid] = [await town.contact(), await town.contact(), await town.contact()]
      await town.route({ name: 'third', position: 30, step: [[0, cid.target]] })
      await town.route({
        name: 'first',
        position: 10,
        goOn: true,
        filter: 'deviceIp=10.0.0.1',
        step: [[0, ann.target]],
      })
      await town.route({
        name: 'second',
        position: 20,
        filter: 'eventOid=1.3.6.1.6.3.1.1.5.*',
        step: [[0, bob.target]],
      })
      await town.down(1)
      await town.down(2)
      await town.turn()
      assert.deepEqual(town.told.sort(), ['100 raised', '200 raised', '200 raised'])
    })

    test('category, weekdays and hours are part of whether a route takes a fault', async () => {
      const town = await openTown()
      const [ann, bob, cid] = [await town.contact(), await town.contact(), await town.contact()]
      // The clock stands at Wednesday, 12:00 UTC, which is 14:00 in Berlin.
      const berlin = { goOn: true, timeZone: 'Europe/Berlin' }
      await town.route({
        ...berlin,
        name: 'night',
        fromTime: '22:00',
        toTime: '06:00',
        step: [[0, ann.target]],
      })
      await town.route({
        ...berlin,
        name: 'day',
        fromTime: '13:00',
        toTime: '15:00',
        weekDays: '3',
        step: [[0, bob.target]],
      })
      await town.route({ name: 'category', filter: 'alarmCategory=999', goOn: true, step: [[0, cid.target]] })
      await town.down(1)
      await town.turn()
      assert.deepEqual(town.told, ['200 raised'])
      await town.up(1)
      await town.later(9 * 3600)
      await town.down(2)
      await town.turn()
      assert.deepEqual(town.told, ['200 raised', '200 recovered', '100 raised'])
    })

    test('steps escalate until somebody acknowledges; a step with nobody does not wait and says so', async () => {
      const town = await openTown()
      const [ann, bob, cid] = [await town.contact(), await town.contact(), await town.contact()]
      town.onCall.set(7n, [])
      await town.route({
        name: 'chain',
        step: [
          [0, ann.target],
          [300, 'schedule:7'],
          [300, bob.target],
          [300, cid.target],
        ],
      })
      const alarm = await town.down(1)
      await town.later(1)
      assert.deepEqual(town.told, ['100 raised'])
      await town.later(301)
      assert.deepEqual(town.told, ['100 raised', '200 escalated'])
      const skipped = (await town.ledger()).find(({ outcome }) => outcome === 'suppressed')
      assert.equal(skipped?.reason, 'step 2: schedule 7 has nobody on call')
      await town.world.engine.change(async (changes) => {
        await changes.load([alarm])
        changes.update.acknowledge(alarm, { userName: 'bob' })
      })
      await town.later(600)
      assert.deepEqual(town.told.slice(2).sort(), ['100 acknowledged', '200 acknowledged'])
      assert.match(town.sent.at(-1)?.message.text ?? '', /Acknowledged by bob/)
      await town.up(1)
      await town.turn()
      assert.deepEqual(town.told.slice(4).sort(), ['100 recovered', '200 recovered'])
    })

    test('channels of a contact are used in their order, and not after an acknowledgement', async () => {
      const town = await openTown()
      const ann = await town.contact([0, 120, 120])
      await town.route({ name: 'all', step: [[0, ann.target]] })
      const alarm = await town.down(1)
      await town.turn()
      await town.later(119)
      assert.deepEqual(town.told, ['100 raised'])
      await town.later(1)
      assert.deepEqual(town.told, ['100 raised', '101 raised'])
      await town.world.engine.change(async (changes) => {
        await changes.load([alarm])
        changes.update.acknowledge(alarm, { userName: 'ann' })
      })
      await town.later(600)
      assert.deepEqual(town.told.slice(2), ['100 acknowledged', '101 acknowledged'])
      const last = (await town.ledger()).find(({ channelId }) => channelId === 102n)
      assert.equal(last?.reason, 'it was acknowledged by ann')
    })

    test('those who were told are told again while nobody acknowledges, or the chain begins again', async () => {
      const town = await openTown()
      const [ann, bob] = [await town.contact(), await town.contact()]
      await town.route({ name: 'repeat', goOn: true, repeatAfter: 600, step: [[0, ann.target]] })
      await town.route({ name: 'again', atEnd: 'again', repeatAfter: 900, step: [[0, bob.target]] })
      await town.down(1)
      await town.turn()
      await town.later(600)
      assert.deepEqual(town.told.sort(), ['100 raised', '100 repeat', '200 raised'])
      await town.later(300)
      assert.deepEqual(town.told.slice(3), ['200 escalated'])
      await town.later(300)
      assert.deepEqual(town.told.slice(4), ['100 repeat'])
    })

    test('quiet hours hold back what they do not let pass; what got worse passes, what is over does not come', async () => {
      const town = await openTown()
      const ann = await town.contact([0], { quietFrom: '11:00', quietTo: '13:00', quietLevel: 1 })
      await town.route({ name: 'all', step: [[0, ann.target]] })
      await town.down(1)
      await town.down(2)
      await town.turn()
      assert.deepEqual(town.told, [])
      await town.up(2)
      await town.later(3600)
      assert.deepEqual(town.told, ['100 raised'])
      assert.equal(town.sent[0]?.message.alarm?.deviceIp, '10.0.0.1')
    })

    test('a suppressed fault is not told, and the one that outlives its window is', async () => {
      const town = await openTown()
      const ann = await town.contact()
      await town.route({ name: 'all', step: [[0, ann.target]] })
      await create(town.database, maintenances, { name: 'work', minutes: 30, zone: [1n] })
      const alarm = await town.down(1)
      await town.turn()
      assert.deepEqual(town.told, [])
      const [row] = await town.ledger()
      assert.equal(row?.outcome, 'suppressed')
      assert.equal(row?.reason, 'it was suppressed: maintenance 1')
      town.world.time.now += 31 * 60_000
      await town.world.engine.releaseSuppressed(town.world.time.now, () => false)
      await town.turn()
      assert.deepEqual(town.told, ['100 raised'])
      assert.equal(town.sent[0]?.message.alarm?.id, String(alarm))
    })

    test('a shelved incident calls nobody; when the shelf ends it begins again', async () => {
      const town = await openTown()
      const [ann, bob] = [await town.contact(), await town.contact()]
      await town.route({
        name: 'all',
        step: [
          [0, ann.target],
          [300, bob.target],
        ],
      })
      const alarm = await town.down(1)
      await town.turn()
      await town.world.engine.change(async (changes) => {
        await changes.load([alarm])
        changes.update.shelve(alarm, { userName: 'ann', until: town.world.time.now + 3_600_000, level: 0 })
      })
      await town.later(1800)
      assert.deepEqual(town.told, ['100 raised'])
      town.world.time.now += 1_900_000
      await town.world.engine.releaseSuppressed(town.world.time.now, () => false)
      await town.turn()
      await town.later(300)
      assert.deepEqual(town.told, ['100 raised', '100 raised', '200 escalated'])
    })

    test('a channel that fails is tried again, later and later; then the next channel is used, and an alarm says so', async () => {
      const town = await openTown()
      const ann = await town.contact([0, 86_400])
      const boss = await town.contact([0])
      await town.route({
        name: 'service',
        position: 1,
        filter: 'deviceIp=127.0.0.1',
        step: [[0, `${boss.target},channel:100`]],
      })
      await town.route({ name: 'all', position: 2, step: [[0, ann.target]] })
      town.answer = ({ channelId }) =>
        channelId === 100n ? refused : { outcome: 'delivered', answer: '200' }
      await town.down(1)
      await town.turn()
      for (let minute = 0; minute < 32; minute += 1) await town.later(60)
      await town.raised('notificationFailed')
      for (let minute = 0; minute < 3; minute += 1) await town.later(60)
      const tries = town.told.filter((one) => one === '100 raised').length
      assert.ok(tries >= 6 && tries <= 15, `${tries} attempts`)
      assert.equal(
        new Set(town.sent.filter(({ channelId }) => channelId === 100n).map(({ message }) => message.id))
          .size,
        1,
      )
      assert.deepEqual(town.told.filter((one) => !one.startsWith('100')).sort(), ['101 raised', '200 raised'])
      const about = town.sent.find(({ channelId }) => channelId === 200n)
      assert.match(
        about?.message.text ?? '',
        /channel 100 \(gateway hook, of contact 1\) are not delivered: connection refused/,
      )
      // It delivers again: the alarm ends.
      town.answer = () => ({ outcome: 'delivered', answer: '200' })
      await town.down(2)
      await town.later(300)
      await town.later(20)
      assert.ok(town.told.includes('200 recovered'))
    })

    test('while an attempt is under way, the ledger says why the one before it failed', async () => {
      const town = await openTown()
      await town.route({ name: 'all', step: [[0, (await town.contact()).target]] })
      const held = Promise.withResolvers<void>()
      town.answer = async () => {
        if (town.sent.length < 2) return refused
        await held.promise
        return { outcome: 'delivered', answer: '200' }
      }
      await town.down(1)
      await town.turn()
      while (town.sent.length < 2) {
        town.world.time.now += 5000
        await town.notifier.turn()
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      const shown = async () => {
        const [{ outcome, reason, attempts } = {}] = await town.ledger()
        return { outcome, reason, attempts }
      }
      assert.deepEqual(await shown(), { outcome: 'pending', reason: 'connection refused', attempts: 2 })
      held.resolve()
      await town.turn()
      assert.deepEqual(await shown(), { outcome: 'delivered', reason: null, attempts: 2 })
    })

    test('new messages of a channel wait for as long as the other side asks, also after a restart', async () => {
      const town = await openTown()
      const [ann, bob] = [await town.contact([0, 86_400]), await town.contact()]
      await town.route({ name: 'all', step: [[0, `${ann.target},${bob.target}`]] })
      town.answer = ({ channelId }) => (channelId === 100n ? { ...refused, retryAfter: 600 } : delivered)
      const tries = () => town.told.filter((one) => one.startsWith('100 ')).length
      for (let device = 1; device <= 9; device += 1) {
        await town.down(device)
        await town.later(8)
      }
      assert.equal(tries(), 1)
      assert.equal(town.told.filter((one) => one === '200 raised').length, 9)
      // What failed is over: the channel is left alone all the same.
      await town.up(1)
      town.notifier = town.another()
      await town.later(400)
      assert.equal(tries(), 1)
      await town.later(200)
      assert.equal(tries(), 2)
      town.answer = () => delivered
      await town.later(601)
      assert.equal(tries(), 10)
      await town.down(20)
      await town.later(8)
      assert.equal(tries(), 11)
    })

    test('a channel that wants to be left alone for longer is asked once more before a message is given up', async () => {
      const town = await openTown()
      const ann = await town.contact([0, 86_400])
      await town.route({ name: 'all', step: [[0, ann.target]] })
      town.answer = ({ channelId }) => (channelId === 100n ? { ...refused, retryAfter: 3600 } : delivered)
      await town.down(1)
      await town.turn()
      for (let minute = 0; minute < 29; minute += 1) await town.later(60)
      assert.deepEqual(town.told, ['100 raised'])
      await town.later(60)
      assert.deepEqual(town.told, ['100 raised', '100 raised', '101 raised'])
    })

    test('what one channel does delays no other', async () => {
      const town = await openTown()
      const [ann, bob] = [await town.contact(), await town.contact()]
      await town.route({ name: 'all', step: [[0, `${ann.target},${bob.target}`]] })
      let release = () => {}
      const held = new Promise<void>((resolve) => (release = resolve))
      town.answer = async ({ channelId }) => {
        if (channelId === 100n) await held
        return { outcome: 'delivered', answer: '200' }
      }
      for (let device = 1; device <= 3; device += 1) {
        await town.down(device)
        while (await town.notifier.turn());
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      assert.equal(town.told.filter((one) => one === '200 raised').length, 3)
      assert.equal(town.told.filter((one) => one === '100 raised').length, 1)
      release()
      await town.turn()
      assert.equal(town.told.filter((one) => one === '100 raised').length, 3)
    })

    test('very many faults become one message with a number, and so does their end', async () => {
      const town = await openTown()
      const ann = await town.contact()
      await town.route({ name: 'all', step: [[0, ann.target]] })
      for (let device = 1; device <= 60; device += 1) await town.down(device)
      await town.turn()
      await town.later(31)
      assert.equal(town.told.filter((one) => one === '100 raised').length, 10)
      const storm = town.sent.at(-1)?.message
      assert.equal(storm?.change, 'summary')
      assert.equal(storm?.title, 'Storm: 50 alarms')
      for (let device = 1; device <= 60; device += 1) await town.up(device)
      await town.turn()
      assert.equal(town.told.filter((one) => one === '100 recovered').length, 11)
      assert.equal((await town.ledger()).filter(({ outcome }) => outcome === 'pending').length, 0)
    })

    test('a route that reaches its limit says so, once, and the rest is listed as limited', async () => {
      const town = await openTown()
      const ann = await town.contact()
      await town.route({ name: 'few', hourlyLimit: 3, step: [[0, ann.target]] })
      for (let device = 1; device <= 6; device += 1) {
        await town.down(device)
        await town.later(61)
      }
      assert.deepEqual(town.told, ['100 raised', '100 raised', '100 raised', '100 summary'])
      assert.match(town.sent.at(-1)?.message.title ?? '', /limit of route few/)
      const limited = (await town.ledger()).filter(({ outcome }) => outcome === 'limited')
      assert.equal(limited.length, 3)
      for (let device = 1; device <= 6; device += 1) await town.up(device)
      await town.turn()
      assert.equal(town.told.filter((one) => one === '100 recovered').length, 3)
    })

    test('the one message of a storm, or of a summary, leaves although the limit is reached', async () => {
      const town = await openTown()
      const [ann, bob] = [await town.contact(), await town.contact()]
      await town.route({ name: 'few', hourlyLimit: 20, step: [[0, `${ann.target},${bob.target}`]] })
      for (let device = 1; device <= 15; device += 1) await town.down(device)
      await town.turn()
      await town.later(31)
      const summaries = () => town.sent.filter(({ message }) => message.change === 'summary')
      assert.deepEqual(
        summaries().map(({ channelId, message }) => `${channelId} ${message.title}`),
        ['100 Storm: 5 alarms', '200 Storm: 5 alarms'],
      )
      for (let device = 21; device <= 23; device += 1) await town.down(device)
      town.world.time.now += 700_000
      town.notifier = town.another()
      await town.turn()
      await town.later(6)
      assert.deepEqual(
        summaries()
          .slice(2)
          .map(({ channelId, message }) => `${channelId} ${message.title}`),
        ['100 Summary after an outage: 3 alarms', '200 Summary after an outage: 3 alarms'],
      )
      await town.down(30)
      await town.later(61)
      assert.match(summaries().at(-1)?.message.title ?? '', /limit of route few/)
    })

    test('what happened while nobody read the log is one summary, which escalates while something is open', async () => {
      const town = await openTown()
      const [ann, bob] = [await town.contact(), await town.contact()]
      await town.route({
        name: 'all',
        step: [
          [0, ann.target],
          [300, bob.target],
        ],
      })
      for (let device = 1; device <= 5; device += 1) await town.down(device)
      for (let device = 1; device <= 3; device += 1) await town.up(device)
      town.world.time.now += 3_600_000
      town.notifier = town.another()
      await town.turn()
      await town.later(6)
      assert.deepEqual(town.told, ['100 summary'])
      assert.match(town.sent[0]?.message.text ?? '', /5 alarms came in: 2 open, 3 over/)
      await town.later(301)
      assert.deepEqual(town.told, ['100 summary', '200 escalated'])
      await town.up(4)
      await town.up(5)
      await town.turn()
      assert.deepEqual(town.told.slice(2).sort(), ['100 recovered', '200 recovered'])
    })

    test('alarms of the service that nobody can be told of say so in the ledger', async () => {
      const town = await openTown()
      await town.contact()
      await raiseServiceAlarm(town.world.engine, 'reportFailed', 'schedule=1', 'it failed')
      await town.turn()
      await town.later(61)
      assert.deepEqual(town.told, [])
      assert.equal((await town.ledger())[0]?.reason, 'step 1: no administrator has a confirmed channel')
    })

    test('an attempt without an answer is repeated with its id, and nothing else is', async () => {
      const town = await openTown()
      const ann = await town.contact()
      await town.route({ name: 'all', step: [[0, ann.target]] })
      let lost = 0
      town.answer = async () => {
        lost += 1
        town.isLeader = lost > 1
        return { outcome: 'delivered', answer: '200', reference: 'first' }
      }
      await town.down(1)
      while (await town.notifier.turn());
      const before = town.notifier
      // Its answer cannot be stored: another one leads by now.
      town.notifier = town.another()
      town.isLeader = true
      await before.stop()
      await town.turn()
      await town.up(1)
      await town.turn()
      const ids = town.sent.map(({ message }) => message.id)
      assert.deepEqual(town.told.at(-1), '100 recovered')
      assert.ok(new Set(ids).size <= 2)
      assert.equal(town.sent.at(-1)?.message.earlier, 'first')
    })
  })
}
