import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dryRunEvent } from '../../src/alarms/engine/event-dry-run.ts'
import { type TrapEvent, trapEvent } from '../../src/resources/alarms/trap-event.ts'
import { complete } from '../../src/schema/read-document.ts'
import { ifDescr, ifIndex, onEveryStore, variable, type World } from './world.ts'

const failed = '1.3.6.1.4.1.32473.1.0.1'
const port = { oid: '1.3.6.1.2.1.2.2.1.1', name: 'port', isKey: true }

const definition = (draft: object) =>
  complete(trapEvent.fields, {
    eventOid: failed,
    name: 'fanFailed',
    alarmLevel: 2,
    alarmCategory: 4,
    ...draft,
  }) as TrapEvent
const tried = (world: World, draft: object) =>
  dryRunEvent(world.database, world.engine.modules, definition(draft), () => false)

await onEveryStore((world) => {
  test('for traps without a definition it returns what they would become, for how many resources, with which texts', async () => {
    for (const [from, index] of [
      ['10.0.0.1', 1],
      ['10.0.0.1', 2],
      ['10.0.0.2', 1],
      ['10.0.0.1', 1],
    ] as const) {
      await world.handle(world.trap(failed, from, [ifIndex(index), ifDescr(index, `fan ${index}`)]))
      world.time.now += 1000
    }
    const trial = await tried(world, { alarmDesc: 'Fan {port} of {deviceIp} stands', parameter: [port] })
    assert.deepEqual([trial.examined, trial.alarms, trial.resources], [4, 4, 3])
    assert.deepEqual([trial.stored, trial.recoveries, trial.filtered, trial.ended], [0, 0, 0, 0])
    assert.equal(
      trial.examples.map(({ alarmDesc }) => alarmDesc).join(),
      [1, 1, 2, 1].map((index, at) => `Fan ${index} of 10.0.0.${at === 1 ? 2 : 1} stands`).join(),
      'the newest first',
    )
    assert.equal(trial.bins.get('raised'), 2, 'an alarm for each device, without a definition')
    assert.equal(trial.open, 2)
    const quiet = await tried(world, { handling: 0 })
    assert.deepEqual([quiet.stored, quiet.alarms, quiet.resources], [4, 0, 0])
  })

  test('for an event with states it pairs each end with the fault before it', async () => {
    const sensor = '1.3.6.1.4.1.32473.3.0.1'
    const health = '1.3.6.1.4.1.32473.3.1'
    for (const value of ['1', '2', '2', '1', '1', '2']) {
      await world.handle(world.trap(sensor, '10.0.0.3', [variable(`${health}.4`, value)]))
      world.time.now += 1000
    }
    const trial = await tried(world, {
      eventOid: sensor,
      parameter: [
        { oid: health, name: 'row', isKey: true, fromIndex: true },
        { oid: health, name: 'health' },
      ],
      state: [{ parameter: 'health', values: '1', handling: 2 }],
    })
    assert.deepEqual(
      [trial.examined, trial.alarms, trial.recoveries, trial.stored, trial.ended, trial.resources],
      [6, 3, 1, 2, 1, 1],
    )
  })

  test('for a recovery it returns which alarms it would have ended, at the time it was received', async () => {
    const [lost, found] = ['1.3.6.1.4.1.32473.2.0.1', '1.3.6.1.4.1.32473.2.0.2']
    const send = async (oid: string, from: string) => {
      await world.handle(world.trap(oid, from))
      world.time.now += 1000
    }
    await send(found, '10.0.0.1')
    await send(lost, '10.0.0.1')
    await send(found, '10.0.0.1')
    await send(found, '10.0.0.2')
    const trial = await tried(world, { eventOid: found, name: 'fanMended', alarmLevel: 5, recovers: [lost] })
    assert.deepEqual([trial.examined, trial.recoveries, trial.ended], [3, 1, 1])
    assert.deepEqual([trial.stored, trial.alarms], [2, 0], 'with nothing open there is nothing to end')
    const worth = await tried(world, { eventOid: found, alarmLevel: 4, recovers: [lost] })
    assert.deepEqual([worth.recoveries, worth.alarms], [1, 2], 'unless it is worth an alarm by itself')
  })

  test('an event that never came is reported as such, in either spelling', async () => {
    await world.handle(world.trap('1.3.6.1.4.1.32473.5.0.9', '10.0.0.1'))
    assert.equal((await tried(world, { eventOid: '1.3.6.1.4.1.32473.5.9' })).examined, 1)
    assert.equal((await tried(world, { eventOid: '1.3.6.1.4.1.32473.6' })).examined, 0)
  })
})
