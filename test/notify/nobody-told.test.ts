// Where the messages of a route reach nobody: they were refused or limited, or nobody was on call. The route asks again, and
// alarms of the service go to the last resort.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { raiseServiceAlarm } from '../../src/alarms/service/service-alarms.ts'
import type { SendResult } from '../../src/notify/message.ts'
import { stores } from '../support.ts'
import { delivered, Town } from './town.ts'

const never: SendResult = { outcome: 'failed', retry: false, reason: 'the receiver refuses: 404' }

/** An administrator, as a contact. */
async function administrator(town: Town) {
  await town.database.transaction((tx) =>
    tx.run('insert into operator (id, name, name_key, role, enabled) values (?, ?, ?, ?, 1)', [
      ...[1, 'root', 'root', 'administrator'],
    ]),
  )
  return town.contact([0], { operatorId: 1 })
}

/** An alarm of the service about itself. */
const ownAlarm = (town: Town, report = 1) =>
  raiseServiceAlarm(town.world.engine, 'reportFailed', `schedule=${report}`, 'it failed')

/** Bounded, where a chain that spins would never be done. */
async function turns(town: Town, count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) {
    await town.notifier.turn()
    await town.notifier.idle()
  }
}

for (const store of stores) {
  describe(`Nobody told on ${store.name}`, () => {
    test('an alarm of the service whose messages were all limited is told to administrators', async () => {
      const town = await Town.open(store)
      const [ann, boss] = [await town.contact(), await administrator(town)]
      await town.route({ name: 'all', hourlyLimit: 1, step: [[0, ann.target]] })
      await town.down(1)
      await town.turn()
      await ownAlarm(town)
      await town.turn()
      assert.deepEqual(town.told.toSorted(), ['100 raised', '100 summary', `${boss.channels[0]} raised`])
      assert.match(town.sent.at(-1)?.message.text ?? '', /it failed[\s\S]*route all/)
    })

    test('the limit of a person does not silence the last resort', async () => {
      const town = await Town.open(store)
      const boss = await administrator(town)
      await town.database.transaction((tx) =>
        tx.run("insert into notify_quota (name, began_at, used) values ('contact 1', ?, 100000)", [tx.now]),
      )
      await ownAlarm(town)
      await town.later(61)
      assert.deepEqual(town.told, [`${boss.channels[0]} raised`])
    })

    for (const atEnd of ['stop', 'again'] as const)
      test(`an alarm of the service that was given up at the last step is told to administrators once (${atEnd})`, async () => {
        const town = await Town.open(store)
        const [ann, bob] = [await town.contact(), await town.contact()]
        const boss = await administrator(town)
        const [channel] = boss.channels
        await town.route({
          ...{ name: 'reports', repeatAfter: 600, atEnd },
          step: [
            [0, ann.target],
            [3600, bob.target],
          ],
        })
        town.answer = ({ channelId }) => (channelId === channel ? delivered : never)
        await ownAlarm(town)
        await turns(town, 12)
        const reports = town.sent.filter(({ message }) => /it failed/.test(message.text))
        assert.deepEqual(
          reports.map(({ channelId }) => channelId),
          [ann.channels[0], bob.channels[0], channel],
        )
      })

    test('a chain that begins again does not hurry where every message is refused', async () => {
      const town = await Town.open(store)
      const ann = await town.contact()
      await town.route({
        ...{ name: 'all', filter: 'deviceIp=10.0.0.1', atEnd: 'again', repeatAfter: 900 },
        step: [[0, ann.target]],
      })
      town.answer = () => never
      await town.down(1)
      await turns(town, 20)
      assert.deepEqual(town.told, ['100 raised'])
      town.world.time.now += 900_000
      await turns(town, 20)
      assert.equal(town.sent.length, 2)
    })

    test('a repeat begins the steps again as long as nobody was told', async () => {
      const town = await Town.open(store)
      const [ann, bob] = [await town.contact(), await town.contact()]
      town.onCall.set(7n, [])
      await town.route({
        ...{ name: 'all', filter: 'deviceIp=10.0.0.1', repeatAfter: 600 },
        step: [
          [0, ann.target],
          [300, 'schedule:7'],
        ],
      })
      town.answer = ({ channelId }) => (channelId === 100n ? never : delivered)
      await town.down(1)
      await town.turn()
      assert.deepEqual(town.told, ['100 raised'])
      // Somebody comes on duty.
      town.onCall.set(7n, [bob.id])
      await town.later(601)
      await town.turn()
      assert.deepEqual(town.told.slice(1), ['100 repeat', '200 escalated'])
      await town.later(601)
      assert.deepEqual(town.told.slice(3), ['200 repeat'], 'those who were told')
      await town.up(1)
      await town.turn()
      assert.deepEqual(town.told.slice(4), ['200 recovered'])
    })

    test('where the only channel was deleted before it could be told, the next step is due at once', async () => {
      const town = await Town.open(store)
      const [ann, bob] = [await town.contact([0], quiet), await town.contact()]
      await town.route({
        name: 'all',
        step: [
          [0, ann.target],
          [36_000, bob.target],
        ],
      })
      await town.down(1)
      await town.turn()
      assert.deepEqual(town.told, [], 'quiet hours')
      await town.database.transaction((tx) => tx.run('delete from channel where id = 100'))
      await town.later(3601)
      await town.later(1)
      assert.deepEqual(town.told, ['200 escalated'])
    })
  })
}

const quiet = { quietFrom: '11:00', quietTo: '13:00', quietLevel: 1 }
