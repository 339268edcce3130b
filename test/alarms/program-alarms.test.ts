// Requests of programs that raise alarms at the same time share a transaction: they leave the same store, answers, audit
// log and pushed entries as one by one.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { applyAction } from '../../src/alarms/actions/operator-actions.ts'
import { ProgramAlarms, type ProgramDraft } from '../../src/alarms/actions/program-alarms.ts'
import { Fault } from '../../src/fault.ts'
import { createIn, eraseIn } from '../../src/resources/collection.ts'
import { devices } from '../../src/resources/inventory/device.ts'
import { zones } from '../../src/resources/inventory/zone.ts'
import { type Actor, ActorDatabase } from '../../src/store/database.ts'
import { checkStore } from '../../src/upkeep/checks/store-check.ts'
import { chance } from '../acceptance/chance.ts'
import { answerOf, contentOf, pushed } from '../store/whole-store.ts'
import { stores } from '../support.ts'
import { ifIndex, linkDown, World } from './world.ts'

const actors: readonly (Actor | undefined)[] = [
  { name: 'anna', role: 'admin', address: '10.0.0.9' },
  { name: 'ben', role: 'operator', address: '10.0.0.8' },
  undefined,
]
/** No store keeps such a number: whatever names it fails, and nothing else does. */
const impossible = 2n ** 70n
/** It means that a device is out of reach: what comes after it on the same device follows from it. */
const outOfReach = '1.3.6.1.4.1.32473.8.1'

class Side {
  readonly world: World
  readonly programs: ProgramAlarms
  transactions = 0

  constructor(world: World) {
    this.world = world
    const change: World['engine']['change'] = (work, actor, turn) => {
      this.transactions += 1
      return world.engine.change(work, actor, turn)
    }
    this.programs = new ProgramAlarms({ change }, world.database)
  }
}

type Act = (side: Side) => Promise<unknown>

/** Rounds of requests at once, each followed by something else that changes alarms or devices. */
function drawRounds(seed: number, count: number): { readonly requests: Act[]; readonly after: Act }[] {
  const next = chance(seed)
  const below = (limit: number) => Math.floor(next() * limit)
  const pick = <T>(from: readonly T[]) => from[below(from.length)] as T
  const draft = (): ProgramDraft => ({
    OID: pick([outOfReach, '1.3.6.1.4.1.32473.8.2', '1.3.6.1.4.1.32473.8.3', linkDown]),
    alarmLevel: 1 + below(5),
    alarmCategory: pick([1, 2, 3]),
    resource: pick(['', 'a', 'b']),
    alarmDesc: pick(['too warm', '<too & cold>', '']),
    ...(below(3) > 0 && { deviceIp: `10.0.0.${below(3)}` }),
    ...(below(4) === 0 && { deviceId: BigInt(1 + below(3)) }),
    ...(below(4) === 0 && { ifIndex: BigInt(below(3)) }),
  })
  const request = (): Act => {
    const drafts = Array.from({ length: below(4) === 0 ? 1 + below(5) : 1 }, draft)
    if (below(25) === 0) drafts.push({ ...draft(), deviceId: impossible })
    const actor = pick(actors)
    return ({ programs }) => programs.raise(drafts, actor)
  }
  const others: readonly (() => Act)[] = [
    () => {
      const id = BigInt(1 + below(60))
      const action = pick(['acknowledge', 'recover'] as const)
      return ({ world }) => applyAction(world.engine, id, { action }, 'anna')
    },
    () => {
      const [from, index] = [`10.0.0.${below(3)}`, below(2)]
      return ({ world }) => world.handle(world.trap(linkDown, from, [ifIndex(index)]))
    },
    () => {
      const at = below(3)
      const device = { ip: `10.0.0.${at}`, label: `switch ${at}` }
      return ({ world }) => world.database.transaction((tx) => createIn(tx, devices, device))
    },
    () => {
      const id = BigInt(1 + below(4))
      return ({ world }) => world.database.transaction((tx) => eraseIn(tx, devices, id))
    },
  ]
  return Array.from({ length: count }, () => ({
    requests: Array.from({ length: 1 + below(30) }, request),
    after: pick(others)(),
  }))
}

