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
  `kill -9 of the node that settles, ${rounds} times: others go on within 10 s, and nothing is lost`,
  options,
  async () => {
    const load = await UnderLoad.start(await Cluster.make())
    for (let round = 1; round <= rounds; round += 1) {
      await load.untilAnswered(100 + Math.floor(random() * 200))
      const settler = await load.settler()
      await load.kill(settler)
      const took = await load.untilAnswered(50)
      assert.ok(took < 10_000, `round ${round}: it took ${took} ms`)
      await load.startAgain(settler)
    }
    await load.requireKept()
  },
)

test(`kill -9 of a node that only receives, ${rounds} times: nothing is lost`, options, async () => {
  const load = await UnderLoad.start(await Cluster.make())
  for (let round = 1; round <= rounds; round += 1) {
    await load.untilAnswered(100 + Math.floor(random() * 200))
    const receiver = await load.other(await load.settler())
    await load.kill(receiver)
    await load.untilAnswered(100)
    await load.startAgain(receiver)
  }
  await load.requireKept()
})

test(
  `SIGSTOP of the node that settles, and its waking, ${rounds} times: others go on, and it changes nothing`,
  options,
  async () => {
    const load = await UnderLoad.start(await Cluster.make())
    for (let round = 1; round <= rounds; round += 1) {
      await load.untilAnswered(100 + Math.floor(random() * 200))
      const settler = await load.settler()
      settler.isUp = false
      settler.process.child.kill('SIGSTOP')
      const took = await load.untilAnswered(50)
      assert.ok(took < 15_000, `round ${round}: it took ${took} ms`)
      const next = await load.settler()
      assert.notEqual(next.name, settler.name)
      settler.process.child.kill('SIGCONT')
      await load.untilAnswered(100)
      await until('the one that woke up is there again', async () => {
        settler.isUp = (await settler.process.get('/health')).status === 200
        return settler.isUp
      })
    }
    await load.requireKept()
  },
)

test(`pg_ctl restart -m immediate, ${rounds} times: all go on, and nothing is lost`, options, async () => {
  const cluster = await Cluster.make()
  const load = await UnderLoad.start(cluster)
  for (let round = 1; round <= rounds; round += 1) {
    await load.untilAnswered(100 + Math.floor(random() * 200))
    cluster.stop('immediate')
    await sleep(random() * 1500)
    cluster.start()
    await load.untilAnswered(100, 60)
  }
  await load.requireKept()
})

test(
  'a node is cut off from PostgreSQL for a while: others go on, and what it holds is kept when the way is back',
  options,
  async () => {
    const cluster = await Cluster.make()
    const way = await Way.to(cluster.port)
    const load = await UnderLoad.start(cluster, (name) =>
      cluster.address(name === 'a' ? way.port : undefined),
    )
    await load.untilAnswered(100)
    const cut = load.node('a')
    way.silence()
    // Senders still reach it: what they send it waits there, and they try another.
    const took = await load.untilAnswered(200, 60)
    assert.ok(took < 40_000, `it took ${took} ms`)
    assert.notEqual((await load.settlerBeside(cut)).name, 'a')
    await sleep(10_000)
    way.heal()
    await until('it is there again', async () => (await cut.process.get('/health')).status === 200, 60)
    await load.untilAnswered(100)
    await load.requireKept()
  },
)

test('the same notification sent to two nodes in any order is settled once', options, async () => {
  const load = await UnderLoad.start(await Cluster.make())
  load.informs.toTwo = true
  await load.untilAnswered(500)
  await load.requireKept()
})
