// A store of 0.2.0, the last release that had grown by numbered migrations, is adopted as it is by a start of this version,
// and goes on with all that it holds. An older one is refused. store-0.2.0.sql has the statements of that release, and rows
// as it wrote them. A new migration is applied to that store too.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { move } from '../../src/cli/commands/move-command.ts'
import { readConfig } from '../../src/config/config.ts'
import { Fault } from '../../src/fault.ts'
import { catalog } from '../../src/resources/catalog.ts'
import { checkBackup } from '../../src/store/backup-file.ts'
import type { Row, Store } from '../../src/store/database.ts'
import { migrate, migrationTable, readMigrations } from '../../src/store/migrate.ts'
import { Postgres } from '../../src/store/postgres/postgres.ts'
import { HighWaterMark } from '../../src/store/sqlite/high-water-mark.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { checkStore } from '../../src/upkeep/checks/store-check.ts'
import { seedStore } from '../../src/upkeep/seed.ts'
import { newDatabase } from '../postgres-database.ts'
import { EventReader, field } from '../push/reader.ts'
import { startService, stores, type TestService, temporaryFolder, texts } from '../support.ts'

const all = readMigrations()
// Shortly after the rows were written: nothing of them is old yet.
const clock = () => 1_794_721_800_000
const [tables = '', rows = ''] = readFileSync(new URL('./store-0.2.0.sql', import.meta.url), 'utf8').split(
  '-- Rows\n',
)
const firstEpoch = /into epoch [^(]*\([^)]*\) values \((\d+)/.exec(rows)?.[1]
/** Of the administrator alice, made by that release. */
const bearer = { Authorization: 'Bearer bfy_nWTODX6avK8AViQBfbPvXr9O_kAdxJZnYu_YRKetmEc' }

async function fillEarlier(database: Store): Promise<void> {
  const mark = async () => true
  await database.migrate(migrationTable, { recordIfDue: mark })
  await database.migrate(tables, { recordIfDue: mark })
  await database.transaction(async (tx) => {
    // One by one, and not as the text of a migration: values may have any words in them.
    for (const statement of rows.split(/;\n/).filter((text) => text !== '')) await tx.run(statement)
  })
}

/** The data folder of a service with a store of 0.2.0. */
async function earlierFolder(change: (database: Store) => Promise<unknown> = async () => undefined) {
  const data = temporaryFolder()
  const highWaterMark = new HighWaterMark(join(data, 'witness'))
  const database = openSqlite(join(data, 'belfry.db'), { clock, highWaterMark })
  await fillEarlier(database)
  await change(database)
  await database.close()
  return data
}

/** Everything it had is there. */
async function lookOver(service: TestService): Promise<void> {
  const get = (path: string) => service.get(path, bearer)
  for (const { path } of catalog) {
    const { status, text } = await get(`${path}${path.endsWith('/ip') ? '?ipScopeId=1' : ''}`)
    assert.equal(status, 200, `${path}: ${text}`)
  }
  for (const path of ['/fault/alarm', '/fault/trap', '/fault/trapLedger', '/events/registrations'])
    assert.equal((await get(path)).status, 200, path)
  assert.equal((await service.get('/ram/zone')).status, 401, 'its operators are asked for')
  const names = async (path: string, name: string) => texts((await get(path)).text, name)
  assert.deepEqual(await names('/plat/operator', 'name'), ['alice'])
  assert.deepEqual(await names('/ram/zone', 'name'), ['Default', 'Lyon Plant'])
  const devices = ['10.20.1.1', '10.20.2.1', '2001:db8::1']
  assert.deepEqual(await names('/plat/res/device?label=lyo*', 'ip'), devices)
  assert.deepEqual(await names('/res/access/assignedIpScope/ip?ipScopeId=1', 'name'), ['desk 7'])
  assert.deepEqual(await names('/res/access/macAccessBind?terminalName=reception', 'ifIndex'), ['1'])
  assert.deepEqual(await names('/fault/trapRule?trapRuleName=no*', 'trapOId'), ['1.3.6.1.6.3.1.1.5.1'])
  assert.deepEqual(await names('/fault/maintenance', 'name'), ['Night work'])
  assert.equal(
    (await get('/fault/trapEvent')).headers.total,
    '16',
    'none that was deleted came back; what this version adds is there',
  )
  const open = await get('/fault/alarm?recStatus=0')
  assert.equal(texts(open.text, 'id').length, 4, open.text)
  assert(open.text.includes('Smoke: it&apos;s') || open.text.includes("Smoke: it's"))
  assert.equal((await names('/fault/trap?size=100', 'bin')).length, 7)
  assert.equal((await get('/plat/res/view/custom?name=Lyon')).headers.total, '1')
}

/** Alarms go on after those that were there, and clients where they stopped. */
async function goOn(service: TestService): Promise<void> {
  const headers = { ...bearer, 'Content-Type': 'application/json' }
  const post = (path: string, body: unknown) =>
    service.ask('POST', path, { headers, body: JSON.stringify(body) })
  const alarm = { OID: '1.3.6.1.4.1.32473.9.2', alarmLevel: 1, alarmDesc: 'after the upgrade' }
  assert.equal((await post('/fault/alarm', alarm)).status, 201)
  const created = await post('/ram/zone', { name: 'New' })
  assert.match(String(created.headers.location), /\/3$/, 'ids go on')
  const documents = async (query: string) => {
    const reader = await EventReader.open(service.url, `type=11&cursor=true&${query}`, bearer)
    await reader.until(() => reader.documents.some((one) => one.includes(':8</cursor>')), query)
    reader.close()
    return reader.documents
  }
  const since = await documents(`since=${firstEpoch}:4`)
  assert(!since.join().includes('<gap>'), 'a position of the old version holds')
  assert.equal(field(since.at(-1) ?? '', 'alarmDesc'), 'after the upgrade')
  const numbers = (received: readonly string[]) => received.map((one) => field(one, 'cursor').split(':')[1])
  const missed = await documents('uuid=old-client&alarmLevel=1,2,5')
  assert.deepEqual(numbers(missed), ['6', '7', '8'], 'the client gets what came while it was away')
  assert.deepEqual(numbers(await documents('uuid=desk-2')), ['7', '8'])
}

async function requireSound(database: Store): Promise<void> {
  const parts = await database.readSnapshot((reader) => checkStore(reader, database.kind))
  assert.deepEqual(
    parts.flatMap(({ found }) => found),
    [],
  )
  assert(parts.length > 5, 'everything was checked')
}

/** Later migrations add columns. */
const onlyIn = ([first = {}]: readonly object[]) => {
  const columns = Object.keys(first)
  return (row: object) => Object.fromEntries(Object.entries(row).filter(([name]) => columns.includes(name)))
}

/** What belongs to the services that use a store, and not to what it holds. */
const notCarried = new Set([
  'migration',
  'probe',
  ...['node', 'node_profile', 'lease', 'fence', 'nonce_secret', 'nonce_use', 'used_sign_in'],
  ...['intake_block', 'intake_answer', 'intake_aside', 'node_question'],
])
/** A carried store goes on with an epoch and numbers of its own; migrations count anew. */
const goesOn = new Set(['counter', 'epoch', 'tally'])
const isCarried = (table: string) => !notCarried.has(table) && !goesOn.has(table)

type Held = Map<string, Row[]>

const columnsOf = (database: Store, table: string) =>
  database.all(
    database.kind === 'sqlite'
      ? 'select name, type from pragma_table_info(?) order by cid'
      : "select column_name as name from information_schema.columns where table_schema = 'public' and table_name = ? order by ordinal_position",
    [table],
  )
const named = (columns: Row[]) => columns.map(({ name }) => name).join(', ')

/** All rows of all tables, as the schema names them: what a new migration adds is among them. */
async function held(database: Store): Promise<Held> {
  const tables = await database.all(
    database.kind === 'sqlite'
      ? "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name"
      : "select tablename as name from pg_tables where schemaname = 'public' and tablename not in ('writer', 'migration_beside') order by 1",
  )
  const found: Held = new Map()
  for (const { name } of tables) {
    const columns = await columnsOf(database, String(name))
    const order = columns.length > 1 ? '1, 2' : '1'
    found.set(String(name), await database.all(`select ${named(columns)} from ${name} order by ${order}`))
  }
  return found
}

/** What the tables look like, by the store's own account. */
async function schemaOf(database: Store): Promise<Row[]> {
  const columns =
    database.kind === 'sqlite'
      ? `select m.name as table_name, c.* from sqlite_master m, pragma_table_xinfo(m.name) c where m.type in ('table', 'view') and m.name not like 'sqlite_%' order by m.name, c.cid`
      : `select table_name, ordinal_position, column_name, data_type, collation_name, is_nullable, column_default from information_schema.columns where table_schema = 'public' order by 1, 2`
  const indexes =
    database.kind === 'sqlite'
      ? `select name, tbl_name, sql from sqlite_master where type = 'index' order by name`
      : `select indexname, indexdef, relpersistence from pg_indexes join pg_class on relname = tablename where schemaname = 'public' order by 1`
  return [...(await database.all(columns)), ...(await database.all(indexes))]
}

const tooEarly = (reason: RegExp) => (error: unknown) => {
  assert(error instanceof Fault, String(error))
  assert.equal(error.code, 'unavailable')
  assert.match(
    error.message,
    /the store is from before 0\.2\.0 \(.*\), which is the last version that upgrades it: start that version on it once, then this one$/,
  )
  assert.match(error.message, reason)
  return true
}
const withoutLast = (database: Store) =>
  database.transaction((tx) => tx.run('delete from migration where number = 87'))

for (const store of stores) {
  // Before the first test, so that what it starts outlives that one.
  await store.open()
  describe(`upgrade on ${store.name}`, () => {
    test('a store of 0.2.0 is adopted unchanged: one more row in the table of migrations, and nothing else', async () => {
      const database = await store.open(clock)
      await fillEarlier(database)
      const [before, schema] = [await held(database), await schemaOf(database)]
      assert.deepEqual(
        await migrate(database, undefined, '0.3.0'),
        all.map(({ name }) => name),
      )
      await requireSound(database)
      const after = await held(database)
      assert.deepEqual(after.get('migration')?.slice(0, 43), before.get('migration'))
      for (const [table, rows] of before)
        if (table !== 'migration') assert.deepEqual(after.get(table)?.map(onlyIn(rows)), rows, table)
      assert.deepEqual(await migrate(database, undefined, '0.3.0'), [])
      // As long as there is one migration; later ones change the schema.
      if (all.length === 1) {
        assert.deepEqual(await schemaOf(database), schema)
        assert.deepEqual(await schemaOf(await store.openMigrated()), schema)
      }
    })

    test('a store of 0.2.0 is served with all that it holds, and goes on', async () => {
      const database = store.name === 'SQLite' ? undefined : await store.open(clock)
      if (database) await fillEarlier(database)
      const service = await (database
        ? startService({}, { clock, open: async () => database })
        : startService({ data: await earlierFolder(), 'time-zone': 'UTC' }, { clock }))
      await lookOver(service)
      await goOn(service)
      await requireSound(service.database)
      await service.stop()
    })

    test('a store from before 0.2.0 is refused with a sentence that says what upgrades it, and left as it is', async () => {
      const database = await store.open(clock)
      await fillEarlier(database)
      await withoutLast(database)
      const before = await held(database)
      await assert.rejects(
        migrate(database, undefined, '0.3.0'),
        tooEarly(/its last migration is 0082-sign-ins/),
      )
      assert.deepEqual(await held(database), before)
      const { found } = await database
        .readSnapshot((reader) => checkStore(reader, database.kind))
        .then((parts) => parts.find(({ name }) => name === 'schema') ?? assert.fail('no schema'))
      assert.match(String(found), /before 0\.2\.0/)
    })

    test('a store of 0.2.0 that lacks first records is refused: that version writes them', async () => {
      const database = await store.open(clock)
      await fillEarlier(database)
      await database.transaction((tx) => tx.run("delete from counter where name like 'datagrams%'"))
      await assert.rejects(seedStore(database), tooEarly(/some of its first records are missing/))
      assert.deepEqual(await database.all("select name from counter where name = 'seed'"), [])
    })
  })
}

test('a backup of 0.2.0 is accepted, and one from before it is refused', async () => {
  const file = async (change?: (database: Store) => Promise<unknown>) =>
    join(await earlierFolder(change), 'belfry.db')
  assert.equal((await checkBackup(await file())).schema, '0087-presence-at-providers')
  await assert.rejects(checkBackup(await file(withoutLast)), tooEarly(/0082-sign-ins/))
})

test('nodes: beside an adopted store nodes of 0.2.0 may go on, beside a new one none', async () => {
  const oldestBeside = async (fill: (database: Store) => Promise<void>) => {
    const database = new Postgres(await newDatabase())
    await fill(database)
    await migrate(database, undefined, '0.3.0')
    const [row] = await database.all('select oldest from migration_beside where number = ?', [
      all[0]?.number ?? 0,
    ])
    await database.close()
    return row?.oldest
  }
  assert.equal(await oldestBeside(fillEarlier), '0.2.0')
  assert.equal(await oldestBeside(async () => undefined), undefined)
})

test('a store of a newer version is refused with a sentence, and left as it is', async (t) => {
  if (stores[0]?.name !== 'SQLite') return t.skip('about the file in the data folder')
  const newer = {
    number: 9999,
    name: '9999-dreams.sql',
    script: 'create table dream (id bigint primary key);',
  }
  const data = await earlierFolder((database) => migrate(database, [...all, newer]))
  await assert.rejects(startService({ data }), (error) => {
    assert(error instanceof Fault)
    assert.match(
      error.message,
      /^the store was written by a newer version \(it has migration 9999-dreams\.sql\): use that/,
    )
    return true
  })
  const again = openSqlite(join(data, 'belfry.db'))
  assert.equal((await again.all('select number from epoch')).length, 2)
  await again.close()
})

test('nodes: the SQLite store of 0.2.0, moved to PostgreSQL, has lost nothing', async () => {
  const [data, address] = [await earlierFolder(), await newDatabase()]
  const files = { files: [], options: { from: data, to: address } }
  assert.equal(await move.run({ ...files, config: readConfig({ data: temporaryFolder() }, {}) }, {}), 0)
  const service = await startService({ store: address }, { clock })
  assert.equal(service.database.kind, 'postgres')
  await lookOver(service)
  await goOn(service)
  await service.stop()
})

/** A row for each table that has none. */
async function fill(database: Store): Promise<void> {
  for (const [table, rows] of await held(database)) {
    if (rows.length > 0 || notCarried.has(table)) continue
    const columns = await columnsOf(database, table)
    const values = columns.map(({ name, type }) =>
      /text/i.test(String(type)) ? `${table}.${name} ß '"\\` : 7n,
    )
    const marks = columns.map(() => '?').join(', ')
    await database.transaction((tx) =>
      tx.run(`insert into ${table} (${named(columns)}) values (${marks})`, values),
    )
  }
}

test('nodes: no table is forgotten: what a row held is there after the upgrade, the move, and the way back', async () => {
  const [back, address] = [join(temporaryFolder(), 'back'), await newDatabase()]
  const data = await earlierFolder(fill)
  const store = openSqlite(join(data, 'belfry.db'), { clock })
  await migrate(store)
  // Tables that later versions have.
  await fill(store)
  const before = await held(store)
  await store.close()
  const config = readConfig({ data: temporaryFolder() }, {})
  assert.equal(await move.run({ files: [], options: { from: data, to: address }, config }, {}), 0)
  assert.equal(await move.run({ files: [], options: { from: address, to: back }, config }, {}), 0)
  const returned = openSqlite(join(back, 'belfry.db'))
  const after = await held(returned)
  await returned.close()
  for (const [table, rows] of before) {
    if (!isCarried(table)) continue
    assert(rows.length > 0, `${table} has no row to carry`)
    assert.deepEqual(after.get(table), rows, table)
  }
  for (const table of goesOn) assert((after.get(table)?.length ?? 0) > 0, table)
})
