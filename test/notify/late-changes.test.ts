// Changes that come late, or at an awkward moment: to alarms that are over, and while another message is planned for later.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { applyAction, type OperatorAction } from '../../src/alarms/actions/operator-actions.ts'
import { stores } from '../support.ts'
import { network, raise } from './causes.ts'
import { Town } from './town.ts'

const act = (town: Town, id: bigint, action: OperatorAction) =>
  applyAction(town.world.engine, id, action, 'ann')

const rowsOf = async (town: Town, alarmId: bigint) =>
  (await town.ledger())
    .filter((row) => row.alarmId === alarmId)
    .map(({ change, outcome, reason }) => [change, outcome, reason ?? ''].join('|'))

for (const store of stores) {
  describe(`Late changes on ${store.name}`, () => {
    test('what operators do with an alarm that is over is in the ledger of those routes that took it', async () => {
      const town = await Town.open(store)
      const ann = await town.contact()
      await town.route({ name: 'first', filter: 'deviceIp=10.0.0.1', step: [[0, ann.target]] })
      const alarm = await town.down(1)
      const other = await town.down(2)
      await town.up(1)
      await town.up(2)
      await town.turn()
      const before = (await rowsOf(town, alarm)).length
      for (const id of [alarm, other]) {
        await act(town, id, { action: 'acknowledge' })
        await act(town, id, { action: 'note', note: 'a worn cable' })
        await act(town, id, { action: 'assign', owner: 'bob' })
        await act(town, id, { action: 'unacknowledge' })
      }
      await town.turn()
      const reason = 'suppressed|the alarm was over already'
      assert.deepEqual((await rowsOf(town, alarm)).slice(before), [
        `acknowledged|${reason}`,
        `note|${reason}`,
        `note|${reason}`,
        `repeat|${reason}`,
      ])
      assert.deepEqual(await rowsOf(town, other), [], 'no route took the other one')
    })

    test('an alarm that was over before its summary was written has its end in the ledger, too', async () => {
      const town = await Town.open(store)
      const ann = await town.contact()
      await town.route({ name: 'all', step: [[0, ann.target]] })
      const alarm = await town.down(1)
      await town.up(1)
      town.world.time.now += 3_600_000
      await town.turn()
      assert.deepEqual((await rowsOf(town, alarm)).slice(1), [
        'raised|merged|it is in the summary after the outage',
        'recovered|suppressed|the route no longer tells of it',
      ])
    })

    test('what was due while the service was down is told in the summary, too', async () => {
      const town = await Town.open(store)
      const ann = await town.contact()
      await town.route({ name: 'all', delay: 300, step: [[0, ann.target]] })
      const first = await town.down(1)
      for (const device of [2, 3]) await town.down(device)
      await town.turn()
      await town.up(3)
      await town.down(4)
      town.world.time.now += 3_600_000
      town.notifier = town.another()
      await town.turn()
      await town.later(6)
      assert.deepEqual(town.told, ['100 summary'])
      assert.match(town.sent[0]?.message.text ?? '', /^While .*, 3 alarms came in: 3 open, 0 over/)
      assert.deepEqual(await rowsOf(town, first), ['raised|merged|it is in the summary after the outage'])
      for (const device of [1, 2, 4]) await town.up(device)
      await town.turn()
      assert.deepEqual(town.told.slice(1), ['100 recovered'])
    })

    test('a route that was deleted has nothing to do with what comes after', async () => {
      const town = await Town.open(store)
      const ann = await town.contact()
      const id = await town.route({ name: 'all', step: [[0, ann.target]] })
      await town.route({ name: 'none', filter: 'deviceIp=10.0.0.99', step: [[0, ann.target]] })
      const alarm = await town.down(1)
      await town.up(1)
      await town.turn()
      const before = await rowsOf(town, alarm)
      await town.database.transaction((tx) => tx.run('delete from notify_route where id = ?', [id]))
      town.notifier = town.another()
      await act(town, alarm, { action: 'note', note: 'a worn cable' })
      await town.turn()
      assert.deepEqual(await rowsOf(town, alarm), before)
    })

    test('a note, and that it got worse, do not wait for an update that is planned for later', async () => {
      const town = await Town.open(store)
      const [core, edge = 0n] = await network(town)
      const ann = await town.contact()
      await town.route({ name: 'all', step: [[0, ann.target]] })
      const cause = await raise(town, core, '1.3.6.1.4.1.32473.60.1')
      await town.later(30)
      await raise(town, edge)
      await town.turn()
      assert.deepEqual(town.told, ['100 raised'])
      await act(town, cause, { action: 'note', note: 'on my way' })
      await town.turn()
      assert.deepEqual(town.told.slice(1), ['100 note'])
      await raise(town, core, '1.3.6.1.4.1.32473.60.1', { alarmLevel: 1 })
      await town.turn()
      assert.deepEqual(town.told.slice(2), ['100 worse'])
      await town.later(300)
      assert.deepEqual(town.told.slice(3), ['100 summary'])
    })

    test('a note does not wait for another channel, nor for one that is called again later', async () => {
      const town = await Town.open(store)
      const ann = await town.contact([0, 600])
      await town.route({ name: 'all', atEnd: 'again', repeatAfter: 60, step: [[0, ann.target]] })
      const alarm = await town.down(1)
      await town.turn()
      await town.later(600)
      assert.ok(town.told.includes('101 raised'))
      await town.later(70)
      const before = town.sent.length
      await act(town, alarm, { action: 'note', note: 'on my way' })
      await town.turn()
      assert.deepEqual(town.told.slice(before).toSorted(), ['100 note', '101 note'])
    })
  })
}
