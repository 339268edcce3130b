// A clock that is set back: what was planned by it comes after the time that it had still to wait, and not a day later.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { stores } from '../support.ts'
import { refused, Town } from './town.ts'

const day = 24 * 3600

for (const store of stores)
  describe(`A clock that is set back on ${store.name}`, () => {
    for (const restarts of [false, true]) {
      const when = restarts ? 'while the service does not run' : 'while the service runs'
      const setBack = async (town: Town) => {
        town.world.time.now -= day * 1000
        if (restarts) town.notifier = town.another()
        await town.turn()
      }

      test(`the next step, a later channel and repeats come in their time: ${when}`, async () => {
        const town = await Town.open(store)
        const [ann, bob] = [await town.contact([0, 120]), await town.contact()]
        await town.route({
          name: 'all',
          repeatAfter: 600,
          step: [
            [0, ann.target],
            [300, bob.target],
          ],
        })
        await town.down(1)
        await town.turn()
        assert.deepEqual(town.told, ['100 raised'])
        await setBack(town)
        assert.deepEqual(town.told, ['100 raised'])
        await town.later(121)
        assert.deepEqual(town.told.slice(1), ['101 raised'])
        await town.later(180)
        assert.deepEqual(town.told.slice(2), ['200 escalated'])
        await setBack(town)
        await town.later(601)
        assert.deepEqual(town.told.slice(3).sort(), ['100 repeat', '101 repeat', '200 repeat'])
      })

      test(`a channel that failed is tried again, and given up in its time: ${when}`, async () => {
        const town = await Town.open(store)
        await town.route({
          name: 'all',
          filter: 'deviceIp=10.0.0.1',
          step: [[0, (await town.contact()).target]],
        })
        town.answer = () => ({ ...refused, retryAfter: 600 })
        await town.down(1)
        await town.turn()
        assert.equal(town.told.length, 1)
        await setBack(town)
        await town.later(601)
        assert.equal(town.told.length, 2)
        await setBack(town)
        await town.later(601)
        await town.later(700)
        assert.deepEqual(
          (await town.ledger()).slice(0, 1).map(({ outcome }) => outcome),
          ['givenUp'],
        )
      })

      test(`a fault whose delay was running is told when it is over: ${when}`, async () => {
        const town = await Town.open(store)
        await town.route({ name: 'all', delay: 60, step: [[0, (await town.contact()).target]] })
        await town.down(1)
        await town.turn()
        await setBack(town)
        assert.deepEqual(town.told, [])
        await town.later(61)
        assert.deepEqual(town.told, ['100 raised'])
      })
    }

    test('an entry that was written before is told in its time, too', async () => {
      const town = await Town.open(store)
      await town.route({ name: 'all', delay: 60, step: [[0, (await town.contact()).target]] })
      await town.turn()
      await town.down(1)
      town.world.time.now -= day * 1000
      await town.turn()
      await town.later(61)
      assert.deepEqual(town.told, ['100 raised'])
    })
  })
