// Three nodes under load, and what happens to them: killed, stopped and woken, their PostgreSQL restarted. Each time
// what was answered is there, once, and every stream has got all of it in order.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { chance } from '../acceptance/chance.ts'
import { until } from '../intake/sending.ts'
import { record, rounds } from '../outcome.ts'
import { Cluster, withoutDebianPostgres } from './cluster.ts'
import { UnderLoad } from './under-load.ts'

const random = chance(20_261_115)
const options = { timeout: 300_000 + rounds * 240_000, ...withoutDebianPostgres }

test(
  `kill -9 of the leader, and of one that only receives, ${rounds} times: others take over within 10 s, and nothing is lost`,
  options,
  async (context) => {
    const load = await UnderLoad.start(await Cluster.make())
    for (let round = 1; round <= rounds; round += 1) {
      await load.untilAnswered(500 + Math.floor(random() * 1000))
      const leader = await load.leader()
      await load.kill(leader)
      const took = await load.untilAnswered(250)
      await load.requireWithin(10, took)
      await load.startAgain(leader)
      await load.untilAnswered(500 + Math.floor(random() * 1000))
      const receiver = await load.other(await load.leader())
      await load.kill(receiver)
      await load.untilAnswered(500)
      await load.startAgain(receiver)
      record({ rounds: 1 })
    }
    context.diagnostic(await load.requireKept())
  },
)

/** Each node connects to PostgreSQL as a user of its own. */
async function startApart(): Promise<UnderLoad> {
  const cluster = await Cluster.make()
  await cluster.admit('a', 'b', 'c')
  return UnderLoad.start(cluster, (name) => cluster.address(undefined, name))
}

/** Others go on within seconds, and what it had begun is undone before it wakes. */
async function othersGoOn(load: UnderLoad, session: number): Promise<void> {
  const took = await load.untilAnswered(500)
  await load.requireWithin(15, took)
  await until('its session was ended', async () => {
    const found = await load.cluster.ask(`select 1 from pg_stat_activity where pid = ${session}`)
    return found.length === 0
  })
}

test(
  `SIGSTOP of the leader, and of one that answers HTTP, inside a transaction, and SIGCONT, ${rounds} times: others take over within seconds, and the resumed nodes change nothing`,
  options,
  async (context) => {
    const load = await startApart()
    for (let round = 1; round <= rounds; round += 1) {
      for (const work of ['processing', 'http'] as const) {
        await load.untilAnswered(500 + Math.floor(random() * 1000))
        const { node, session } = await load.stopInside(work)
        await othersGoOn(load, session)
        if (work === 'processing') assert.notEqual((await load.leader()).name, node.name)
        await load.wake(node)
        await load.untilAnswered(500)
      }
      record({ rounds: 1 })
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
      record({ rounds: 1, pause: await load.untilAnswered(500) })
    }
    context.diagnostic(await load.requireKept())
  },
)

test('the same notification sent to two nodes in any order is processed once', options, async (context) => {
  const load = await UnderLoad.start(await Cluster.make())
  load.informs.toTwo = true
  await load.untilAnswered(2500)
  context.diagnostic(await load.requireKept())
})
