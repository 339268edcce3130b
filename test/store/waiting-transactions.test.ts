// Transactions that wait share a commit: what becomes of the others where one fails, or the commit; and their order.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import type { Reader, Transaction } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { TableCache } from '../../src/store/table-cache.ts'
import { everyStore, temporaryFolder } from '../support.ts'

const addZone = (tx: Transaction, id: number) =>
  tx.run('insert into zone (id, name, name_key) values (?, ?, ?)', [BigInt(id), `zone ${id}`, `zone ${id}`])

for (const { store, database } of await everyStore()) {
  test(`what is asked for in the place of one that has failed comes before all that wait, on ${store.name}`, async () => {
    const order: string[] = []
    const noting = (name: string) => async (tx: Transaction) => {
      order.push(name)
      await tx.all('select 1 as one')
    }
    const failing = (name: string) => async (tx: Transaction) => {
      await noting(name)(tx)
      throw new Error(name)
    }
    const instead: Promise<void>[] = []
    const undone =
      (...names: readonly string[]) =>
      () => {
        for (const name of names) instead.push(database.transaction(noting(name)))
      }
    const asked = database.requested
    await Promise.allSettled([
      database.transaction(failing('first fails'), undefined, { onUndone: undone('a', 'b') }),
      database.transaction(noting('second')),
      database.transaction(failing('third fails'), undefined, { onUndone: undone('c', 'd') }),
      database.transaction(noting('fourth')),
    ])
    await Promise.all(instead)
    assert.deepEqual(order, ['first fails', 'a', 'b', 'second', 'third fails', 'c', 'd', 'fourth'])
    assert.equal(database.requested - asked, 8)
  })
}

describe('a shared commit of SQLite', async () => {
  const database = openSqlite(join(temporaryFolder(), 'test.db'))
  after(() => database.close())
  await migrate(database)
  const script = `create table parent (id bigint primary key);
    create table child (parent integer references parent deferrable initially deferred)`
  await database.migrate(script, { recordIfDue: async () => true })
  /** What only the commit notices. */
  const failTheCommit = (tx: Transaction) => tx.run('insert into child (parent) values (1)')
  const zones = async (reader: Reader) =>
    (await reader.all('select id from zone order by id')).map((row) => Number(row.id))
  const before = await zones(database)

  test('that fails, fails all that share it; what was cached for the next one is undone and read no more', async () => {
    const cache = new TableCache<number[]>(database, 'zone')
    const version = database.version('zone')
    const done: string[] = []
    const first = database.transaction(async (tx) => {
      await addZone(tx, 100)
      tx.afterCommit(
        () => done.push('first'),
        () => done.push('first undone'),
      )
    })
    const second = database.transaction(async (tx) => {
      assert.equal(tx.version('zone'), version + 1)
      assert.deepEqual(await cache.get(tx, zones), [...before, 100])
      tx.afterCommit(() => done.push('second'))
      await failTheCommit(tx)
    })
    for (const { status } of await Promise.allSettled([first, second])) assert.equal(status, 'rejected')
    assert.deepEqual(done, ['first', 'first undone'])
    assert.deepEqual(await cache.get(database, zones), before)
    await database.transaction(async (tx) => {
      assert(tx.version('zone') > version + 1)
      assert.deepEqual(await cache.get(tx, zones), before)
      await addZone(tx, 101)
    })
    assert.deepEqual(await cache.get(database, zones), [...before, 101])
    await database.transaction((tx) => tx.run('delete from zone where id = 101'))
  })

  test('that the store has rolled back by itself, as on a full disk, fails all that share it', async () => {
    const outcomes = await Promise.allSettled([
      database.transaction((tx) => addZone(tx, 102)),
      database.transaction(async (tx) => {
        await addZone(tx, 103)
        await tx.all('rollback')
        throw new Error('the disk is full')
      }),
      database.transaction((tx) => addZone(tx, 104)),
    ])
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['rejected', 'rejected', 'fulfilled'],
    )
    assert.deepEqual(await zones(database), [...before, 104])
    await database.transaction((tx) => tx.run('delete from zone where id = 104'))
  })

  test('is not joined by one that may take long, nor are those before it held up', async () => {
    const order: string[] = []
    const first = database.transaction((tx) => addZone(tx, 105)).then(() => order.push('first'))
    const outcomes = await Promise.allSettled([
      first,
      database.transaction(
        async () => {
          await first
          order.push('long one')
          throw new Error('the long one fails')
        },
        undefined,
        { isLong: true },
      ),
      database.transaction((tx) => addZone(tx, 106)),
    ])
    assert.deepEqual(order, ['first', 'long one'])
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    assert.deepEqual(await zones(database), [...before, 105, 106])
  })
})
