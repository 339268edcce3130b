// Several nodes on one store: a nonce of Digest is valid at every node, and each request once at all of them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SharedNonces } from '../../src/access/cluster/shared-nonces.ts'
import { nonceLifetime } from '../../src/access/nonces.ts'
import { migrate } from '../../src/store/migrate.ts'
import { Postgres } from '../../src/store/postgres/postgres.ts'
import { digestHeader, guard, passwordOf } from '../http/credentials.ts'
import { until } from '../intake/sending.ts'
import { newMigratedDatabase } from '../postgres-database.ts'
import type { TestService } from '../support.ts'
import { Cluster, withoutDebianPostgres } from './cluster.ts'
import { startNodes } from './several.ts'

const { services } = await startNodes(2)
const [a, b] = services.map(guard) as [ReturnType<typeof guard>, ReturnType<typeof guard>]
const alice = { name: 'alice', role: 'administrator', password: passwordOf('alice') }
assert.equal((await a.sendJson('POST', '/plat/operator', alice)).status, 201)

const uri = '/ram/zone'
const isStale = ({ status, headers }: Awaited<ReturnType<TestService['get']>>) =>
  status === 401 && /stale=true/.test(String(headers['www-authenticate']))

test('nodes, nonces: one that a node has issued is accepted at all, and no request twice, wherever it is repeated', async () => {
  const challenge = await a.challenge()
  const send = (node: typeof a, nc: number) =>
    node.get(uri, {
      Authorization: digestHeader(challenge, { name: 'alice', uri, nc: nc.toString(16).padStart(8, '0') }),
    })
  for (let nc = 1; nc <= 6; nc += 1) {
    const [first, second] = nc % 2 === 0 ? [a, b] : [b, a]
    assert.equal((await send(first, nc)).status, 200, `request ${nc}`)
    for (const node of [first, second]) assert.ok(isStale(await send(node, nc)), `request ${nc} again`)
  }
})

test('nodes, nonces: of many copies that arrive at both nodes at the same time, one is accepted', async () => {
  const header = digestHeader(await b.challenge(), { name: 'alice', uri })
  const copies = Array.from({ length: 20 }, (_, index) =>
    (index % 2 === 0 ? a : b).get(uri, { Authorization: header }),
  )
  const answers = await Promise.all(copies)
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  assert.equal(answers.filter(isStale).length, 19)
})

async function sharedNonces(clock: { now: number }, address: string) {
  const database = new Postgres(address)
  return { database, nonces: new SharedNonces(database, () => clock.now) }
}

test('nodes, nonces: they are valid for five minutes; what is remembered of them goes later', async () => {
  const clock = { now: 1_700_000_000_000 }
  const address = await newMigratedDatabase()
  const [left, right] = [await sharedNonces(clock, address), await sharedNonces(clock, address)]
  await migrate(left.database)
  const nonce = await left.nonces.make()
  assert.equal(await right.nonces.use(nonce, '00000001'), 'good')
  assert.equal(await left.nonces.use(nonce, '00000001'), 'replayed')
  clock.now += nonceLifetime
  assert.equal(await left.nonces.use(nonce, '00000002'), 'good')
  clock.now += 1
  assert.equal(await right.nonces.use(nonce, '00000003'), 'stale')
  await left.nonces.forgetOld()
  // A node whose clock is a little behind would still accept it.
  clock.now -= 1000
  assert.equal(await right.nonces.use(nonce, '00000002'), 'replayed')
  clock.now += 2 * nonceLifetime
  await left.nonces.forgetOld()
  assert.deepEqual(await left.database.all('select nonce from nonce_use'), [])
  const fresh = await left.nonces.make()
  for (const forged of ['', '.', 'x.y.z', `${fresh}x`, fresh.toUpperCase(), `\u0000${fresh}`]) {
    assert.equal(await right.nonces.use(forged, '00000001'), 'stale')
  }
  for (const { database } of [left, right]) await database.close()
})

test(
  'nodes, nonces: after a crash of PostgreSQL, and on a copy that was put back, older ones are stale',
  withoutDebianPostgres,
  async () => {
    const cluster = await Cluster.make()
    const clock = { now: Date.now() }
    const { database, nonces } = await sharedNonces(clock, cluster.address())
    await migrate(database)
    for (const mode of ['immediate', 'fast'] as const) {
      const [used, unused] = [await nonces.make(), await nonces.make()]
      assert.equal(await nonces.use(used, '00000001'), 'good')
      cluster.stop(mode)
      cluster.start()
      // The connections that it had are gone.
      await until(
        'PostgreSQL answers',
        async () => (await database.all('select 1 as one').catch(() => [])).length > 0,
      )
      const again = async (nonce: string, nc: string) => {
        let verdict: string | undefined
        await until('there is an answer', async () => {
          verdict = await nonces.use(nonce, nc).catch(() => undefined)
          return verdict !== undefined
        })
        return verdict
      }
      assert.equal(await again(used, '00000001'), 'stale', mode)
      assert.equal(await again(unused, '00000001'), 'stale', mode)
      assert.equal(await nonces.use(await nonces.make(), '00000001'), 'good', mode)
    }
    await database.close()
  },
)
