// Several nodes on one store: what a session asks of PostgreSQL is set and read back. A node that stands
// still inside a transaction delays the others by seconds; a commit that is not durable does not count.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { Fault } from '../../src/fault.ts'
import type { Transaction } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
import { Postgres } from '../../src/store/postgres/postgres.ts'
import { newDatabase } from '../postgres-database.ts'
import { startPostgres } from '../postgres-server.ts'
import { eventually } from '../push/station.ts'

const open = (address: string) => {
  const database = new Postgres(address)
  after(() => database.close())
  return database
}

const address = await newDatabase()
const [one, other] = [open(address), open(address)]
await migrate(one)
const own = await startPostgres()
after(() => own.stop())
const apart = open(`${own.address}/postgres`)
await migrate(apart)

const addZone = (tx: Transaction, id: bigint, name: string) =>
  tx.run('insert into zone (id, name, name_key) values (?, ?, ?)', [id, name, name])
const isUnavailable = (error: unknown) => error instanceof Fault && error.code === 'unavailable'

test('nodes, sessions: time-outs, keepalives and durability are set and read back', async () => {
  const sql =
    "select name, setting from pg_settings where name in ('synchronous_commit', 'statement_timeout', 'idle_in_transaction_session_timeout', 'lock_timeout', 'tcp_user_timeout', 'tcp_keepalives_idle') order by name"
  const read = async (tx: Transaction) => (await tx.all(sql)).map(({ name, setting }) => `${name} ${setting}`)
  const expected = [
    'idle_in_transaction_session_timeout 3000',
    'lock_timeout 5000',
    'statement_timeout 0',
    'synchronous_commit on',
    'tcp_keepalives_idle 5',
    'tcp_user_timeout 10000',
  ]
  assert.deepEqual(await one.transaction(read), expected)
  assert.deepEqual(await one.writeConcurrently(read), expected)
})

test('nodes, sessions: a node that is suspended inside a transaction delays the others by seconds, and changes nothing', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const inside = Promise.withResolvers<void>()
  const still = one.transaction(async (tx) => {
    await addZone(tx, 1n, 'still')
    inside.resolve()
    await promise
    await addZone(tx, 2n, 'woken')
  })
  const outcome = still.then(
    () => 'kept',
    (error) => error,
  )
  await inside.promise
  await other.transaction((tx) => addZone(tx, 3n, 'went on'))
  resolve()
  assert.ok(isUnavailable(await outcome), String(await outcome))
  const rows = await other.all('select name from zone order by id')
  assert.deepEqual(
    rows.map((row) => row.name),
    ['went on'],
  )
  await one.transaction((tx) => addZone(tx, 4n, 'goes on, too'))
})

test("nodes, sessions: writes that need no writer's row wait for no other", async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const busy = one.transaction(async (tx) => {
    await addZone(tx, 10n, 'busy')
    await promise
  })
  await other.writeConcurrently((tx) => tx.run("update registration set query = ''"))
  resolve()
  await busy
})

test('nodes, durability: a commit whose wait for the standby was cancelled is not answered', async () => {
  const admin = new pg.Client({ connectionString: `${own.address}/postgres` })
  await admin.connect()
  after(() => admin.end())
  await admin.query('set synchronous_commit = local')
  const standbys = async (names: string) => {
    await admin.query(`alter system set synchronous_standby_names = '${names}'`)
    await admin.query('select pg_reload_conf()')
    await eventually(async () => {
      const { rows } = await admin.query('show synchronous_standby_names')
      return rows[0].synchronous_standby_names === names
    }, 'the server has read its settings')
  }
  await standbys('nobody')
  const outcome = apart
    .transaction((tx) => addZone(tx, 1n, 'here only'))
    .then(
      () => 'kept',
      (error) => error,
    )
  await eventually(async () => {
    const { rows } = await admin.query(
      "select pg_cancel_backend(pid) as done from pg_stat_activity where wait_event = 'SyncRep'",
    )
    return rows.length > 0
  }, 'the commit waits, and is cancelled')
  const error = await outcome
  assert.ok(isUnavailable(error), String(error))
  assert.match(error.message, /does not promise that the commit is kept/)
  await standbys('')
  await apart.transaction((tx) => addZone(tx, 2n, 'kept'))
})
