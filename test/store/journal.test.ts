// The journal is worked off beside the work, stays small whatever is written, and waits for those who read.

import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Store } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
import { Journal } from '../../src/store/sqlite/journal.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { translateThreadError } from '../../src/store/sqlite/sqlite-faults.ts'
import type { ReaderThread } from '../../src/store/sqlite/sqlite-reader.ts'
import { StoreCondition } from '../../src/store/store-condition.ts'
import { until } from '../intake/sending.ts'
import { temporaryFolder } from '../support.ts'

const pageSize = 4096
const row = 'x'.repeat(pageSize)

/** A row takes little more than a page. */
async function write(database: Store, from: number, to: number): Promise<void> {
  for (let id = from; id <= to; id += 10) {
    await database.transaction(async (tx) => {
      for (let one = id; one < id + 10; one += 1) {
        await tx.run('insert into zone (id, name, name_key) values (?, ?, ?)', [one, row, `${one}`])
      }
    })
    // Others have their turn, as between the batches of a service.
    await setImmediate()
  }
}

async function openStore() {
  const file = join(temporaryFolder(), 'store.db')
  const database = openSqlite(file)
  await migrate(database)
  return { database, size: () => statSync(file).size, journal: () => statSync(`${file}-wal`).size }
}

test('what is written is moved into the store, and the journal starts anew', async () => {
  const { database, size, journal } = await openStore()
  try {
    await write(database, 1, 24_000)
    await until('most of it is in its place', () => size() > 15_000 * pageSize)
    assert(journal() < 16_000 * pageSize, `${journal() / pageSize} pages`)
  } finally {
    await database.close()
  }
})

test('while somebody reads the journal grows; then it is moved into the store by a thread', async () => {
  const { database, size, journal } = await openStore()
  try {
    await database.readSnapshot(async (reader) => {
      await reader.all('select 1 from zone')
      await write(database, 1, 3000)
      assert(size() < 1000 * pageSize, 'what the reader sees stays')
    })
    assert(journal() > 3000 * pageSize)
    await write(database, 3001, 9000)
    await until('it is in its place', () => size() > 3500 * pageSize)
  } finally {
    await database.close()
  }
})

test('a store that is closed leaves no journal behind', async () => {
  const { database, journal } = await openStore()
  await write(database, 1, 1500)
  await database.close()
  assert.throws(journal, /ENOENT/)
})

test('without file descriptors for its thread, writing is refused after a while, and the service goes on', async () => {
  const isFree = { now: false }
  const request = async () => {
    if (!isFree.now) throw translateThreadError(new Error('EMFILE: too many open files'))
    return { pages: 0, moved: 0 }
  }
  const journal = new Journal({
    thread: () => ({ request }) as unknown as ReaderThread,
    condition: new StoreCondition(async () => undefined),
    exclusively: (work) => work(),
    onFatal: assert.fail,
    failureLimit: 0,
  })
  journal.grown(() => 10_000)
  await until('writing is refused', () => journal.refusal !== undefined)
  assert.match(journal.refusal?.message ?? '', /no file descriptors are left/)
  isFree.now = true
  await until('it is accepted again', () => journal.refusal === undefined)
  await journal.close()
})
