// Ports that get other indexes while they are down, round by round: what is looked at, asked about again, and raised.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyAction } from '../../src/alarms/actions/operator-actions.ts'
import { onEveryStore, type World } from '../alarms/world.ts'
import { ModelSwitch } from './model-switch.ts'

let switches = 0

const begin = (world: World, ...names: string[]) => {
  switches += 1
  return ModelSwitch.of(world, `203.0.113.${switches}`, names)
}

/** What is alarmed, as "index name". */
const alarmed = async (one: ModelSwitch) =>
  (await one.openPorts()).map(({ index, name }) => `${index} ${name}`).sort()

await onEveryStore((world) => {
  const found = async (one: ModelSwitch, ...down: string[]) => {
    for (const name of down) await one.set(name, true)
    await one.look()
    await one.settle()
    assert.equal(await one.open(), one.truth)
  }

  for (const [what, wait] of [
    ['long after the faults', 600],
    ['just after the faults', 1],
  ] as const) {
    test(`ports that move along, change places, and go round: all at once, with a restart ${what}`, async () => {
      const one = await begin(world, 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')
      await found(one, 'a', 'b', 'c', 'd', 'e', 'f', 'g')
      one.pass(wait)
      // a and b move along, c and d change places, e, f and g go round.
      await one.restart({ a: 2, b: 8, h: 1, c: 4, d: 3, e: 6, f: 7, g: 5 })
      await one.look()
      await one.settle()
      assert.deepEqual(await alarmed(one), ['2 a', '3 d', '4 c', '5 g', '6 e', '7 f', '8 b'])
    })
  }

  test('the alarm of a port that has come up ends, although the port that has its index is down', async () => {
    const one = await begin(world, 'a', 'b', 'c')
    await found(one, 'a', 'b')
    await one.set('a', false)
    await one.restart({ a: 2, b: 1 })
    await one.look()
    await one.settle()
    assert.deepEqual(await alarmed(one), ['1 a', '2 b'], 'the place is taken')
    await one.verify()
    await one.settle()
    await one.look()
    await one.settle()
    assert.deepEqual(await alarmed(one), ['1 b'])
  })

  test('a fault that cannot be raised as its place is taken is raised later, whatever index it has then', async () => {
    const one = await begin(world, 'a', 'b', 'c')
    await one.set('b', true)
    // It seemed free when the device was asked; a report of another port comes before the leader's turn.
    await one.look()
    await one.restart({ a: 2, b: 3, c: 1 })
    await one.set('a', true, true)
    await one.settle()
    assert.deepEqual(await alarmed(one), ['2 a'])
    await one.look()
    await one.settle()
    assert.deepEqual(await alarmed(one), ['2 a', '3 b'])
  })

  for (const [what, verifies] of [
    ['', false],
    [', also when it is known whose it is now', true],
  ] as const) {
    test(`an alarm found by asking and taken over by another port is not the first one's any more${what}`, async () => {
      const one = await begin(world, 'a', 'b', 'c')
      await found(one, 'a')
      await one.restart({ a: 3, b: 1, c: 2 })
      one.pass(300)
      await one.set('b', true, true)
      if (verifies) await one.verify()
      await one.look()
      await one.settle()
      assert.equal(await one.open(), one.truth)
    })
  }

  test('an alarm is about the port for which it was last found open, whatever name it was raised with', async () => {
    const one = await begin(world, 'a', 'b', 'c')
    await found(one, 'a')
    await one.restart({ a: 3, b: 1, c: 2 })
    one.pass(300)
    await one.set('b', true, true)
    await one.look()
    await one.settle()
    await one.verify()
    await one.settle()
    assert.deepEqual(await one.open(), '1,3')
    await one.set('a', false)
    one.pass(300)
    await one.restart({ a: 1, b: 2, c: 3 })
    one.pass(300)
    await one.report('b')
    assert.deepEqual(await one.open(), '1,2,3')
    for (let round = 1; round < 3; round += 1) {
      await one.verify()
      await one.look()
      await one.settle()
    }
    assert.deepEqual(await alarmed(one), ['2 b'])
  })

  test('what is expected of a part is still expected if it could not be asked about again', async () => {
    const one = await begin(world, 'a', 'b', 'c')
    await found(one, 'a')
    await one.look()
    // Its alarm ends by a report that was meant for the port that has its index now.
    await one.restart({ a: 2, b: 1 })
    one.pass(300)
    await one.report('b')
    assert.deepEqual(await alarmed(one), [])
    // The device restarts before it is asked again: that answer counts for nothing.
    await one.look(() => one.restart())
    await one.settle()
    one.pass(300)
    await one.look()
    await one.settle()
    assert.deepEqual(await alarmed(one), ['2 a'])
  })

  test('an alarm that has ended without a name and at another index is known by its id', async () => {
    const one = await begin(world, 'a', 'b', 'c')
    await one.set('a', true, true)
    await world.database.transaction((tx) => tx.run('update alarm set if_desc = null where rec_status = 0'))
    await one.look()
    one.pass(300)
    await one.restart({ a: 2, b: 1 })
    one.pass(300)
    await one.report('b')
    assert.deepEqual(await alarmed(one), [])
    await one.look()
    await one.settle()
    assert.deepEqual(await alarmed(one), ['2 a'])
  })

  test('what a person has ended stays ended, also where the port has another index', async () => {
    const one = await begin(world, 'a', 'b', 'c')
    await found(one, 'a')
    await one.look()
    const [open] = await one.openPorts()
    await applyAction(world.engine, open?.id ?? 0n, { action: 'recover' }, 'admin')
    await one.restart({ a: 2, b: 1 })
    for (let round = 1; round < 3; round += 1) {
      await one.look()
      await one.settle()
      assert.deepEqual(await alarmed(one), [])
    }
  })

  test('a port that comes up between the two answers keeps what it has, and what waits for its place waits', async () => {
    const one = await begin(world, 'a', 'b', 'c')
    await found(one, 'a', 'b')
    await one.look()
    one.pass(300)
    await one.restart({ a: 2, b: 3, c: 1 })
    await one.look(() => one.set('b', false))
    await one.settle()
    assert.deepEqual(await alarmed(one), ['1 a', '2 b'])
    await one.verify()
    await one.settle()
    await one.look()
    await one.settle()
    assert.deepEqual(await alarmed(one), ['2 a'])
  })
})
