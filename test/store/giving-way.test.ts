// Long work lets others have their turn, for as long as it has held the thread at most; a transaction does so too.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { TimeSlice, yieldThread } from '../../src/pacing/time-slice.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { temporaryFolder } from '../support.ts'

/** Rounds of the event loop that take as long as said, and then nothing; returns when it went on. */
async function goesOnAfter(took: number, rounds: readonly number[]): Promise<number> {
  let now = 1000
  let next = 0
  await yieldThread(
    took,
    () => now,
    async () => {
      now += rounds[next++] ?? 0
    },
  )
  return now - 1000
}

test('work continues at once where there is no other work', async () => {
  assert.equal(await goesOnAfter(40, []), 0)
})

test('other work runs in between, also where it begins after a round without any', async () => {
  assert.equal(await goesOnAfter(40, [0, 0, 3, 0, 0, 2, 5]), 10)
})

test('other work gets no more time than the work took, and the round that was begun', async () => {
  assert.equal(await goesOnAfter(40, Array(1000).fill(3)), 42)
})

test('work in small steps yields whenever it has occupied the thread for 8 ms, and not before', async () => {
  let now = 1000
  const given: number[] = []
  let turned = () => {}
  const pace = new TimeSlice({
    clock: () => now,
    yieldThread: async (milliseconds) => given.push(milliseconds),
    onLoopTurn: (callback) => {
      turned = callback
    },
  })
  for (const took of [3, 4, 1, 7, 0, 30, 7]) {
    now += took
    await pace.step()
  }
  assert.deepEqual(given, [12, 30], 'for as long as it had it')
  turned()
  await pace.step()
  now += 7
  await pace.step()
  assert.equal(given.length, 2, 'others have had the thread anyway')
})

test('many short transactions, one after the other, let other work run in between', async () => {
  const database = openSqlite(join(temporaryFolder(), 'store.db'))
  await database.migrate('create table thing (id bigint primary key)', { recordIfDue: async () => true })
  let turns = 0
  const counting = setInterval(() => {
    turns += 1
  }, 1)
  const most = 20_000n
  let id = 0n
  while (turns < 5 && id < most) {
    id += 1n
    await database.transaction((tx) => tx.run('insert into thing (id) values (?)', [id]))
  }
  clearInterval(counting)
  assert.ok(turns >= 5, `${turns} turns in ${id} transactions`)
  await database.close()
})

test('while a transaction writes much, other work runs, reads what was there before, and writes after it', async () => {
  const database = openSqlite(join(temporaryFolder(), 'store.db'))
  await database.migrate('create table thing (id bigint primary key, name text)', {
    recordIfDue: async () => true,
  })
  const count = async () => Number((await database.all('select count(*) as n from thing'))[0]?.n)
  const rows = Array.from({ length: 60_000 }, (_, id) => [BigInt(id + 1), `thing ${id}`])
  const sql = { sql: 'insert into thing (id, name) values (?, ?)', types: ['bigint', 'text'] } as const
  let isDone = false
  const writing = database
    .transaction((tx) => tx.runEach(sql, rows))
    .then(() => {
      isDone = true
    })
  const next = database.transaction((tx) => tx.run('delete from thing where id > ?', [10n]))
  const seen = new Set<number>()
  let turns = 0
  for (; !isDone; turns += 1) {
    await turn()
    if (!isDone && turns < 5) seen.add(await count())
  }
  await writing
  assert.equal(await next, 59_990)
  assert.ok(turns >= 5, `${turns} turns`)
  assert.deepEqual([...seen], [0])
  assert.equal(await count(), 10)
  await database.close()
})