for (const store of stores) {
  describe(`requests at once on ${store.name}`, () => {
    for (const seed of [1, 2, 3]) {
      test(`leave what single ones leave (${seed})`, async () => {
        const single = new Side(await World.open(store))
        const shared = new Side(await World.open(store))
        const asked = { answers: [] as string[], expected: [] as string[] }
        for (const { requests, after } of drawRounds(seed, 12)) {
          for (const request of requests) asked.expected.push(await answerOf(request(single)))
          asked.answers.push(...(await Promise.all(requests.map((request) => answerOf(request(shared))))))
          asked.expected.push(await answerOf(after(single)))
          asked.answers.push(await answerOf(after(shared)))
        }
        assert.deepEqual(asked.answers, asked.expected)
        assert(
          asked.expected.some((answer) => answer.startsWith('failed: ')),
          'some have failed',
        )
        assert(shared.transactions < single.transactions, 'transactions were shared')
        assert.deepEqual(await pushed(shared.world, 0n), await pushed(single.world, 0n))
        assert.deepEqual(await contentOf(shared.world), await contentOf(single.world))
        const parts = await checkStore(shared.world.database, shared.world.database.kind)
        assert.deepEqual(
          parts.flatMap(({ found }) => found),
          [],
        )
      })
    }

    test('one that fails is undone alone, with all alarms of its list', async () => {
      const { world, programs } = new Side(await World.open(store))
      const OID = '1.3.6.1.4.1.32473.8.4'
      const raise = (resource: string, ...more: ProgramDraft[]) =>
        programs.raise([{ OID, alarmLevel: 2, resource }, ...more], actors[0])
      const failing = { OID, alarmLevel: 2, resource: 'c', deviceId: impossible }
      const done = await Promise.allSettled([raise('a'), raise('b', failing), raise('d')])
      assert.deepEqual(
        done.map(({ status }) => status),
        ['fulfilled', 'rejected', 'fulfilled'],
      )
      const rows = await world.database.all('select resource from alarm order by id')
      assert.deepEqual(
        rows.map((row) => row.resource),
        ['a', 'd'],
      )
      const audited = await world.database.all("select name from audit where action = 'raise'")
      assert.deepEqual(
        audited.map((row) => row.name),
        ['anna', 'anna'],
      )
    })

    test('keep their place among others that write, also where one of them fails', async () => {
      const side = new Side(await World.open(store))
      const { world, programs } = side
      const draft = (resource: string) => ({ OID: '1.3.6.1.4.1.32473.8.7', alarmLevel: 2, resource })
      const zone = (name: string) =>
        new ActorDatabase(world.database, actors[1] as Actor).transaction((tx) =>
          createIn(tx, zones, { name, description: null }),
        )
      const raise = (resource: string, ...more: ProgramDraft[]) =>
        programs.raise([draft(resource), ...more], actors[0])
      const failing = { ...draft('fails'), deviceId: impossible }
      await Promise.allSettled([
        raise('a'),
        raise('b'),
        zone('one'),
        raise('c'),
        raise('d', failing),
        raise('e'),
        zone('two'),
        raise('f'),
      ])
      const named = await world.database.all(
        "select 'alarm ' || id as key, resource as name from alarm union all select 'zone ' || id, name from zone",
      )
      const names = new Map(named.map(({ key, name }) => [key, name]))
      const entries = await world.database.all('select resource, resource_id from audit order by id')
      assert.deepEqual(
        entries.map(({ resource, resource_id }) => names.get(`${resource} ${resource_id}`)),
        ['a', 'b', 'one', 'c', 'e', 'two', 'f'],
      )
      assert.equal(side.transactions, 6, 'three blocks, and three requests one by one')
    })

    test('a store that fails, fails all of them once', async () => {
      const world = await World.open(store)
      let transactions = 0
      const change: World['engine']['change'] = (work, actor, turn) =>
        world.engine.change(
          async (changes, tx) => {
            transactions += 1
            await work(changes, tx)
            throw new Fault('unavailable', 'the disk is full')
          },
          actor,
          turn,
        )
      const programs = new ProgramAlarms({ change }, world.database)
      const draft = { OID: '1.3.6.1.4.1.32473.8.5', alarmLevel: 2 }
      const done = await Promise.allSettled([programs.raise([draft]), programs.raise([draft])])
      for (const { status } of done) assert.equal(status, 'rejected')
      assert.equal(transactions, 1)
      assert.deepEqual(await world.database.all('select id from alarm'), [])
    })

    test('a list that is longer than a block has one of its own', async () => {
      const { world, programs } = new Side(await World.open(store))
      const draft = (at: number) => ({ OID: '1.3.6.1.4.1.32473.8.6', alarmLevel: 2, resource: `thing ${at}` })
      const list = Array.from({ length: 250 }, (_, at) => draft(at))
      const [one, all, last] = await Promise.all([
        programs.raise([draft(900)]),
        programs.raise(list),
        programs.raise([draft(901)]),
      ])
      assert.deepEqual([one.length, all.length, last.length], [1, 250, 1])
      const [row] = await world.database.all('select count(*) as n from alarm')
      assert.equal(row?.n, 252n)
    })
  })
}
