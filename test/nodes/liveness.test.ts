// A server that accepts statements and never answers is given up; a statement on which the server works is not.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Liveness } from '../../src/store/postgres/liveness.ts'
import { newDatabase } from '../postgres-database.ts'
import { Way } from './cluster.ts'

const address = new URL(await newDatabase())

async function watched(port: number) {
  const here = new URL(address)
  here.port = String(port)
  const settings = { connectionString: here.href }
  const liveness = new Liveness(settings, { silence: 400, timeout: 2000 })
  const client = new pg.Client(settings)
  client.on('error', () => undefined)
  await client.connect()
  liveness.watch(client)
  after(async () => {
    liveness.close()
    await client.end().catch(() => undefined)
  })
  return client
}

test('a session that waits for a server that no longer answers ends, and its statement fails', async () => {
  const way = await Way.to(Number(address.port))
  const client = await watched(way.port)
  await client.query('select 1')
  way.silence()
  await assert.rejects(client.query('select 1'), /the server is silent/)
})

test('a statement, or a commit, on which the server works for long is not interrupted', async () => {
  const client = await watched(Number(address.port))
  await client.query('begin')
  await client.query('select pg_sleep(3)')
  assert.equal((await client.query('commit')).command, 'COMMIT')
})

test('where the server answers others but has lost the session, its statement fails', async () => {
  const way = await Way.to(Number(address.port))
  const client = await watched(way.port)
  await client.query('select 1')
  way.silence()
  const asked = client.query('select 1')
  asked.catch(() => undefined)
  way.healForOthers()
  await assert.rejects(asked, /the server is silent/)
})

test('what nobody has begun with is given up when nothing is heard at all; not where one statement takes long', async () => {
  const here = new URL(address)
  const way = await Way.to(Number(address.port))
  here.port = String(way.port)
  const settings = { connectionString: here.href }
  const liveness = new Liveness(settings, { silence: 800, timeout: 60_000 })
  after(() => liveness.close())
  const [busy, other] = [new pg.Client(settings), new pg.Client(settings)]
  for (const client of [busy, other]) {
    client.on('error', () => undefined)
    await client.connect()
    liveness.watch(client)
    after(() => client.connection.stream.destroy())
  }
  // Others are answered meanwhile: the server is there.
  let isOver = false
  const long = busy.query('select pg_sleep(2)').then(() => {
    isOver = true
  })
  while (!isOver) {
    await liveness.failWhenSilent(other.query('select 1'))
    await sleep(20)
  }
  await long
  way.silence()
  const never = new Promise<void>(() => undefined)
  other.query('select 1').catch(() => undefined)
  await assert.rejects(liveness.failWhenSilent(never), /nothing has been heard/)
  await assert.rejects(liveness.failWhenSilent(never), /nothing has been heard/)
  // One whose answer comes in time gets it.
  assert.equal(await liveness.failWhenSilent(Promise.resolve(1)), 1)
})
