// Several nodes on one store: what /health and /health/traps say while somebody holds locks, nobody settles, or the
// server has become read-only.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { putBlock } from '../../src/cluster/blocks/block-table.ts'
import { Lease } from '../../src/cluster/nodes/lease.ts'
import { ProcessingWatch } from '../../src/cluster/watches/processing-watch.ts'
import { migrate } from '../../src/store/migrate.ts'
import { Postgres } from '../../src/store/postgres/postgres.ts'
import { device, ifIndex, linkDown, until, v2c } from '../intake/sending.ts'
import { newDatabase } from '../postgres-database.ts'
import { type TestService, texts } from '../support.ts'
import { Way } from './cluster.ts'
import { startNode } from './several.ts'

async function asAdmin(address: string): Promise<pg.Client> {
  const admin = new pg.Client({ connectionString: address })
  await admin.connect()
  after(() => admin.end())
  return admin
}

const said = async (service: TestService) => {
  const [all, traps] = [await service.get('/health'), await service.get('/health/traps')]
  for (const { status, headers } of [all, traps])
    if (status === 503) assert.equal(headers['retry-after'], '5')
  return `${all.status} ${traps.status}`
}

const becomes = (service: TestService, expected: string) =>
  until(`it says ${expected}`, async () => (await said(service)) === expected)

test('an administrator locks the alarms: not ready once traps have waited, but they are received and kept', async () => {
  const address = await newDatabase()
  const service = await startNode(address, 'a')
  assert.equal(await said(service), '200 200')
  const admin = await asAdmin(address)
  await admin.query('begin; lock table alarm in access exclusive mode')
  const router = await device(service.trapPort)
  await router.send(v2c(linkDown, [ifIndex(7)]))
  await becomes(service, '503 200')
  const { headers } = await service.get('/health')
  assert.match(
    String(headers['error-message']),
    /traps are not processed: some have waited for more than 15 s/,
  )
  await admin.query('rollback')
  await becomes(service, '200 200')
})

test('an administrator locks the table of what is received: this node can keep nothing', async () => {
  const address = await newDatabase()
  const service = await startNode(address, 'a')
  const admin = await asAdmin(address)
  await admin.query('begin; lock table intake_block in share mode')
  await becomes(service, '503 503')
  await admin.query('rollback')
  await becomes(service, '200 200')
})

test('an administrator locks the row that every change needs: not ready, also where no traps wait', async () => {
  const address = await newDatabase()
  const service = await startNode(address, 'a')
  const admin = await asAdmin(address)
  await admin.query('begin; select 1 from writer for update')
  await becomes(service, '503 200')
  const { headers } = await service.get('/health')
  const reason = /nothing can be changed: process \d+ of PostgreSQL, which is no service, has locked writer/
  assert.match(String(headers['error-message']), reason)
  await admin.query('rollback')
  await becomes(service, '200 200')
})

test('a service that has locked that row for long, as an import has, is no fault; anybody else is, after ten seconds', async () => {
  const address = await newDatabase()
  const [database, importing] = [new Postgres(address), new Postgres(address)]
  after(() => Promise.all([database.close(), importing.close()]))
  await migrate(database)
  const lease = new Lease(database, 5)
  await lease.prepare()
  await database.writeUrgently((tx) =>
    tx.run('update lease set ends_at = (extract(epoch from clock_timestamp()) * 1000)::bigint + 60000'),
  )
  const time = { now: 0 }
  const watch = new ProcessingWatch(
    database,
    { readLease: (reader) => lease.read(reader) },
    5,
    () => time.now,
  )
  await importing.transaction(async () => {
    for (const now of [0, 60_000]) {
      time.now = now
      await watch.check()
    }
  })
  const admin = await asAdmin(address)
  await admin.query('begin; update fence set waits = waits')
  await watch.check()
  time.now += 10_000
  await watch.check()
  time.now += 1
  await assert.rejects(watch.check(), /no service, has locked fence for more than 10 seconds/)
  await admin.query('rollback')
  await watch.check()
})

