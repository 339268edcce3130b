// Migrations are written by hand; here they are compared with the descriptions of the resources.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mibModules } from '../../src/resources/alarms/mib-module.ts'
import { catalog } from '../../src/resources/catalog.ts'
import type { Database } from '../../src/store/database.ts'
import { everyStore } from '../support.ts'

interface Found {
  readonly type: string
  readonly notNull: boolean
}

async function columnsOf(database: Database, table: string): Promise<Map<string, Found>> {
  if (database.kind === 'sqlite') {
    const rows = await database.all(`select name, type, "notnull", pk from pragma_table_info('${table}')`)
    return new Map(
      rows.map((row) => [
        String(row.name),
        { type: String(row.type).toLowerCase(), notNull: row.notnull === 1n || row.pk === 1n },
      ]),
    )
  }
  const rows = await database.all(
    'select column_name, data_type, is_nullable from information_schema.columns where table_schema = current_schema() and table_name = ?',
    [table],
  )
  return new Map(
    rows.map((row) => [
      String(row.column_name),
      { type: String(row.data_type), notNull: row.is_nullable === 'NO' },
    ]),
  )
}

for (const { store, database } of await everyStore()) {
  describe(`columns on ${store.name}`, () => {
    for (const { resource, table } of [...catalog, mibModules]) {
      test(`${resource.table} has a fitting column for every field of ${resource.name}`, async () => {
        const found = await columnsOf(database, resource.table)
        assert(found.size > 0, `there is no table ${resource.table}: add a migration that creates it`)
        for (const { name, type, nullable } of table.form.columns) {
          const column = found.get(name)
          assert(column, `${resource.table} lacks ${name}`)
          // The key of a table is declared as SQLite wants it, where it is 64 bits wide too.
          const accepted = name === 'id' && database.kind === 'sqlite' ? 'integer' : type
          assert.equal(column.type, accepted, `${resource.table}.${name}`)
          // A column may be stricter than its field: a rule of the resource fills it in.
          if (!nullable)
            assert(column.notNull, `${resource.table}.${name} may be empty, but the field must not`)
        }
      })

      test(`${resource.table} has no column that a new row would leave without a value`, async () => {
        const known = new Set(table.form.columns.map(({ name }) => name))
        const rest = [...(await columnsOf(database, resource.table))].filter(([name]) => !known.has(name))
        // What no field describes must take care of itself.
        const withDefault = resource.table === 'ip_scope' ? ['free_from'] : []
        assert.deepEqual(
          rest.map(([name]) => name),
          withDefault,
        )
      })
    }

    test('the counted columns of every list are columns of its table', () => {
      for (const { table } of catalog) {
        const names = table.form.columns.map(({ name }) => name)
        assert.deepEqual(
          table.counted.filter((column) => !names.includes(column)),
          [],
        )
      }
    })
  })
}
