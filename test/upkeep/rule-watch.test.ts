// The alarm about a rule that filters very much: raised once, and over when the rule is quiet or gone.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { trapRules } from '../../src/resources/alarms/trap-rule.ts'
import { create, erase } from '../../src/resources/collection.ts'
import { RuleWatch } from '../../src/upkeep/watches/rule-watch.ts'
import { ifIndex, linkDown, World } from '../alarms/world.ts'
import { stores } from '../support.ts'

const [sqlite] = stores
const world = await World.open(sqlite ?? assert.fail())
const from = '10.1.0.1'
const any = [{ displayName: 'any', devID: 0, trapFilterEventParasInfo: [] }]
const makeRule = () => create(world.database, trapRules, { trapDevice: any })

async function filter(times: number): Promise<void> {
  const bins = await world.handle(
    ...Array.from({ length: times }, () => world.trap(linkDown, from, [ifIndex(1)])),
  )
  assert(bins.every((bin) => bin === 'filtered'))
}

async function check(watch: RuleWatch, minutes: number): Promise<string[]> {
  world.time.now += minutes * 60_000
  const entries = await world.logged(() => watch.check(world.time.now))
  return entries.map(({ kind }) => kind)
}

test('a rule raises one alarm at the threshold, and is over it after ten minutes without a hit', async () => {
  const rule = await makeRule()
  const watch = new RuleWatch(world.engine, world.database, 3)
  await filter(1)
  assert.deepEqual(await check(watch, 11), [])
  await filter(2)
  assert.deepEqual(await check(watch, 1), [])
  await filter(1)
  assert.deepEqual(await check(watch, 1), ['raise'])
  await filter(5)
  assert.deepEqual(await check(watch, 1), [])
  assert.deepEqual(await check(watch, 9), ['recover'])
  await filter(2)
  assert.deepEqual(await check(watch, 1), [], 'it counts anew')
  await erase(world.database, trapRules, rule)
})

test('of a new rule the first hits count too, however fast they come; of one that was there, those since the start', async () => {
  const old = await makeRule()
  await filter(5)
  const watch = new RuleWatch(world.engine, world.database, 3)
  assert.deepEqual(await check(watch, 1), [], 'they may be of last year')
  await erase(world.database, trapRules, old)
  const rule = await makeRule()
  await filter(3)
  assert.deepEqual(await check(watch, 1), ['raise'])
  await erase(world.database, trapRules, rule)
  assert.deepEqual(await check(watch, 1), ['recover'])
})

test('the alarm about a rule ends with the rule, also one that an earlier run raised', async () => {
  const rule = await makeRule()
  const watch = new RuleWatch(world.engine, world.database, 3)
  await filter(1)
  assert.deepEqual(await check(watch, 11), [])
  await filter(3)
  assert.deepEqual(await check(watch, 1), ['raise'])
  const after = new RuleWatch(world.engine, world.database, 3)
  assert.deepEqual(await check(after, 1), [], 'its rule is not quiet yet')
  await erase(world.database, trapRules, rule)
  assert.deepEqual(await check(after, 1), ['recover'])
})
