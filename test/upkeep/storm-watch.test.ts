// The alarm about a storm: raised with the traps it stands for, counting them, and over by itself.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RejectedDatagrams } from '../../src/alarms/engine/incoming-trap.ts'
import { readLedger } from '../../src/alarms/engine/trap-ledger.ts'
import { StormWatch } from '../../src/upkeep/watches/storm-watch.ts'
import { World } from '../alarms/world.ts'
import { stores } from '../support.ts'

const [sqlite] = stores
const world = await World.open(sqlite ?? assert.fail())
const grace = 30

const counted = (sourceIp: string, times: number, storm = `source=${sourceIp}`): RejectedDatagrams => ({
  kind: 'rejected',
  receivedAt: world.time.now,
  firstAt: world.time.now - 900,
  sourceIp,
  outcome: 'collapsed',
  reason: 'storm',
  times,
  storm,
})

const alarmsAbout = async (resource: string) => {
  const rows = await world.database.all(
    'select id from alarm where resource = ? and is_receover_fault = 0 order by id',
    [resource],
  )
  return Promise.all(rows.map(({ id }) => world.alarm(id as bigint)))
}

test('one alarm per storm keeps first, last and count, and recovers when the storm is over', async () => {
  const watch = new StormWatch(world.engine, world.database, grace)
  const began = world.time.now
  const entries = await world.logged(async () => {
    for (let second = 0; second < 5; second += 1) {
      world.time.now += 1000
      await world.handle(counted('10.7.0.1', 49_500), counted('10.7.0.2', 10, 'all sources'))
      await watch.check(() => ['source=10.7.0.1', 'all sources'], world.time.now)
    }
  })
  assert.deepEqual(
    entries.map(({ kind }) => kind),
    ['raise', 'raise'],
  )
  const [alarm, ...more] = await alarmsAbout('source=10.7.0.1')
  assert.ok(alarm && more.length === 0)
  assert.deepEqual(
    [alarm.eventName, alarm.faultTime, alarm.lastTime, alarm.repeats, alarm.recStatus],
    ['trapStorm', began + 100, world.time.now, 247_500n, 0],
  )
  assert.match(alarm.alarmDesc ?? '', /^10\.7\.0\.1 sends too many traps/)
  const [line] = await readLedger(world.database, '10.7.0.1')
  assert.deepEqual([line?.bin, line?.reason, line?.count], ['collapsed', 'storm', 247_500n])
  const over = await world.logged(() => watch.check(() => ['all sources'], world.time.now))
  assert.deepEqual(
    over.map(({ kind, cleared }) => [kind, cleared.map(({ id }) => id)]),
    [['recover', [alarm.id]]],
  )
  await watch.check(() => [], world.time.now)
  assert.equal((await alarmsAbout('all sources'))[0]?.recStatus, 1)
  assert.equal((await alarmsAbout('all sources'))[0]?.repeats, 50n)
})

test('an alarm that a killed service left open recovers when its source has been quiet, not before', async () => {
  await world.handle(counted('10.7.0.3', 5), counted('10.7.0.4', 5))
  const watch = new StormWatch(world.engine, world.database, grace)
  const open = async (ip: string) => (await alarmsAbout(`source=${ip}`)).filter((one) => one.recStatus === 0)
  await watch.check(() => [], world.time.now)
  world.time.now += 10_000
  await world.handle(counted('10.7.0.4', 5))
  await watch.check(() => ['source=10.7.0.4'], world.time.now)
  assert.equal((await open('10.7.0.3')).length, 1, 'it may go on')
  world.time.now += 20_000
  await watch.check(() => ['source=10.7.0.4'], world.time.now)
  assert.deepEqual([(await open('10.7.0.3')).length, (await open('10.7.0.4')).length], [0, 1])
  assert.equal((await open('10.7.0.4'))[0]?.repeats, 10n, 'the storm went on, and so did its alarm')
  await watch.check(() => [], world.time.now)
  assert.equal((await open('10.7.0.4')).length, 0)
})