test('a server that is silent: callers are told so while connections are still waited for, and served when it speaks again', async () => {
  const address = new URL(await newDatabase())
  const way = await Way.to(Number(address.port))
  address.port = String(way.port)
  const service = await startNode(address.href, 'a')
  const zones = () => service.get('/ram/zone')
  assert.equal((await zones()).status, 200)
  way.silence()
  const unheard = /nothing has been heard from it/
  await until('callers are told', async () => {
    const { status, headers } = await zones()
    if (status !== 503) return false
    assert.equal(headers['retry-after'], '5')
    // And not that the connection was given up.
    assert.match(String(headers['error-message']), unheard)
    return true
  })
  const body = '{"name":"Lyon"}'
  const written = service.ask('POST', '/ram/zone', { headers: { 'Content-Type': 'application/json' }, body })
  for (const { status, headers } of await Promise.all([zones(), written])) {
    assert.equal(status, 503)
    assert.match(String(headers['error-message']), unheard)
  }
  way.heal()
  await until('they are served', async () => (await zones()).status === 200)
})

test('a server that has become read-only: neither is answered with 200, and callers get 503', async () => {
  const address = await newDatabase()
  const service = await startNode(address, 'a')
  const admin = await asAdmin(address)
  const { rows } = await admin.query('select current_database() as name')
  const others =
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
  await admin.query(`alter database "${rows[0].name}" set default_transaction_read_only = on`)
  await admin.query(others)
  await becomes(service, '503 503')
  await until('it says why', async () =>
    /read-only/.test(String((await service.get('/health')).headers['error-message'])),
  )
  const refused = await service.ask('POST', '/ram/zone', {
    headers: { 'Content-Type': 'application/json' },
    body: '{"name":"Lyon"}',
  })
  assert.equal(refused.status, 503)
  assert.equal(refused.headers['retry-after'], '5')
  await admin.query(`alter database "${rows[0].name}" reset default_transaction_read_only`)
  await admin.query(others)
  await becomes(service, '200 200')
})

test('what fails for a while is one alarm, open as long as it lasts', async () => {
  const address = await newDatabase()
  const service = await startNode(address, 'a')
  const admin = await asAdmin(address)
  await admin.query(`
    create function fail() returns trigger language plpgsql as
      $$ begin raise exception 'as the test wants it' using errcode = '53100'; end $$;
    create trigger fail before insert on probe for each row execute function fail()`)
  await becomes(service, '503 503')
  const open = async () => texts((await service.get('/fault/alarm?recStatus=0')).text, 'alarmDesc')
  await until('an alarm says it', async () =>
    (await open()).some((text) => /^The store fails: .*as the test wants it/.test(text)),
  )
  await admin.query('drop trigger fail on probe')
  await becomes(service, '200 200')
  await until('it is over', async () => !(await open()).some((text) => text.startsWith('The store fails')))
})

test('a lease that nobody has held for two of its times, and blocks that wait while none is processed', async () => {
  const database = new Postgres(await newDatabase())
  after(() => database.close())
  await migrate(database)
  const lease = new Lease(database, 5)
  await lease.prepare()
  const time = { now: 0 }
  const watch = new ProcessingWatch(
    database,
    { readLease: (reader) => lease.read(reader) },
    5,
    () => time.now,
  )
  const held = (milliseconds: number) =>
    database.writeUrgently((tx) =>
      tx.run(
        'update lease set ends_at = (extract(epoch from clock_timestamp()) * 1000)::bigint + ? where one = 1',
        [milliseconds],
      ),
    )
  // Given up in order: what counts is for how long that has been seen.
  await watch.check()
  time.now = 10_000
  await watch.check()
  time.now = 10_001
  await assert.rejects(watch.check(), /no node has held the lease for two times lease-seconds/)
  await held(-9000)
  await watch.check()
  await held(-10_500)
  await assert.rejects(watch.check(), /no node has held the lease/)
  await held(600_000)
  await watch.check()
  for (const sequence of [1, 2])
    await putBlock(database, { node: 'a', start: 1, sequence }, Buffer.alloc(0), 1, { tallies: [] })
  await watch.check()
  const aged = (seconds: number) =>
    database.writeConcurrently((tx) =>
      tx.run('update intake_block set kept_at = kept_at - ?', [seconds * 1000]),
    )
  await aged(16)
  time.now += 5001
  await assert.rejects(watch.check(), /some have waited for more than 15 seconds/)
  // Processed one datagram after the other, or others before it: that goes on.
  await database.writeConcurrently((tx) =>
    tx.run('update intake_block set done = done + 1 where sequence = 1'),
  )
  await watch.check()
  time.now += 5001
  await assert.rejects(watch.check(), /some have waited/)
  await database.writeConcurrently((tx) =>
    tx.run(
      'update intake_block set settled_at = (extract(epoch from clock_timestamp()) * 1000)::bigint where sequence = 2',
    ),
  )
  await watch.check()
})
