// Several hosts in the address of a store.

import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readConfig } from '../../src/config/config.ts'
import type { Store } from '../../src/store/database.ts'
import { hostsIn } from '../../src/store/postgres/hosts.ts'
import { Postgres } from '../../src/store/postgres/postgres.ts'
import { newMigratedDatabase } from '../postgres-database.ts'
import { temporaryFolder } from '../support.ts'

test('several hosts may be named, with or without ports', () => {
  assert.deepEqual(hostsIn('postgres://ops@one:5432,two/db?sslmode=disable'), [
    'postgres://ops@one:5432/db?sslmode=disable',
    'postgres://ops@two/db?sslmode=disable',
  ])
  assert.deepEqual(hostsIn('postgres://one/db'), ['postgres://one/db'])
  const { store } = readConfig({ store: 'postgres://ops@one:5432,two:5433/db' }, {})
  assert.equal(store, 'postgres://ops@one:5432,two:5433/db')
})

test('where one host does not answer the next is tried, also by whoever is the first to ask', async () => {
  const address = await newMigratedDatabase()
  const asks = [
    (database: Store) => database.all('select 1 as one'),
    (database: Store) => database.writeConcurrently((tx) => tx.all('select 1 as one')),
    (database: Store) =>
      database.migrate('create table asked (one integer)', { recordIfDue: async () => true }),
  ]
  for (const ask of asks) {
    const database = new Postgres(address.replace('@', '@127.0.0.1:1,'))
    after(() => database.close())
    await ask(database)
  }
  const unreachable = new Postgres('postgres://ops@127.0.0.1:1,127.0.0.1:2/db')
  after(() => unreachable.close())
  await assert.rejects(unreachable.all('select 1'), /ECONNREFUSED 127.0.0.1:1/, 'the first reason is given')
})

test('a server on an older timeline than the last one seen is refused, also after a restart', async () => {
  const address = await newMigratedDatabase()
  const timelineFile = join(temporaryFolder(), 'store-timeline')
  const open = () => {
    const database = new Postgres(address, { timelineFile })
    after(() => database.close())
    return database
  }
  await open().all('select 1')
  const [[system, timeline] = ['', 0]] = Object.entries<number>(
    JSON.parse(readFileSync(timelineFile, 'utf8')),
  )
  assert.ok(timeline > 0)
  await open().all('select 1')
  // Another has been promoted since.
  writeFileSync(timelineFile, JSON.stringify({ [system]: timeline + 1 }))
  const older = open()
  const refused = new RegExp(`is on timeline ${timeline}, and the store has been on ${timeline + 1}`)
  await assert.rejects(older.all('select 1'), refused)
  await assert.rejects(
    older.transaction((tx) => tx.all('select 1')),
    refused,
  )
})
