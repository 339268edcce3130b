// A store is brought up to date step by step; each step happened or it did not.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Fault } from '../../src/fault.ts'
import { type Migration, migrate, readMigrations } from '../../src/store/migrate.ts'
import { stores } from '../support.ts'

const first: Migration = {
  number: 1,
  name: '0001-first.sql',
  script: 'create table thing (id bigint primary key, name text not null);',
}
const second: Migration = {
  number: 2,
  name: '0002-second.sql',
  script:
    "insert into thing (id, name) values (1, 'from the script'); create index thing_name on thing (name);",
}
const failing: Migration = {
  number: 3,
  name: '0003-failing.sql',
  script:
    "insert into thing (id, name) values (2, 'never kept'); create table half (id bigint primary key); insert into no_such_table values (1);",
}

const refused = (sentence: RegExp) => (error: unknown) => {
  assert(error instanceof Fault, String(error))
  assert.equal(error.code, 'unavailable')
  assert.match(error.message, sentence)
  assert(!error.message.includes('\n'), 'one sentence')
  return true
}

test('each migration has a number of its own: of two with one number only one would be applied', () => {
  const numbers = readMigrations().map(({ number }) => number)
  assert.deepEqual(numbers, [...new Set(numbers)])
})

for (const store of stores) {
  describe(`migrations on ${store.name}`, () => {
    test('a migration is applied once, in order, with its time', async () => {
      const database = await store.open(() => 1234)
      assert.deepEqual(await migrate(database, [first]), [first.name])
      assert.deepEqual(await migrate(database, [first, second]), [second.name])
      assert.deepEqual(await migrate(database, [first, second]), [])
      const rows = await database.all('select number, name, applied_at from migration order by number')
      assert.deepEqual(
        rows.map((row) => [row.number, row.name, row.applied_at]),
        [
          [1n, first.name, 1234n],
          [2n, second.name, 1234n],
        ],
      )
      assert.equal((await database.all('select id from thing')).length, 1)
    })

    test('an interrupted migration leaves the store as it was, and is reported', async () => {
      const database = await store.open()
      await migrate(database, [first, second])
      const sentence =
        /^migration 0003-failing\.sql failed and was undone; the store is as it was before: .*no_such_table/
      for (let tries = 0; tries < 2; tries += 1) {
        await assert.rejects(migrate(database, [first, second, failing]), refused(sentence))
      }
      const names = await database.all('select name from thing')
      assert.deepEqual(
        names.map((row) => row.name),
        ['from the script'],
      )
      await assert.rejects(database.all('select * from half'))
      assert.deepEqual(await migrate(database, [first, second]), [], 'the older version goes on')
    })

    test('a store of a newer version is refused', async () => {
      const database = await store.open()
      await migrate(database, [first, second])
      await assert.rejects(
        migrate(database, [first]),
        refused(
          /^the store was written by a newer version \(it has migration 0002-second\.sql\): use that version/,
        ),
      )
    })

    test('a migration that was changed after it was applied is refused', async () => {
      const database = await store.open()
      await migrate(database, [first])
      const changed = { ...first, script: `${first.script} -- one more thought` }
      await assert.rejects(
        migrate(database, [changed]),
        refused(/^migration 0001-first\.sql is not the one that was applied to the store/),
      )
    })

    test('the migrations of this version have numbers of their own and apply to an empty store', async () => {
      const all = readMigrations()
      assert.equal(new Set(all.map(({ number }) => number)).size, all.length)
      const database = await store.open()
      assert.equal((await migrate(database)).length, all.length)
      assert.deepEqual(await migrate(database), [])
    })
  })
}
