// Lease and fence by themselves: what a node whose term is over can still do, which is nothing.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { endFormerSessions, leaderOnly, onCurrentServer, raiseFence } from '../../src/cluster/nodes/fence.ts'
import { Lease } from '../../src/cluster/nodes/lease.ts'
import { declareGone, forgetNode, listNodes, Membership } from '../../src/cluster/nodes/membership.ts'
import { Node } from '../../src/cluster/nodes/node.ts'
import type { Store } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
import { Postgres } from '../../src/store/postgres/postgres.ts'
import { until } from '../intake/sending.ts'
import { newMigratedDatabase } from '../postgres-database.ts'
import { nothingSeen } from './several.ts'

test('what has to be done when the store has another history is done again where it failed', async () => {
  const database = new Postgres(await newMigratedDatabase())
  after(() => database.close())
  await migrate(database)
  let history = 0n
  const done: string[] = []
  const failures: string[] = []
  const may = (name: string) => async () => {
    done.push(name)
    if (failures.at(-1) === name) throw new Error(`not now: ${failures.pop()}`)
  }
  const compare = async () => ({ isBehind: false, term: 0n, history })
  const highWaterGuard = { ...nothingSeen, compare, follow: may('follow') }
  const onTerm = async () => undefined
  const onHistoryChange = may('moved')
  const log = pino({ level: 'silent' })
  const parts = { database, log, highWaterGuard, onTerm, onHistoryChange, onFatal: () => undefined }
  const node = await Node.join(parts, { name: 'a', version: '1', leaseSeconds: 60 })
  await node.start()
  done.length = 0
  history = 1n
  failures.push('moved', 'follow')
  for (let renewal = 0; renewal < 4; renewal += 1) await node.renew()
  await node.stop()
  assert.deepEqual(done, ['follow', 'follow', 'moved', 'follow', 'moved', 'follow'])
})

const add =
  "insert into counter (name, value) values ('fence test', 1) on conflict (name) do update set value = counter.value + 1"

async function member(address: string, name: string, leaseSeconds = 1) {
  const database = new Postgres(address)
  after(() => database.close())
  await migrate(database)
  const lease = new Lease(database, leaseSeconds)
  await lease.prepare()
  const node = await Membership.join(database, { name, version: '1' })
  let term: bigint | undefined
  return {
    database,
    lease,
    fenced: leaderOnly(database, () => term),
    renew: (given: bigint) => database.writeUrgently((tx) => lease.renew(tx, given)),
    async take(): Promise<boolean> {
      const taken = await lease.take(node)
      if (taken === undefined) return false
      await endFormerSessions(database)
      await database.transaction(async (tx) => void (await raiseFence(tx, taken)))
      term = taken
      return true
    },
  }
}

const added = async (database: Store) =>
  Number((await database.all("select value from counter where name = 'fence test'"))[0]?.value ?? 0n)

test('as long as one node holds the lease no other gets it; a lease that was not renewed is taken by another with a higher term', async () => {
  const address = await newMigratedDatabase()
  // Long enough for what is done while it holds.
  const [a, b] = [await member(address, 'a', 4), await member(address, 'b', 4)]
  assert.ok(await a.take())
  assert.ok(!(await b.take()))
  const { term } = await a.lease.read()
  assert.ok(await a.renew(term))
  await until('the lease is over', () => b.take())
  assert.ok((await b.lease.read()).term > term)
  assert.ok(!(await a.renew(term)))
})

test('a node renews its lease while all its reading connections are busy', async () => {
  const address = await newMigratedDatabase()
  const [database, other] = [new Postgres(address), new Postgres(address)]
  after(() => Promise.all([database.close(), other.close()]))
  await migrate(database)
  const log = pino({ level: 'silent' })
  const parts = {
    database,
    log,
    highWaterGuard: nothingSeen,
    onTerm: async () => undefined,
    onFatal: assert.ifError,
  }
  const node = await Node.join(parts, { name: 'a', version: '1', leaseSeconds: 60 })
  await node.start()
  after(() => node.stop())
  let reads: Promise<unknown>[] = []
  await other.transaction(async (tx) => {
    await tx.all('select pg_advisory_xact_lock(1)')
    reads = Array.from({ length: 20 }, () => database.all('select pg_advisory_xact_lock_shared(1)'))
    const [before] = await tx.all('select ends_at from lease')
    await node.renew()
    const [now] = await tx.all('select ends_at from lease')
    assert.ok((now?.ends_at as bigint) > (before?.ends_at as bigint))
  })
  await Promise.all(reads)
})

/** A node that renews its lease when it is told to. */
async function joined(address: string, name: string, leaseSeconds: number) {
  const database = new Postgres(address)
  after(() => database.close())
  const log = pino({ level: 'silent' })
  const parts = {
    database,
    log,
    highWaterGuard: nothingSeen,
    onTerm: async () => undefined,
    onFatal: assert.ifError,
  }
  const node = await Node.join(parts, { name, version: '1', leaseSeconds })
  return { database, node }
}

