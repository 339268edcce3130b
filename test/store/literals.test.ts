// Values that all rows of an insert share are written into the statement; what is stored is the same.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { bulk, type SqlValue } from '../../src/store/database.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { withLiterals } from '../../src/store/sqlite/sqlite-connection.ts'
import { temporaryFolder } from '../support.ts'

const sql = 'insert into a (id, b, c, d) values (?, ?, ?, ?) on conflict (id) do update set b = excluded.b'

test('values that are empty in all rows are written out, others are bound', () => {
  const rows = Array.from({ length: 50 }, (_, id) => [id, '', null, id === 7 ? 1n : 0n])
  const lean = withLiterals({ sql, rows })
  assert.equal(
    lean.sql,
    "insert into a (id, b, c, d) values (?, '', null, ?) on conflict (id) do update set b = excluded.b",
  )
  assert.deepEqual(lean.rows[7], [7, 1n])
})

test('text that is no empty value is never part of a statement', () => {
  const rows = Array.from({ length: 50 }, (_, id) => [id, "'); drop table a; --", '0', 'null'])
  assert.deepEqual(withLiterals({ sql, rows }), { sql, rows })
})

test('few rows, and statements that are no insert, stay as they are', () => {
  const few = { sql, rows: [[1, '', null, 0n]] }
  assert.equal(withLiterals(few), few)
  const other = {
    sql: 'update a set b = ? where id = ?',
    rows: Array.from({ length: 50 }, (_, id) => ['', id]),
  }
  assert.equal(withLiterals(other), other)
})

test('what is stored is what was given', async () => {
  const database = openSqlite(`${temporaryFolder()}/belfry.db`)
  after(() => database.close())
  await database.migrate('create table a (id bigint primary key, b text, c text, d bigint)', {
    recordIfDue: async () => true,
  })
  const value = fc.constantFrom<SqlValue>('', '[]', null, '0', 'null', "it's", '?')
  const number = fc.constantFrom<SqlValue>(0n, 1n, 2n, null)
  const rest = fc.record({ b: value, c: value, d: number })
  const same = fc.tuple(rest, fc.integer({ min: 1, max: 60 })).map(([one, n]) => Array(n).fill(one))
  const mixed = fc.array(rest, { maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(fc.oneof(same, mixed), async (given) => {
      const rows = given.map(({ b, c, d }, id) => ({ id: BigInt(id), b, c, d }))
      await database.transaction(async (tx) => {
        await tx.run('delete from a')
        await tx.runEach(
          bulk(sql, ['bigint', 'text', 'text', 'bigint']),
          rows.map(({ id, b, c, d }) => [id, b, c, d]),
        )
      })
      const found = await database.all('select id, b, c, d from a order by id')
      assert.deepEqual(
        found.map((row) => ({ ...row })),
        rows,
      )
    }),
    { numRuns: 60 },
  )
})
