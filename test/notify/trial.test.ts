// What a route would have sent in the past, compared with what the same route really sent.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { applyAction, type OperatorAction } from '../../src/alarms/actions/operator-actions.ts'
import { EventQueue } from '../../src/notify/routes/event-queue.ts'
import { notifiedByAnother } from '../../src/notify/routes/incident.ts'
import { openRouting } from '../../src/notify/routes/notifier.ts'
import { type Route, readRoutes } from '../../src/notify/routes/route.ts'
import { amongRoutes, type RouteTrial, tryRoute } from '../../src/notify/routes/trial.ts'
import { maintenances } from '../../src/resources/alarms/maintenance.ts'
import { create, erase } from '../../src/resources/collection.ts'
import { linkDown } from '../alarms/world.ts'
import { stores } from '../support.ts'
import { gone, hot, network, raise } from './causes.ts'
import { Town } from './town.ts'

const act = (town: Town, id: bigint, action: OperatorAction) =>
  applyAction(town.world.engine, id, action, 'ann')

async function tried(town: Town, name = 'all'): Promise<RouteTrial> {
  const { routeCache, directory } = openRouting(
    town.database,
    { at: async (id) => town.onCall.get(id) ?? [] },
    'UTC',
  )
  const route = (await readRoutes(town.database)).find((one) => one.name === name)
  assert.ok(route)
  const until = town.database.now()
  const among = await amongRoutes(town.database, routeCache, route)
  return tryRoute(town.database, directory, among, { from: 0, until }, () => false)
}

/** Lets time pass in small steps, as it does outside of tests. */
async function pass(town: Town, seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 10) {
    town.world.time.now += 10_000
    await town.world.engine.releaseSuppressed(town.world.time.now, () => false)
    await town.turn()
  }
}

/** Compares a trial with what was delivered and limited. */
async function assertSame(town: Town): Promise<RouteTrial> {
  const ledger = await town.ledger()
  const trial = await tried(town)
  const count = (outcome: string) => ledger.filter((row) => row.outcome === outcome).length
  const { messages, limited } = trial
  assert.deepEqual({ messages, limited }, { messages: count('delivered'), limited: count('limited') })
  return trial
}

/** The same numbers for the same seed. */
function numbersOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** What operators and devices do at random. */
async function live(town: Town, random: (below: number) => number, ticks: number): Promise<void> {
  const open = new Map<number, bigint>()
  for (let tick = 0; tick < ticks; tick += 1) {
    // Not at the moment at which a step is due.
    town.world.time.now += 1
    const device = 1 + random(14)
    const alarm = open.get(device)
    const action = random(8)
    if (alarm === undefined) {
      if (action < 5) open.set(device, await town.down(device))
    } else if (action < 3) {
      await town.up(device)
      open.delete(device)
    } else if (action === 3) await act(town, alarm, { action: 'acknowledge' })
    else if (action === 4) await act(town, alarm, { action: 'unacknowledge' })
    else if (action === 5) await act(town, alarm, { action: 'note', note: `tick ${tick}` })
    else if (action === 6) await act(town, alarm, { action: 'shelve', minutes: 2 })
    await town.turn()
    await pass(town, [10, 10, 20, 60][random(4)] ?? 0)
  }
}

test('what happens in a simulation happens in order, and others have their turn meanwhile', async () => {
  const queue = new EventQueue()
  const random = numbersOf(7)
  const seen: number[] = []
  let others: number | undefined
  for (let n = 0; n < 5000; n += 1) {
    const [at, rank] = [random(300), random(3)]
    queue.add(at, rank, () => {
      seen.push(at * 10 + rank)
    })
  }
  queue.add(400, 0, () => assert.fail('it is not due'))
  setImmediate(() => {
    others = seen.length
  })
  await queue.runUntil(300, () => undefined)
  assert.equal(seen.length, 5000)
  assert.deepEqual(
    seen,
    seen.toSorted((a, b) => a - b),
  )
  assert.ok(others !== undefined && others < 5000)
})

