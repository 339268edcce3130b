// Three nodes under load, one of which is disconnected from PostgreSQL for a minute: nothing passes, and no connection
// is closed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { chance } from '../acceptance/chance.ts'
import { until } from '../intake/sending.ts'
import { record, rounds } from '../outcome.ts'
import { Cluster, Way, withoutDebianPostgres } from './cluster.ts'
import { UnderLoad } from './under-load.ts'

const random = chance(20_261_118)
const options = { timeout: 300_000 + rounds * 240_000, ...withoutDebianPostgres }

/** Each node reaches PostgreSQL through a proxy of its own. */
async function startOnWays(): Promise<{ load: UnderLoad; ways: Map<string, Way> }> {
  const cluster = await Cluster.make()
  const ways = new Map<string, Way>()
  for (const name of ['a', 'b', 'c']) ways.set(name, await Way.to(cluster.port))
  return { load: await UnderLoad.start(cluster, (name) => cluster.address(ways.get(name)?.port)), ways }
}

test(
  `the leader, or another, is disconnected from PostgreSQL for a minute, ${rounds} times: others take over, and what it has received is stored when the network is back`,
  options,
  async (context) => {
    const { load, ways } = await startOnWays()
    for (let round = 1; round <= rounds; round += 1) {
      await load.untilCaughtUp()
      await load.untilAnswered(500 + Math.floor(random() * 1000))
      const leader = await load.leader()
      const cut = round % 2 === 1 ? leader : await load.other(leader)
      ways.get(cut.name)?.silence()
      const end = performance.now() + 60_000
      // Senders still reach it: what they send it waits there, and they try another.
      const took = await load.untilAnswered(500)
      await load.requireWithin(20, took)
      assert.notEqual((await load.leaderBeside(cut)).name, cut.name)
      await sleep(end - performance.now())
      ways.get(cut.name)?.heal()
      await until('it is there again', async () => (await cut.process.get('/health')).status === 200)
      record({ rounds: 1 })
    }
    await load.untilAnswered(500)
    context.diagnostic(await load.requireKept())
  },
)
