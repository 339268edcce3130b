// Three nodes under load, and what happens to them: killed, stopped and woken, their PostgreSQL restarted, the way to it
// silent. Each time what was answered is there, once, and every stream has got all of it in order.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { chance } from '../acceptance/chance.ts'
import { until } from '../intake/sending.ts'
import { Cluster, Way, withoutDebianPostgres } from './cluster.ts'
import { UnderLoad } from './under-load.ts'

const rounds = Number(process.env.ROUNDS ?? 3)
const random = chance(20_261_115)
const options = { timeout: 60_000 + rounds * 90_000, ...withoutDebianPostgres }

test(
  `kill -9 of the node that settles, and of one that only receives, ${rounds} times: others go on within 10 s, and nothing is lost`,
  options,
  async (context) => {
    const load = await UnderLoad.start(await Cluster.make())
    for (let round = 1; round <= rounds; round += 1) {
      await load.untilAnswered(500 + Math.floor(random() * 1000))
      const settler = await load.settler()
      await load.kill(settler)
      const took = await load.untilAnswered(250)
      assert.ok(took < load.slow(10, 60) * 1000, `round ${round}: it took ${took} ms`)
      await load.startAgain(settler)
      await load.untilAnswered(500 + Math.floor(random() * 1000))
      const receiver = await load.other(await load.settler())
      await load.kill(receiver)
      await load.untilAnswered(500)
      await load.startAgain(receiver)
    }
    context.diagnostic(await load.requireKept())
  },
)

/** Each node comes to PostgreSQL as a user of its own. */
async function startApart(): Promise<UnderLoad> {
  const cluster = await Cluster.make()
  await cluster.admit('a', 'b', 'c')
  return UnderLoad.start(cluster, (name) => cluster.address(undefined, name))
}

/** Others go on within seconds, and what it had begun is undone before it wakes. */
async function othersGoOn(load: UnderLoad, session: number): Promise<void> {
  const took = await load.untilAnswered(500)
  assert.ok(took < load.slow(15, 60) * 1000, `it took ${took} ms`)
  await until('its session was ended', async () => {
    const found = await load.cluster.ask(`select 1 from pg_stat_activity where pid = ${session}`)
    return found.length === 0
  })
}

test(
  `point 4: SIGSTOP of the node that settles, and of one that answers HTTP, inside a transaction, and their waking, ${rounds} times: others go on within seconds, and they change nothing`,
  options,
  async (context) => {
    const load = await startApart()
    for (let round = 1; round <= rounds; round += 1) {
      for (const work of ['settling', 'http'] as const) {
        await load.untilAnswered(500 + Math.floor(random() * 1000))
        const { node, session } = await load.stopInside(work)
        await othersGoOn(load, session)
        if (work === 'settling') assert.notEqual((await load.settler()).name, node.name)
        await load.wake(node)
        await load.untilAnswered(500)
      }
    }
    context.diagnostic(await load.requireKept())
  },
)

test(
  `pg_ctl restart -m immediate, ${rounds} times: all go on, and nothing is lost`,
  options,
  async (context) => {
    const cluster = await Cluster.make()
    const load = await UnderLoad.start(cluster)
    for (let round = 1; round <= rounds; round += 1) {
      await load.untilAnswered(500 + Math.floor(random() * 1000))
      cluster.stop('immediate')
      await sleep(random() * 1500)
      cluster.start()
      await load.untilAnswered(500, 60)
    }
    context.diagnostic(await load.requireKept())
  },
)

/** Each node comes to PostgreSQL on a way of its own. */
async function startOnWays(): Promise<{ load: UnderLoad; ways: Map<string, Way> }> {
  const cluster = await Cluster.make()
  const ways = new Map<string, Way>()
  for (const name of ['a', 'b', 'c']) ways.set(name, await Way.to(cluster.port))
  return { load: await UnderLoad.start(cluster, (name) => cluster.address(ways.get(name)?.port)), ways }
}

test(`the node that settles, or another, is cut off from PostgreSQL for a minute, ${rounds} times: others go on, and what it holds is kept when the way is back`, {
  ...options,
  timeout: 60_000 + rounds * 180_000,
}, async (context) => {
  const { load, ways } = await startOnWays()
  for (let round = 1; round <= rounds; round += 1) {
    await load.untilAnswered(500 + Math.floor(random() * 1000))
    const settler = await load.settler()
    const cut = round % 2 === 1 ? settler : await load.other(settler)
    ways.get(cut.name)?.silence()
    const end = performance.now() + 60_000
    // Senders still reach it: what they send it waits there, and they try another.
    const took = await load.untilAnswered(500, 60)
    assert.ok(took < load.slow(20, 60) * 1000, `round ${round}: it took ${took} ms`)
    assert.notEqual((await load.settlerBeside(cut)).name, cut.name)
    await sleep(end - performance.now())
    ways.get(cut.name)?.heal()
    await until('it is there again', async () => (await cut.process.get('/health')).status === 200, 60)
  }
  await load.untilAnswered(500)
  context.diagnostic(await load.requireKept())
})

test('the same notification sent to two nodes in any order is settled once', options, async (context) => {
  const load = await UnderLoad.start(await Cluster.make())
  load.informs.toTwo = true
  await load.untilAnswered(2500)
  context.diagnostic(await load.requireKept())
})
