// The alarm about traps that the kernel dropped: raised once, with a number that people can read; over by itself.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { raiseServiceAlarm } from '../../src/alarms/service/service-alarms.ts'
import { trapRules } from '../../src/resources/alarms/trap-rule.ts'
import { create, erase } from '../../src/resources/collection.ts'
import { CountWatch, lostTrapsAlarm } from '../../src/upkeep/watches/count-watch.ts'
import { RuleWatch } from '../../src/upkeep/watches/rule-watch.ts'
import { ifIndex, linkDown, World } from '../alarms/world.ts'
import { stores } from '../support.ts'

const [sqlite] = stores
const world = await World.open(sqlite ?? assert.fail())

interface Look {
  readonly after: number
  readonly drops: number
}

/** Checks several times, and returns what was added to the log. */
async function watched(watch: CountWatch, looks: readonly Look[]) {
  return world.logged(async () => {
    for (const { after, drops } of looks) {
      world.time.now += after * 1000
      await watch.check(drops, world.time.now)
    }
  })
}

const quiet = (drops: number, seconds: number): Look[] =>
  Array.from({ length: seconds }, () => ({ after: 1, drops }))

test('without drops there is no alarm', async () => {
  assert.deepEqual(await watched(new CountWatch(world.engine, lostTrapsAlarm, 17), quiet(17, 30)), [])
})

test('drops raise one alarm that recovers after ten quiet seconds', async () => {
  const watch = new CountWatch(world.engine, lostTrapsAlarm, 17)
  const storm = [
    { after: 1, drops: 1221 },
    { after: 1, drops: 1300 },
    { after: 2, drops: 9_999 },
    ...quiet(9_999, 9),
  ]
  const entries = await watched(watch, storm)
  assert.deepEqual(
    entries.map(({ kind }) => kind),
    ['raise'],
  )
  const alarm = await world.alarm(entries[0]?.id ?? 0n)
  assert.match(alarm.alarmDesc ?? '', /^1,204 traps lost in 1 s/)
  assert.deepEqual([alarm.originalType, alarm.alarmLevel, alarm.deviceName], [3, 2, 'Belfry'])
  const over = await watched(watch, quiet(9_999, 3))
  assert.deepEqual(
    over.map(({ kind, cleared }) => [kind, cleared.map(({ id }) => id)]),
    [['recover', [alarm.id]]],
  )
  assert.match((await world.alarm(over[0]?.id ?? 0n)).alarmDesc ?? '', /9,982 were lost/)
  const again = await watched(watch, [{ after: 1, drops: 10_000 }, ...quiet(10_000, 12)])
  assert.deepEqual(
    again.map(({ kind }) => kind),
    ['raise', 'recover'],
    'the next storm is another alarm',
  )
})

test('a clock that is set back keeps no alarm open', async () => {
  const any = [{ displayName: 'any', devID: 0, trapFilterEventParasInfo: [] }]
  const rule = await create(world.database, trapRules, { trapGroup: 0, trapDevice: any })
  const filtered = () => world.handle(world.trap(linkDown, '10.88.0.1', [ifIndex(1)]))
  const drops = new CountWatch(world.engine, lostTrapsAlarm, 0)
  const rules = new RuleWatch(world.engine, world.database, 1)
  await filtered()
  await rules.check(world.time.now)
  await filtered()
  const raised = await world.logged(async () => {
    await drops.check(5, world.time.now)
    await rules.check(world.time.now)
  })
  world.time.now -= 3_600_000
  const over = await world.logged(async () => {
    await drops.check(5, world.time.now)
    await rules.check(world.time.now)
  })
  await erase(world.database, trapRules, rule)
  assert.deepEqual(
    [raised.length, over.flatMap(({ cleared }) => cleared.map(({ id }) => id))],
    [2, raised.map(({ id }) => id)],
  )
})

test('an alarm that was open when the service stopped recovers after the next start', async () => {
  const [raised] = await watched(new CountWatch(world.engine, lostTrapsAlarm, 0), [{ after: 1, drops: 5 }])
  assert.equal(raised?.kind, 'raise')
  const entries = await watched(new CountWatch(world.engine, lostTrapsAlarm, 0), quiet(0, 15))
  assert.deepEqual(
    entries.map(({ kind, cleared }) => [kind, cleared.map(({ id }) => id)]),
    [['recover', [raised.id]]],
  )
})

test('drops seen while nothing could be stored are reported once it can', async () => {
  const failing = { now: false }
  const engine = world.another({})
  const change = engine.change.bind(engine)
  engine.change = (work) => (failing.now ? Promise.reject(new Error('the disk is full')) : change(work))
  const watch = new CountWatch(engine, lostTrapsAlarm, 0)
  failing.now = true
  await assert.rejects(watch.check(40, world.time.now))
  failing.now = false
  const entries = await watched(watch, quiet(40, 3))
  assert.deepEqual(
    entries.map(({ kind }) => kind),
    ['raise'],
  )
})

test("trap group 1 is the service's own alarms: such a rule filters them, no other rule does", async () => {
  const any = [{ displayName: 'any', devID: 0, trapFilterEventParasInfo: [] }]
  const ruled = async (trapGroup: number | null) => {
    const id = await create(world.database, trapRules, { trapGroup, trapDevice: any })
    const raised = await world.logged(() =>
      raiseServiceAlarm(world.engine, 'clientLagging', `rule of group ${trapGroup}`, 'a test'),
    )
    const [hit] = await world.database.all('select hits from trap_rule_hit where rule_id = ?', [id])
    await erase(world.database, trapRules, id)
    return [raised.length, hit?.hits]
  }
  assert.deepEqual(await ruled(1), [0, 1n])
  assert.deepEqual(await ruled(null), [1, undefined])
  assert.deepEqual(await ruled(0), [1, undefined])
})
