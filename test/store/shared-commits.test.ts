// Random transactions, some that fail and some in conflict with each other, asked for at once: they leave the same store,
// answers, audit log and pushed entries as one by one.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { applyAction } from '../../src/alarms/actions/operator-actions.ts'
import { ProgramAlarms, raiseByProgram } from '../../src/alarms/actions/program-alarms.ts'
import { Fault } from '../../src/fault.ts'
import { trapRules } from '../../src/resources/alarms/trap-rule.ts'
import { createIn, eraseIn } from '../../src/resources/collection.ts'
import { devices } from '../../src/resources/inventory/device.ts'
import { zones } from '../../src/resources/inventory/zone.ts'
import type { Actor, Transaction } from '../../src/store/database.ts'
import { checkStore } from '../../src/upkeep/checks/store-check.ts'
import { chance } from '../acceptance/chance.ts'
import { ifIndex, linkDown, linkUp, World } from '../alarms/world.ts'
import { stores } from '../support.ts'
import { answerOf, contentOf, pushed } from './whole-store.ts'

const people: readonly Actor[] = ['anna', 'ben'].map((name) => ({ name, role: 'admin', address: '10.0.0.9' }))

/** Each world with the one through which programs raise alarms there. */
type Side = World & { readonly programs: ProgramAlarms }
type Act = (side: Side) => Promise<unknown>

async function open(store: Parameters<typeof World.open>[0]): Promise<Side> {
  const world = await World.open(store)
  return Object.assign(world, { programs: new ProgramAlarms(world.engine, world.database) })
}

/** As many acts as asked for: what each does is drawn before any of them is run. */
function drawActs(seed: number, count: number): Act[] {
  const next = chance(seed)
  const below = (limit: number) => Math.floor(next() * limit)
  const by = () => people[below(people.length)] as Actor
  const inTransaction =
    (work: (tx: Transaction) => Promise<unknown>, actor?: Actor): Act =>
    ({ database }) =>
      database.transaction(work, actor)
  const writer =
    (actor: Actor) =>
    ({ engine }: World) => ({
      change: ((work) => engine.change(work, actor)) as World['engine']['change'],
    })
  const kinds: (() => Act)[] = [
    () => {
      const [as, at, level] = [writer(by()), below(5), 1 + below(4)]
      const draft = { OID: `1.3.6.1.4.1.32473.7.${at}`, deviceIp: `10.0.0.${below(3)}`, alarmLevel: level }
      return (world) => raiseByProgram(as(world), draft)
    },
    () => {
      const [actor, at] = [by(), below(5)]
      const draft = { OID: `1.3.6.1.4.1.32473.7.${at}`, deviceIp: `10.0.0.${below(3)}`, alarmLevel: 1 }
      const drafts = below(8) === 0 ? [draft, { ...draft, deviceId: 2n ** 70n }] : [draft]
      return ({ programs }) => programs.raise(drafts, actor)
    },
    () => {
      const [as, id] = [writer(by()), BigInt(1 + below(30))]
      const action = below(2) === 0 ? 'acknowledge' : 'recover'
      return (world) => applyAction(as(world), id, { action }, 'anna')
    },
    () => {
      const traps = Array.from({ length: 1 + below(4) }, () => ({
        oid: below(3) === 0 ? linkUp : linkDown,
        from: `10.0.0.${below(4)}`,
        index: 1 + below(2),
      }))
      return (world) =>
        world.handle(...traps.map(({ oid, from, index }) => world.trap(oid, from, [ifIndex(index)])))
    },
    () => {
      const draft = { name: `zone ${below(8)}`, description: null }
      return inTransaction((tx) => createIn(tx, zones, draft), by())
    },
    () => {
      const id = BigInt(1 + below(8))
      return inTransaction((tx) => eraseIn(tx, zones, id), by())
    },
    () => {
      const at = below(4)
      const draft = { ip: `10.0.0.${at}`, label: `switch ${at}` }
      return inTransaction((tx) => createIn(tx, devices, draft), by())
    },
    () => {
      const id = BigInt(1 + below(5))
      return inTransaction((tx) => eraseIn(tx, devices, id), by())
    },
    () => {
      const anyDevice = { displayName: 'any device', devID: 0, trapFilterEventParasInfo: [] }
      const draft = { trapOId: linkDown, trapGroup: 0, exectimeType: 0, trapDevice: [anyDevice] }
      return inTransaction((tx) => createIn(tx, trapRules, draft), by())
    },
    () => {
      const id = BigInt(1 + below(3))
      return inTransaction((tx) => eraseIn(tx, trapRules, id), by())
    },
    () => {
      const name = `given up ${below(100)}`
      return inTransaction(async (tx) => {
        await createIn(tx, zones, { name, description: null })
        throw new Fault('conflict', `${name}: changed my mind`)
      }, by())
    },
    () => {
      const sql = 'insert into zone (id, name, name_key) values (?, ?, ?)'
      return inTransaction(async (tx) => {
        await tx.run(sql, [900n, 'twice', 'twice'])
        await tx.run(sql, [901n, 'twice', 'twice'])
      })
    },
    () => inTransaction((tx) => tx.run("update zone set description = 'unrecorded'"), by()),
    () =>
      inTransaction(async (tx) => {
        const [row] = await tx.all('select count(*) as n, max(id) as last from alarm')
        return `${row?.n} ${row?.last}`
      }),
  ]
  return Array.from({ length: count }, () => (kinds[below(kinds.length)] as () => Act)())
}

