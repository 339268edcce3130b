// Transactions that share a commit of PostgreSQL: which ones do, and what becomes of all of them when it fails.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { FlapCycles } from '../../src/alarms/limits/flap-cycles.ts'
import { Fault } from '../../src/fault.ts'
import type { Transaction } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
import { Postgres } from '../../src/store/postgres/postgres.ts'
import { newDatabase } from '../postgres-database.ts'
import { Way } from './cluster.ts'

const address = await newDatabase()
const database = new Postgres(address)
after(() => database.close())
await migrate(database)

const addZone = (tx: Transaction, id: number) =>
  tx.run('insert into zone (id, name, name_key) values (?, ?, ?)', [BigInt(id), `zone ${id}`, `zone ${id}`])
const zones = async () => (await database.all('select id from zone order by id')).map((row) => Number(row.id))
const commits = async () => Number((await database.all('select number from writer'))[0]?.number)
/** The tables that this session has locked rows of. */
const locks = async (tx: Transaction) =>
  (
    await tx.all(
      "select relation::regclass::text as name from pg_locks where pid = pg_backend_pid() and mode = 'RowShareLock'",
    )
  ).map((row) => row.name)

let nextId = 0

/** Which ones share a commit depends on how fast the machine is: tried until they do. */
async function untilShared(attempt: (from: number) => Promise<boolean>): Promise<void> {
  for (let attempts = 0; attempts < 100; attempts += 1) {
    nextId += 1000
    if (await attempt(nextId)) return
  }
  assert.fail('they never shared a commit')
}

test('those that wait share one commit, and one that fails among them is undone alone', () =>
  untilShared(async (from) => {
    const [before, there] = [await commits(), (await zones()).length]
    const answers = Array.from({ length: 12 }, (_, index) =>
      database.transaction(async (tx) => {
        const [row] = await tx.all('select count(*) as n from zone')
        await addZone(tx, from + index)
        if (index === 5) throw new Fault('conflict', 'not this one')
        return Number(row?.n) - there
      }),
    )
    const outcomes = await Promise.allSettled(answers)
    const seen = outcomes.map((outcome) =>
      outcome.status === 'fulfilled' ? outcome.value : outcome.reason.message,
    )
    assert.deepEqual(seen, [0, 1, 2, 3, 4, 'not this one', 5, 6, 7, 8, 9, 10])
    const added = (await zones()).filter((id) => id >= from).map((id) => id - from)
    assert.deepEqual(added, [0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11])
    return (await commits()) - before < 11
  }))

test('where the session is lost, all of them have failed, and what was cached for the next one is undone', () =>
  untilShared(async (from) => {
    const before = await zones()
    const version = database.version('zone')
    const cycles = new FlapCycles(5, 1000)
    const done: string[] = []
    let isShared = false
    const first = database.transaction(async (tx) => {
      await addZone(tx, from)
      const changes = cycles.begin()
      changes.add('port', 1)
      tx.afterCommit(changes.committed, changes.undone)
      tx.afterCommit(
        () => done.push('first'),
        () => done.push('first undone'),
      )
    })
    const second = database.transaction(async (tx) => {
      isShared = database.version('zone') === version
      if (!isShared) return
      assert.equal(tx.version('zone'), version + 1)
      assert.equal(cycles.size, 1)
      const [row] = await tx.all('select name from zone where id = ?', [BigInt(from)])
      assert.equal(row?.name, `zone ${from}`)
      await tx.all('select pg_terminate_backend(pg_backend_pid())')
    })
    const outcomes = await Promise.allSettled([first, second])
    if (!isShared) return false
    for (const outcome of outcomes) {
      assert(outcome.status === 'rejected' && outcome.reason instanceof Fault, outcome.status)
      assert.equal(outcome.reason.code, 'unavailable', outcome.reason.message)
    }
    assert.deepEqual(done, ['first', 'first undone'])
    assert.equal(cycles.size, 0)
    assert.deepEqual(await zones(), before)
    await database.transaction(async (tx) => {
      assert(tx.version('zone') > version + 1, 'what was read in the failed one is valid no longer')
      await addZone(tx, from + 1)
    })
    assert.deepEqual(await zones(), [...before, from + 1])
    return true
  }))

test('one that takes other locks first waits for the next commit', async () => {
  const seen: string[] = []
  const taking = (name: string) => async (tx: Transaction) => {
    seen.push(`${name}: ${(await locks(tx)).includes('writer') ? 'after' : 'before'}`)
  }
  const [fence, other] = [{ first: taking('fence') }, { first: taking('other') }]
  const work = (id: number) => (tx: Transaction) => addZone(tx, id)
  await Promise.all([
    database.transaction(work(300), undefined, fence),
    database.transaction(work(301), undefined, fence),
    database.transaction(work(302)),
    database.transaction(work(303), undefined, other),
    database.transaction(work(304), undefined, fence),
  ])
  assert.deepEqual(
    seen.filter((line) => line.startsWith('other')),
    ['other: before'],
  )
  const fences = seen.filter((line) => line.startsWith('fence'))
  assert.equal(fences[0], 'fence: before')
  assert.equal(fences.at(-1), 'fence: before')
  assert.equal(fences.length, 3, 'each of them is checked')
})

test('whoever finds the session lost before its transaction has begun is told so', async () => {
  const { port } = new URL(address)
  const way = await Way.to(Number(port))
  const here = new URL(address)
  here.port = String(way.port)
  const store = new Postgres(here.href)
  after(() => store.close())
  const [session] = await store.transaction((tx) => tx.all('select pg_backend_pid() as id'))
  // After a second, a transaction first asks the server for its time.
  await sleep(1100)
  way.silence()
  const answer = store.transaction((tx) => addZone(tx, 1))
  answer.catch(() => undefined)
  await database.all('select pg_terminate_backend(?)', [session?.id as bigint])
  way.heal()
  await assert.rejects(answer, (error) => error instanceof Fault && error.code === 'unavailable')
  await store.transaction((tx) => addZone(tx, 1))
})