for (const store of stores) {
  describe(`Trials over history on ${store.name}`, () => {
    // The counting is the same on both stores; histories take long where every change is a request.
    for (const seed of store.name === 'SQLite' ? [1, 2, 4, 5] : [4]) {
      test(`a trial counts what the route sent: history ${seed}`, async () => {
        const random = numbersOf(seed)
        const town = await Town.open(store)
        const [ann, bob] = [await town.contact([0, 120]), await town.contact()]
        await town.route({
          name: 'all',
          delay: [0, 30, 60][seed % 3] ?? 0,
          repeatAfter: [0, 300][seed % 2] ?? 0,
          hourlyLimit: [0, 12, 40][seed % 3] ?? 0,
          ...(seed > 4 && { atEnd: 'again' }),
          step: [
            [0, ann.target],
            [300, `${ann.target},${bob.target}`],
          ],
        })
        await live(town, random, 90)
        await pass(town, 600)
        assert.ok(town.sent.length > 20)
        await assertSame(town)
      })
    }

    test('a trial counts a storm as one message, and its end as one', async () => {
      const town = await Town.open(store)
      const [ann, bob] = [await town.contact(), await town.contact()]
      await town.route({
        name: 'all',
        step: [
          [0, ann.target],
          [60, bob.target],
        ],
      })
      for (let device = 1; device <= 30; device += 1) await town.down(device)
      await town.turn()
      await pass(town, 120)
      for (let device = 1; device <= 30; device += 1) {
        await town.up(device)
        await town.turn()
      }
      await pass(town, 60)
      // Ten alarms and a storm are told to both, and so are their ends.
      assert.equal(town.sent.length, 44)
      const { inStorms, taken } = await assertSame(town)
      assert.deepEqual([taken, inStorms], [30, 20])
    })

    test('a trial counts effects into their cause, and tells those that outlive it', async () => {
      const town = await Town.open(store)
      const [core, ...edges] = await network(town)
      const ann = await town.contact()
      await town.route({ name: 'all', step: [[0, ann.target]] })
      await town.route({
        name: 'effects',
        position: 1,
        goOn: true,
        filter: `eventOid=${hot}`,
        step: [[0, ann.target]],
      })
      for (const edge of edges.slice(0, 2)) await raise(town, edge)
      await pass(town, 10)
      const cause = await raise(town, core, gone)
      await town.turn()
      await pass(town, 30)
      await raise(town, edges[2] ?? 0n)
      await pass(town, 400)
      const open = await town.database.all('select id from alarm where oid = ? order by id', [hot])
      await act(town, open[0]?.id as bigint, { action: 'recover' })
      await act(town, cause, { action: 'recover' })
      await town.turn()
      await pass(town, 200)
      for (const row of open.slice(1)) await act(town, row.id as bigint, { action: 'recover' })
      await town.turn()
      const all = await tried(town)
      const sentBy = async (name: string) => {
        const id = (await readRoutes(town.database)).find((one) => one.name === name)?.id
        return (await town.ledger()).filter(
          (row) => row.routeId === id && (row.outcome === 'delivered' || row.reason === notifiedByAnother),
        ).length
      }
      assert.deepEqual([all.merged, all.messages], [3, await sentBy('all')])
      // A route that does not take the cause tells the effects as one incident.
      const effects = await tried(town, 'effects')
      assert.deepEqual([effects.taken, effects.messages], [3, await sentBy('effects')])
    })

    test('a trial leaves to the routes before it what they take and keep', async () => {
      const town = await Town.open(store)
      const [ann, bob] = [await town.contact(), await town.contact()]
      const few = 'deviceIp=10.0.0.1,10.0.0.2'
      await town.route({ name: 'copy', position: 1, goOn: true, step: [[0, bob.target]] })
      await town.route({ name: 'few', position: 2, filter: few, step: [[0, bob.target]] })
      await town.route({ name: 'off', position: 3, enabled: false, step: [[0, bob.target]] })
      await town.route({ name: 'all', position: 4, step: [[0, ann.target]] })
      for (let device = 1; device <= 5; device += 1) await town.down(device)
      await pass(town, 10)
      await town.up(1)
      await town.up(3)
      await pass(town, 10)
      const all = await tried(town)
      assert.deepEqual(
        [all.examined, all.taken, all.takenBefore, all.messages],
        [5, 3, 2, town.sent.filter(({ channelId }) => channelId === 100n).length],
      )
      const { routeCache } = openRouting(town.database, { at: async () => [] }, 'UTC')
      const routes = await readRoutes(town.database)
      const before = async (fields: object) => {
        const draft = { ...routes[3], ...fields } as Route
        return (await amongRoutes(town.database, routeCache, draft)).before.routes.map(({ name }) => name)
      }
      assert.deepEqual(await before({ position: null }), ['copy', 'few'])
      assert.deepEqual(await before({ name: 'new', position: null }), ['copy', 'few', 'all'])
      assert.deepEqual(await before({ name: 'new', position: 2 }), ['copy', 'few'])
      assert.deepEqual(await before({ position: 1 }), ['copy'], 'the older one comes first')
    })

    test('a trial tells what outlives its window, and in quiet hours only what they let pass', async () => {
      const town = await Town.open(store)
      const ann = await town.contact([0], { quietFrom: '12:30', quietTo: '13:00', quietLevel: 1 })
      await town.route({ name: 'all', step: [[0, ann.target]] })
      const window = await create(town.database, maintenances, {
        name: 'works',
        minutes: 15,
        event: [linkDown],
      })
      await town.down(1)
      await town.down(2)
      await town.turn()
      await town.up(1)
      await pass(town, 600)
      await erase(town.database, maintenances, window)
      await town.world.engine.releaseSuppressed(town.world.time.now, () => false)
      await town.turn()
      assert.equal(town.sent.length, 1)
      await pass(town, 1300)
      for (const device of [3, 4]) await town.down(device)
      await town.turn()
      await pass(town, 60)
      await town.up(3)
      await town.turn()
      assert.equal(town.sent.length, 1)
      await pass(town, 1800)
      assert.equal(town.sent.length, 2)
      const { suppressed, short } = await assertSame(town)
      assert.deepEqual([suppressed, short], [1, 0])
    })
  })
}