const commitsOf = async ({ database }: World) =>
  Number((await database.all('select number from writer'))[0]?.number)

for (const store of stores) {
  describe(`shared commits on ${store.name}`, () => {
    for (const seed of [1, 2, 3]) {
      test(`leave what single ones leave (${seed})`, async () => {
        const [single, shared] = [await open(store), await open(store)]
        const acts = drawActs(seed, 150)
        const expected: string[] = []
        for (const act of acts) expected.push(await answerOf(act(single)))
        const next = chance(seed + 1000)
        const answers: string[] = []
        for (let at = 0; at < acts.length; ) {
          const burst = acts.slice(at, at + 1 + Math.floor(next() * 40))
          at += burst.length
          const seen = pushed(shared, 0n)
          answers.push(...(await Promise.all(burst.map((act) => answerOf(act(shared))))))
          const before = await seen
          assert.deepEqual(
            (await pushed(shared, 0n)).slice(0, before.length),
            before,
            'what was pushed stays',
          )
        }
        assert.deepEqual(answers, expected)
        if (store.name === 'PostgreSQL') assert((await commitsOf(shared)) < (await commitsOf(single)))
        assert(
          expected.some((answer) => answer.startsWith('conflict: ')),
          'some are in conflict',
        )
        assert(
          expected.some((answer) => answer.startsWith('failed: ')),
          'some are refused',
        )
        assert.deepEqual(await pushed(shared, 0n), await pushed(single, 0n))
        assert.deepEqual(await contentOf(shared), await contentOf(single))
        const parts = await checkStore(shared.database, shared.database.kind)
        assert.deepEqual(
          parts.flatMap(({ found }) => found),
          [],
        )
      })
    }
  })
}

for (const store of stores) {
  test(`${store.name}: whoever is refused because of a commit can read it`, async () => {
    const world = await World.open(store)
    const { database } = world
    for (let number = 1; number <= 20; number += 1) {
      const draft = { name: `twice ${number}`, description: null }
      const count = async () =>
        (await database.all('select 1 as found from zone where name = ?', [draft.name])).length
      const create = () => database.transaction((tx) => createIn(tx, zones, draft))
      const [, seen] = await Promise.all([create(), create().then(() => -1, count)])
      assert.equal(seen, 1)
    }
  })
}