test('a lease whose holder has no connection any more is taken before its end; one whose holder is there is not', async () => {
  const address = await newMigratedDatabase()
  const one = new Postgres(address)
  after(() => one.close())
  await migrate(one)
  const holder = await member(address, 'a', 100)
  assert.ok(await holder.take())
  const { node, database } = await joined(address, 'b', 2)
  // Much longer than it takes where nobody is there.
  for (let checks = 0; checks < 20; checks += 1) {
    await node.renew()
    assert.equal(node.isLeader, false)
    await sleep(50)
  }
  await holder.database.close()
  await until('the other one is the leader', async () => {
    await node.renew()
    return node.isLeader
  })
  const [row] = await database.all("select term from lease where holder = 'b' and one = 1")
  assert.equal(row?.term, 2n)
  await node.stop()
})

test('a leader that gets little of a processor has more time between two statements, for that transaction alone', async () => {
  const address = await newMigratedDatabase()
  const a = await member(address, 'a', 100)
  await a.take()
  const { term } = await a.lease.read()
  let isLate = true
  const processing = leaderOnly(
    a.database,
    () => term,
    () => isLate,
  )
  const limit = (database: Store) =>
    database.transaction(async (tx) => {
      const [row] = await tx.all("select current_setting('idle_in_transaction_session_timeout') as idle")
      return row?.idle
    })
  assert.equal(await limit(processing), '15s')
  assert.equal(await limit(a.database), '3s')
  isLate = false
  assert.equal(await limit(processing), '3s')
})

test('a node that resumes after its term changes nothing: the fence has another term', async () => {
  const address = await newMigratedDatabase()
  const [a, b] = [await member(address, 'a'), await member(address, 'b')]
  await a.take()
  await a.fenced.transaction((tx) => tx.run(add))
  await until('the lease is over', () => b.take())
  await assert.rejects(
    a.fenced.transaction((tx) => tx.run(add)),
    /another node is the leader by now/,
  )
  assert.equal(await added(b.database), 1)
  await b.fenced.transaction((tx) => tx.run(add))
  assert.equal(await added(b.database), 2)
})

test('a suspended transaction of the node that processed is ended by the node that takes over, and changes nothing', async () => {
  const address = await newMigratedDatabase()
  const [a, b] = [await member(address, 'a'), await member(address, 'b')]
  await a.take()
  const stopped = Promise.withResolvers<void>()
  const inside = Promise.withResolvers<void>()
  const work = a.fenced.transaction(async (tx) => {
    await tx.run(add)
    inside.resolve()
    await stopped.promise
    await tx.run(add)
  })
  work.catch(() => undefined)
  await inside.promise
  await until('another takes over', () => b.take())
  await b.fenced.transaction((tx) => tx.run(add))
  stopped.resolve()
  await assert.rejects(work, /PostgreSQL does not answer/)
  assert.equal(await added(b.database), 1)
})

test('the node that begins the first term ends no session of others, not even of a program without a name on the same server', async () => {
  const address = await newMigratedDatabase()
  const node = await member(address, 'a')
  const bystander = new pg.Client({ connectionString: address })
  bystander.on('error', () => undefined)
  await bystander.connect()
  after(() => bystander.end().catch(() => undefined))
  await bystander.query('begin')
  await bystander.query('select 1')
  assert.ok(await node.take())
  assert.equal((await bystander.query('commit')).command, 'COMMIT')
})

test('a session that is suspended inside a transaction is ended by the server within seconds', async () => {
  const address = await newMigratedDatabase()
  const [a, b] = [await member(address, 'a'), await member(address, 'b')]
  const stopped = Promise.withResolvers<void>()
  const inside = Promise.withResolvers<void>()
  // As an operation that came in by HTTP: it belongs to no term.
  const work = a.database.transaction(async (tx) => {
    await tx.run(add)
    inside.resolve()
    await stopped.promise
    await tx.run(add)
  })
  work.catch(() => undefined)
  await inside.promise
  // Goes on although the first has not been let go.
  await b.database.transaction((tx) => tx.run(add))
  stopped.resolve()
  await assert.rejects(work)
  assert.equal(await added(b.database), 1)
  // The session is gone; the next transaction has another.
  await a.database.transaction((tx) => tx.run(add))
  assert.equal(await added(b.database), 2)
})

test('after a move to another server, no node changes alarms before a term has begun there', async () => {
  const address = await newMigratedDatabase()
  const a = await member(address, 'a')
  await a.take()
  const people = onCurrentServer(a.database)
  await people.transaction((tx) => tx.run(add))
  // As a promoted standby has it: the fence is that of the server before it.
  await a.database.transaction((tx) => tx.run('update fence set timeline = timeline + 1'))
  for (const database of [people, a.fenced]) {
    await assert.rejects(
      database.transaction((tx) => tx.run(add)),
      /served by another PostgreSQL than before/,
    )
  }
  assert.equal(await added(a.database), 1)
  await until('a term begins there', () => a.take())
  await people.transaction((tx) => tx.run(add))
  await a.fenced.transaction((tx) => tx.run(add))
  assert.equal(await added(a.database), 3)
})

test('a node that has given a sign of life meanwhile is not declared gone, nor forgotten', async () => {
  const { database } = await member(await newMigratedDatabase(), 'a')
  const [seen] = await listNodes(database)
  assert.ok(seen)
  const earlier = { ...seen, lastSign: seen.lastSign - 1 }
  await declareGone(database, earlier)
  await forgetNode(database, earlier)
  assert.deepEqual(await listNodes(database), [seen])
  await declareGone(database, seen)
  assert.equal((await listNodes(database))[0]?.gone, true)
  await forgetNode(database, seen)
  assert.deepEqual(await listNodes(database), [])
})
