// A sweep of very many rows yields: other work waits for no more than one small piece of it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { removeSilentSources } from '../../src/alarms/engine/trap-ledger.ts'
import { openEpochAhead } from '../../src/alarms/log/epochs.ts'
import { inChunks } from '../../src/store/chunked-work.ts'
import type { Database, SqlValue, Transaction } from '../../src/store/database.ts'
import { sweep } from '../../src/upkeep/retention.ts'
import { bothStores, stores } from '../support.ts'

const [sqlite] = stores
assert(sqlite)

const many = 40_000
const fill = `with recursive row(n) as (select 1 union all select n + 1 from row where n < ${many})`

/** Traps, entries of the log and lines of the ledger, all of them long ago. */
async function fillStore(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.run(
      `insert into trap (id, received_time, source_ip, version, oid, device_id, bin, reason, variables) ${fill} select n, n, '10.0.0.1', '2c', '1.3.6.1', 1, 'raised', 'new', '[]' from row`,
    )
    await tx.run(
      `insert into alarm_log (number, kind, at, alarm_id, oid, device_id, device_ip, alarm_level, cleared, alarm) ${fill} select n, 'raise', n, n, '1.3.6.1', 1, '10.0.0.1', 1, '[]', '<alarm/>' from row`,
    )
    await tx.run(
      `insert into trap_source_ledger (source_ip, bin, reason, n, last_time) ${fill} select 'host ' || n, 'raised', 'new', 1, n from row`,
    )
    await tx.run("insert into tally (table_name, column_name, value, n) values ('trap', '', '', ?)", [many])
  })
}

/**
 * The longest time that this thread worked without letting anybody else do something; milliseconds of processor time.
 */
async function longestStretch(work: Promise<unknown>): Promise<number> {
  const worked = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let longest = 0
  let done = false
  const finished = work.finally(() => {
    done = true
  })
  for (let last = worked(); !done; ) {
    await new Promise((resolve) => setImmediate(resolve))
    const now = worked()
    longest = Math.max(longest, now - last)
    last = now
  }
  await finished
  return longest
}

const count = async (database: Database, table: string) =>
  Number((await database.all(`select count(*) as n from ${table}`))[0]?.n)

const onThread = { skip: sqlite.name !== 'SQLite' && 'only SQLite works in the thread of the service' }

test('a sweep of very many rows never works for more than 50 ms without yielding', onThread, async () => {
  const database = await sqlite.openMigrated(() => Date.UTC(2026, 10, 15))
  await fillStore(database)
  const keep = { count: 100, days: 1000 }
  const longest = await longestStretch(sweep(database, { traps: keep, alarms: keep, log: keep, audit: keep }))
  assert.deepEqual(
    await Promise.all(['trap', 'alarm_log', 'trap_source_ledger'].map((table) => count(database, table))),
    [0, 0, 0],
  )
  assert(longest < 50, `it worked for ${longest} ms`)
})

test('a sweep that is asked to stop leaves the rest for later', async () => {
  const database = await sqlite.openMigrated(() => Date.UTC(2026, 10, 15))
  await fillStore(database)
  const keep = { count: 100, days: 1000 }
  let asked = 0
  const isOver = () => ++asked > 3
  const removed = await sweep(database, { traps: keep, alarms: keep, log: keep, audit: keep }, isOver)
  assert(removed > 0 && removed < 1000, `${removed}`)
})

test('numbers that a jump has skipped are no entries: the log keeps as many as without one', async () => {
  const database = await sqlite.openMigrated(() => 1000)
  await fillStore(database)
  await database.transaction((tx) =>
    tx.run("insert into counter (name, value) values ('alarm log', ?)", [many]),
  )
  for (let promotions = 0; promotions < 3; promotions += 1) {
    await database.transaction(async (tx) => {
      const { first } = await openEpochAhead(tx, { ids: new Map(), isReported: false })
      await tx.run(
        "insert into alarm_log (number, kind, at, alarm_id, oid, device_id, device_ip, alarm_level, cleared, alarm) values (?, 'raise', ?, 1, '1.3.6.1', 1, '10.0.0.1', 1, '[]', '<alarm/>')",
        [first, 1000],
      )
      await tx.run("update counter set value = ? where name = 'alarm log'", [first])
    })
  }
  const keep = { count: 100, days: 1000 }
  await sweep(database, { traps: keep, alarms: keep, log: keep, audit: keep })
  assert.equal(await count(database, 'alarm_log'), 100)
})

test('lines of the ledger beyond the limit go, those first that were silent longest', async () => {
  const database = await sqlite.openMigrated(() => 1000)
  await fillStore(database)
  const keep = { count: many, days: 1000 }
  await sweep(database, { traps: keep, alarms: keep, log: keep, audit: keep, sources: 100 })
  const kept = await database.all('select last_time from trap_source_ledger order by last_time')
  assert.deepEqual(
    kept.map((row) => Number(row.last_time)),
    Array.from({ length: 100 }, (_, index) => many - 99 + index),
  )
})

test('the lines of the ledger that go are found by an index, however many there are', async () => {
  const store = bothStores.find(({ name }) => name === 'SQLite')
  assert(store)
  const database = await store.openMigrated()
  const plan = await database.transaction(async (tx) => {
    const found: string[] = []
    // What it asks for is explained instead of answered; then there is nothing to remove.
    const explaining = Object.assign(Object.create(tx), {
      async all(sql: string, values: readonly SqlValue[]) {
        const steps = await tx.all(`explain query plan ${sql}`, values)
        found.push(...steps.map(({ detail }) => String(detail)))
        return []
      },
    }) as Transaction
    await removeSilentSources(explaining, 1000, 10)
    return found
  })
  assert.deepEqual(plan, ['SEARCH trap_source_ledger USING INDEX trap_source_ledger_silent (last_time<?)'])
})

test('pieces grow while they are quick and shrink when they are slow', async () => {
  const database = await sqlite.openMigrated()
  const asked: number[] = []
  let time = 0
  let costOfOne = 0.01
  const clock = () => time
  const pause = async () => undefined
  let left = 100_000
  const done = await inChunks(
    database,
    async (_tx, limit) => {
      asked.push(limit)
      if (asked.length > 20) costOfOne = 1
      const now = Math.min(limit, left)
      left -= now
      time += now * costOfOne
      return now
    },
    { clock, pause },
  )
  assert.equal(done, 100_000)
  const quick = asked.slice(10, 20)
  assert(Math.min(...quick) >= 500 && Math.max(...quick) <= 2000, `quick: ${quick}`)
  const slow = asked.slice(25)
  assert(Math.max(...slow) <= 20, `slow: ${slow.slice(0, 5)}`)
})
