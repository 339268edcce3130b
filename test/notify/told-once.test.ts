// Told once, in peace, and accounted for: several routes to one person, maintenance that begins later, limits, channels
// that fail, and a ledger that has every change.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { applyAction, type OperatorAction } from '../../src/alarms/actions/operator-actions.ts'
import { explain } from '../../src/notify/routes/explain.ts'
import { maintenances } from '../../src/resources/alarms/maintenance.ts'
import { create, erase } from '../../src/resources/collection.ts'
import { stores } from '../support.ts'
import { delivered, refused, Town } from './town.ts'

const act = (town: Town, id: bigint, action: OperatorAction) =>
  applyAction(town.world.engine, id, action, 'ann')

const rows = async (town: Town) =>
  (await town.ledger()).map(({ change, outcome, reason }) => [change, outcome, reason].join('|'))

for (const store of stores) {
  describe(`Told once on ${store.name}`, () => {
    test('two routes tell one person of a change once; the second is merged', async () => {
      const town = await Town.open(store)
      const [ann, bob] = [await town.contact(), await town.contact()]
      await town.route({ name: 'first', goOn: true, repeatAfter: 600, step: [[0, ann.target]] })
      await town.route({
        name: 'second',
        delay: 60,
        repeatAfter: 900,
        step: [[0, `${ann.target},${bob.target}`]],
      })
      const alarm = await town.down(1)
      await town.turn()
      await town.later(60)
      assert.deepEqual(town.told, ['100 raised', '200 raised'])
      assert.ok((await rows(town)).includes('raised|merged|another route has told this channel'))
      await act(town, alarm, { action: 'note', note: 'on my way' })
      await town.turn()
      await act(town, alarm, { action: 'acknowledge' })
      await town.turn()
      assert.deepEqual(town.told.slice(2).toSorted(), [
        '100 acknowledged',
        '100 note',
        '200 acknowledged',
        '200 note',
      ])
      await town.up(1)
      await town.turn()
      assert.deepEqual(town.told.slice(6).toSorted(), ['100 recovered', '200 recovered'])
      assert.ok((await town.ledger()).every(({ outcome }) => outcome !== 'pending'))
      // Repeats are those of either route.
      await town.down(2)
      await town.turn()
      await town.later(60)
      const before = town.sent.length
      await town.later(540)
      assert.deepEqual(town.told.slice(before), ['100 repeat'])
      await town.later(360)
      assert.deepEqual(town.told.slice(before + 1).toSorted(), ['100 repeat', '200 repeat'])
      await town.up(2)
      await town.turn()
      assert.ok(town.told.includes('100 recovered'))
    })

    test('what the first of two routes could not deliver is told by the second', async () => {
      const town = await Town.open(store)
      const ann = await town.contact()
      await town.route({ name: 'first', goOn: true, step: [[0, ann.target]] })
      await town.route({ name: 'second', step: [[0, ann.target]] })
      let tries = 0
      town.answer = () => {
        tries += 1
        return tries === 1 ? { ...refused, retry: false } : delivered
      }
      await town.down(1)
      await town.turn()
      assert.deepEqual(town.told, ['100 raised', '100 raised'])
      await town.up(1)
      await town.turn()
      assert.deepEqual(town.told.slice(2), ['100 recovered'])
    })

    test('a maintenance window that begins later pauses escalation and repeats, which then go on', async () => {
      const town = await Town.open(store)
      const [ann, bob] = [await town.contact([0, 300]), await town.contact()]
      await town.route({
        name: 'all',
        repeatAfter: 600,
        step: [
          [0, ann.target],
          [600, bob.target],
        ],
      })
      const alarm = await town.down(1)
      await town.turn()
      assert.deepEqual(town.told, ['100 raised'])
      await create(town.database, maintenances, { name: 'work', minutes: 60, zone: [1n] })
      for (let minute = 0; minute < 59; minute += 1) await town.later(60)
      assert.deepEqual(town.told, ['100 raised'])
      assert.deepEqual(
        (await rows(town)).filter((row) => row.includes('paused')),
        ['escalated|suppressed|paused by maintenance 1; it goes on afterwards'],
      )
      const waiting = (await town.ledger()).filter(({ outcome }) => outcome === 'pending')
      assert.deepEqual(
        waiting.map(({ reason }) => reason),
        ['maintenance 1', 'maintenance 1'],
      )
      await town.later(120)
      await town.later(60)
      assert.deepEqual(town.told.slice(1).toSorted(), ['101 raised', '200 escalated'])
      assert.ok((await explain(town.database, [], await town.world.alarm(alarm))).summary)
      // The next one is ended early: what is over by then is told as over, and nothing else is.
      const window = await create(town.database, maintenances, { name: 'more', minutes: 60, zone: [1n] })
      await town.later(601)
      assert.equal(town.sent.length, 3)
      await erase(town.database, maintenances, window)
      await town.up(1)
      await town.later(120)
      assert.deepEqual(town.told.slice(3).toSorted(), ['100 recovered', '101 recovered', '200 recovered'])
      assert.ok((await town.ledger()).every(({ outcome }) => outcome !== 'pending'))
    })

    test('a storm pauses only while all of its alarms are under maintenance', async () => {
      const town = await Town.open(store)
      const [ann, bob] = [await town.contact(), await town.contact()]
      await town.route({
        name: 'all',
        step: [
          [0, ann.target],
          [60, bob.target],
        ],
      })
      for (let device = 1; device <= 12; device += 1) await town.down(device)
      await town.turn()
      await create(town.database, maintenances, { name: 'all', minutes: 60, zone: [1n] })
      await town.later(40)
      await town.later(60)
      assert.ok(!town.sent.some(({ message }) => message.title.startsWith('Storm')))
      await town.database.transaction((tx) =>
        tx.run('update maintenance set until_time = ?, minutes = 1', [tx.now]),
      )
      await town.later(61)
      assert.ok(town.sent.some(({ message }) => message.title === 'Storm: 2 alarms'))
    })

    test('the alarm about a message that was given up is raised after a kill', async () => {
      const town = await Town.open(store)
      const ann = await town.contact()
      await town.route({ name: 'all', step: [[0, ann.target]] })
      town.answer = () => ({ ...refused, retry: false })
      town.isEnding = true
      await town.down(1)
      await town.turn().catch(() => undefined)
      await town.notifier.stop()
      assert.ok((await town.ledger()).some(({ outcome }) => outcome === 'givenUp'))
      town.isEnding = false
      town.notifier = town.another()
      await town.turn()
      await town.raised('notificationFailed')
      await town.later(11)
      assert.deepEqual(await town.database.all('select * from notify_failure'), [])
      const [alarm] = await town.database.all(
        "select alarm_desc from alarm where event_name = 'notificationFailed'",
      )
      assert.match(String(alarm?.alarm_desc), /channel 100 .* are not delivered: connection refused/)
    })

    test('the next step is executed at once where the only message of a step was given up', async () => {
      const town = await Town.open(store)
      const [ann, bob] = [await town.contact(), await town.contact()]
      await town.route({
        name: 'all',
        filter: 'deviceIp=10.0.0.1',
        step: [
          [0, ann.target],
          [3600, bob.target],
        ],
      })
      town.answer = ({ channelId }) => (channelId === 100n ? { ...refused, retry: false } : delivered)
      await town.down(1)
      await town.turn()
      await town.later(1)
      assert.deepEqual(town.told, ['100 raised', '200 escalated'])
    })

    test('the ledger has every change of a suppressed or shelved alarm', async () => {
      const town = await Town.open(store)
      const ann = await town.contact()
      await town.route({ name: 'all', step: [[0, ann.target]] })
      const window = await create(town.database, maintenances, { name: 'work', minutes: 60, zone: [1n] })
      const alarm = await town.down(1)
      await act(town, alarm, { action: 'acknowledge' })
      await act(town, alarm, { action: 'note', note: 'expected' })
      await town.up(1)
      await town.turn()
      const reason = 'suppressed|it was suppressed: maintenance 1'
      assert.deepEqual(await rows(town), [
        `raised|${reason}`,
        `acknowledged|${reason}`,
        `note|${reason}`,
        `recovered|${reason}`,
      ])
      await erase(town.database, maintenances, window)
      const other = await town.down(2)
      await town.turn()
      await act(town, other, { action: 'shelve', minutes: 60 })
      await act(town, other, { action: 'unshelve' })
      await town.turn()
      assert.deepEqual((await rows(town)).slice(4), [
        'raised|delivered|',
        'note|suppressed|the alarm was shelved',
        'note|merged|the end of its suppression is told',
        'raised|delivered|',
      ])
    })

    test('notes are limited, and that a limit was reached is not told in quiet hours', async () => {
      const town = await Town.open(store)
      const ann = await town.contact([0, 0], { quietFrom: '12:05', quietTo: '13:00', quietLevel: 1 })
      await town.route({ name: 'few', hourlyLimit: 4, step: [[0, ann.target]] })
      const alarm = await town.down(1)
      await town.turn()
      for (let note = 1; note <= 5; note += 1) {
        await act(town, alarm, { action: 'note', note: `note ${note}` })
        if (note === 2) await town.later(600)
        else await town.turn()
      }
      const notes = (await town.ledger()).filter(({ change }) => change === 'note')
      assert.equal(notes.filter(({ outcome }) => outcome === 'limited').length, 8)
      assert.deepEqual(town.told.toSorted(), ['100 note', '100 raised', '101 note', '101 raised'])
      await town.up(1)
      await town.turn()
      await town.later(3600)
      assert.deepEqual(town.told.slice(4).toSorted(), [
        '100 recovered',
        '100 summary',
        '101 recovered',
        '101 summary',
      ])
    })

    test('a person has one limit for all channels', async () => {
      const town = await Town.open(store)
      const ann = await town.contact([0, 0])
      await town.route({ name: 'all', hourlyLimit: 0, step: [[0, ann.target]] })
      await town.database.transaction((tx) =>
        tx.run("insert into notify_quota (name, began_at, used) values ('contact 1', ?, 199)", [tx.now]),
      )
      await town.down(1)
      await town.turn()
      assert.deepEqual(town.told.toSorted(), ['100 raised', '101 summary'])
      assert.match(town.sent.at(-1)?.message.title ?? '', /limit of one person/)
    })

    test('what was acknowledged while nobody read the log is in the summary, and its end is told as an end', async () => {
      const town = await Town.open(store)
      const [ann, bob] = [await town.contact(), await town.contact()]
      await town.route({
        name: 'all',
        step: [
          [0, ann.target],
          [300, bob.target],
        ],
      })
      const told = await town.down(9)
      await town.turn()
      const ids = [await town.down(1), await town.down(2), await town.down(3)]
      for (const id of [...ids, told]) await act(town, id, { action: 'acknowledge' })
      await town.up(1)
      town.world.time.now += 3_600_000
      town.notifier = town.another()
      await town.turn()
      await town.later(6)
      assert.deepEqual(town.told, ['100 raised', '100 acknowledged', '100 summary'])
      assert.match(town.sent[2]?.message.text ?? '', /3 alarms came in: 2 open \(2 acknowledged\), 1 over/)
      await town.later(600)
      assert.equal(town.sent.length, 3, 'nobody else is called')
      await town.up(2)
      await town.up(3)
      await town.turn()
      assert.equal(town.sent[3]?.message.title, 'Recovered: 3 alarms')
    })
  })
}
