// Nodes on machines that have almost no processor time left: each runs a tenth of the time. One of them is killed.

import { test } from 'node:test'
import { record, rounds } from '../outcome.ts'
import { Cluster, withoutDebianPostgres } from './cluster.ts'
import { type RunningNode, UnderLoad } from './under-load.ts'

const options = { timeout: 300_000 + rounds * 240_000, ...withoutDebianPostgres }

/** Milliseconds of each 100 in which a node runs. */
const share = 10

/** Until it is told to end. */
function starve({ process: { child } }: RunningNode): () => void {
  const timer = setInterval(() => {
    child.kill('SIGCONT')
    setTimeout(() => child.kill('SIGSTOP'), share)
  }, 100)
  return () => {
    clearInterval(timer)
    setTimeout(() => child.kill('SIGCONT'), share + 1)
  }
}

test(
  `three nodes with a tenth of a core each, the leader killed ${rounds} times: others take over, and nothing is lost`,
  options,
  async (context) => {
    const load = await UnderLoad.start(await Cluster.make(), undefined, {
      part: 0.1,
      // As it is by default.
      settings: { 'lease-seconds': '5' },
    })
    for (let round = 1; round <= rounds; round += 1) {
      const ends = load.nodes.map(starve)
      await load.untilAnswered(50)
      const leader = await load.leader()
      await load.kill(leader)
      record({ rounds: 1, pause: await load.untilAnswered(20) })
      for (const end of ends) end()
      await load.startAgain(leader)
    }
    context.diagnostic(await load.requireKept())
  },
)
