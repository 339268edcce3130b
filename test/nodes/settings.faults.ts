// A node that is wrong about the world: it comes back with other settings than the others, or as a part of another
// installation.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import pg from 'pg'
import { type ServiceProcess, startProcess } from '../acceptance/process.ts'
import { start } from '../cli/running.ts'
import { device, inform, until } from '../intake/sending.ts'
import { record, rounds } from '../outcome.ts'
import { temporaryFolder, testKeyFile } from '../support.ts'
import { Cluster, withoutDebianPostgres } from './cluster.ts'
import { leaderOf, nodesOf } from './several.ts'

const options = { timeout: 300_000 + rounds * 240_000, ...withoutDebianPostgres }
const json = { Accept: 'application/json' }

class Pair {
  readonly store: string
  readonly #folders = { a: temporaryFolder(), b: temporaryFolder() }
  readonly nodes: { a?: ServiceProcess; b?: ServiceProcess } = {}

  constructor(store: string) {
    this.store = store
  }

  async start(node: 'a' | 'b', more: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
    const settings = {
      node,
      store: this.store,
      installation: 'lyon',
      'lease-seconds': '2',
    }
    const started = await startProcess(this.#folders[node], { ...settings, ...more })
    this.nodes[node] = started
    return started
  }

  /** As if settings had differed for half an hour already. */
  async letTimePass(): Promise<void> {
    const client = new pg.Client({ connectionString: this.store })
    await client.connect()
    await client.query('update node_profile set changed_at = changed_at - 1800000')
    await client.end()
  }

  async end(): Promise<void> {
    for (const node of Object.values(this.nodes)) await node.kill()
  }
}

const differing = async (node: ServiceProcess) => {
  const rows = (await node.get('/plat/node', json)).json().node as { differingSetting?: string[] }[]
  return rows.map(({ differingSetting = [] }) => differingSetting)
}

async function alarms(node: ServiceProcess, state: 0 | 1): Promise<string[]> {
  const { alarm = [] } = (await node.get(`/fault/alarm?recStatus=${state}&size=1000`, json)).json()
  const found = (alarm as Record<string, string>[]).map(({ alarmDesc = '' }) => alarmDesc)
  return found.filter((text) => text.startsWith('The setting '))
}

const communities = ['trap-communities']

test(
  `a node comes back with other communities, ${rounds} times, and becomes the leader: both nodes name the setting, one alarm is raised, and ends when it is put right`,
  options,
  async () => {
    const pair = new Pair((await Cluster.make()).address())
    let right = await pair.start('a')
    await pair.start('b')
    for (let round = 1; round <= rounds; round += 1) {
      await pair.nodes.b?.kill()
      const wrong = await pair.start('b', { 'trap-communities': 'hunter2' })
      for (const node of [right, wrong]) assert.deepEqual(await differing(node), [communities, communities])
      await pair.letTimePass()
      await until('it is an alarm', async () => (await alarms(right, 0)).length === 1)
      // The wrong one takes over: what devices send is refused now, and the alarm is still the one that was raised.
      await right.kill()
      await until('it is the leader', async () => (await leaderOf(wrong)) === 'b')
      const sender = await device(wrong.trapPort)
      await sender.send(inform(round))
      await until('its communities decide', async () =>
        (await wrong.get('/fault/trap?bin=refused&size=1000')).text.includes('community'),
      )
      assert.equal(sender.answers().length, 0)
      right = await pair.start('a')
      assert.deepEqual(await differing(right), [communities, communities])
      const [open, ...more] = await alarms(right, 0)
      assert.deepEqual(
        [open, more],
        ['The setting trap-communities is not the same at all nodes: compare a, b', []],
      )
      await wrong.kill()
      const healed = await pair.start('b')
      for (const node of [right, healed]) assert.deepEqual(await differing(node), [[], []])
      await until('it is over', async () => (await alarms(right, 0)).length === 0)
      assert.equal((await alarms(right, 1)).length, round)
      const again = await device(healed.trapPort)
      await until('informs are answered', async () => {
        await again.send(inform(1000 + round))
        return again.answers().length > 0
      })
      record({ rounds: 1 })
    }
    await pair.end()
  },
)

test(
  `a node of another installation is started on the store, ${rounds} times: it ends with a sentence, and nobody else notices`,
  options,
  async () => {
    const pair = new Pair((await Cluster.make()).address())
    const a = await pair.start('a')
    for (let round = 1; round <= rounds; round += 1) {
      const flags = {
        node: 'a',
        store: pair.store,
        installation: 'paris',
        data: temporaryFolder(),
        'key-file': testKeyFile(),
      }
      const given = Object.entries(flags).map(([name, value]) => `--${name}=${value}`)
      const other = start(['serve', '--listen=127.0.0.1:0', '--traps=127.0.0.1:0', ...given])
      const { code, stderr } = await other.ended
      assert.equal(code, 1)
      assert.match(stderr, /the store belongs to the installation "lyon", and this node to "paris"/)
      assert.deepEqual(
        (await nodesOf(a)).map(({ name, state }) => `${name} ${state}`),
        ['a running'],
      )
      record({ rounds: 1, wrongHealth: (await a.get('/health')).status === 200 ? 0 : 1 })
    }
    a.child.kill('SIGTERM')
    await once(a.child, 'exit')
  },
)
