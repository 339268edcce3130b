import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { migrate } from '../../src/store/migrate.ts'
import { ScratchStore } from '../../src/store/scratch-store.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { temporaryFolder } from '../support.ts'

test('a copy has the tables that were asked for, with their rows, and no others', async () => {
  const folder = temporaryFolder()
  const store = openSqlite(join(folder, 'store.db'))
  await migrate(store)
  await store.transaction((tx) => tx.run("insert into counter (name, value) values ('zone', 7)"))
  const scratch = new ScratchStore(join(folder, 'scratch.db'), 0, {
    name: 'ann',
    role: 'operator',
    address: 'local',
  })
  await scratch.copy(store, [{ name: 'counter', key: ['name'] }])
  assert.deepEqual(await scratch.tx.all('select name, value from counter'), [{ name: 'zone', value: 7n }])
  await assert.rejects(scratch.tx.all('select id from zone'), /no such table: zone/)
  scratch.close()
  await store.close()
})
