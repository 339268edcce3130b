// Stores of earlier schemas are brought up to date by a start of the present service, with all that they hold.
// test/store/levels has rows as stores of each level hold them. A new migration is tried by itself on all of them; one
// that adds a table gets a file of rows of its own once it is released. A level without such a file needs no try of its
// own: a store of it is one of the level below, to which the same migrations are applied in the same order.

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { move } from '../../src/cli/commands/move-command.ts'
import { readConfig } from '../../src/config/config.ts'
import { Fault } from '../../src/fault.ts'
import { catalog } from '../../src/resources/catalog.ts'
import type { Database, Row } from '../../src/store/database.ts'
import { type Migration, migrate, readMigrations } from '../../src/store/migrate.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { checkStore } from '../../src/upkeep/checks/store-check.ts'
import { newDatabase } from '../postgres-database.ts'
import { EventReader, field } from '../push/reader.ts'
import { startService, stores, type TestService, type TestStore, temporaryFolder, texts } from '../support.ts'

const all = readMigrations()
// Shortly after the rows were written: nothing of them is old yet.
const clock = () => 1_794_721_800_000
const rowsOf = new Map(
  all.flatMap(({ number, name }) => {
    const file = new URL(`./levels/${name.slice(0, 4)}.sql`, import.meta.url)
    return existsSync(file) ? [[number, readFileSync(file, 'utf8')] as const] : []
  }),
)

/** As it grew: the rows of each level were there when the next migration came. */
async function grow(database: Database, migrations: readonly Migration[]): Promise<void> {
  for (const [index, { number }] of migrations.entries()) {
    await migrate(database, migrations.slice(0, index + 1))
    const rows = rowsOf.get(number)
    // As it is, not as the text of a migration: values may have any words in them.
    if (rows) {
      await database.transaction(async (tx) => {
        for (const statement of rows.split(/;\n/).filter((text) => /^insert/m.test(text)))
          await tx.run(statement)
      })
    }
  }
}

/** What was kept must be there, whatever was added since. */
async function lookOver(service: TestService, level: number): Promise<void> {
  for (const { path } of catalog) {
    const { status, text } = await service.get(`${path}${path.endsWith('/ip') ? '?ipScopeId=1' : ''}`)
    assert.equal(status, 200, `${path}: ${text}`)
  }
  for (const path of ['/fault/alarm', '/fault/trap', '/fault/trapLedger', '/events/registrations'])
    assert.equal((await service.get(path)).status, 200, path)
  const names = async (path: string, name: string) => texts((await service.get(path)).text, name)
  assert.deepEqual(await names('/ram/zone', 'name'), ['Default', 'Lyon Plant'])
  assert.deepEqual(await names('/plat/res/device?label=lyo*', 'ip'), [
    '10.20.1.1',
    '10.20.2.1',
    '2001:db8::1',
  ])
  assert.deepEqual(await names('/res/access/assignedIpScope/ip?ipScopeId=1', 'name'), ['desk 7'])
  assert.deepEqual(await names('/res/access/macAccessBind?terminalName=reception', 'ifIndex'), ['1'])
  assert.deepEqual(await names('/fault/trapRule?trapRuleName=no*', 'trapOId'), ['1.3.6.1.6.3.1.1.5.1'])
  assert.equal((await names('/fault/trapEvent?name=linkDown', 'eventOid')).length, 1)
  if (level < 2) return
  const open = await service.get('/fault/alarm?recStatus=0')
  assert.equal(texts(open.text, 'id').length, 3, open.text)
  assert(open.text.includes('Smoke: it&apos;s') || open.text.includes("Smoke: it's"))
  assert.equal((await names('/fault/trap?size=100', 'bin')).length, 7)
  assert.equal((await service.get('/plat/res/view/custom?name=Lyon')).headers.total, '1')
}

/** Alarms go on behind those that were there, and clients where they stopped. */
async function goOn(service: TestService, level: number): Promise<void> {
  const raised = await service.sendJson('POST', '/fault/alarm', {
    OID: '1.3.6.1.4.1.32473.9.2',
    alarmLevel: 1,
    alarmDesc: 'after the upgrade',
  })
  assert.equal(raised.status, 201, raised.text)
  const created = await service.send('POST', '/ram/zone', '<zone><name>New</name></zone>')
  assert.match(String(created.headers.location), /\/3$/, 'ids go on')
  const last = level < 2 ? 1 : 7
  const documents = async (query: string) => {
    const reader = await EventReader.open(service.url, `type=11&cursor=true&${query}`)
    await reader.until(() => reader.documents.some((one) => one.includes(`:${last}</cursor>`)), query)
    reader.close()
    return reader.documents
  }
  if (level < 2) return
  const since = await documents(`since=${firstEpoch}:4`)
  assert(!since.join().includes('<gap>'), 'a position of the old version holds')
  assert.equal(field(since.at(-1) ?? '', 'alarmDesc'), 'after the upgrade')
  if (level < 3) return
  const resumed = await documents('uuid=old-client&alarmLevel=1,2,5')
  assert.deepEqual(
    resumed.map((one) => field(one, 'cursor').split(':')[1]),
    ['6', '7'],
    'the client gets what came while it was away',
  )
}

const firstEpoch = /into epoch [^(]*\([^)]*\) values \((\d+)/.exec(rowsOf.get(2) ?? '')?.[1]

async function upgraded(engine: TestStore, level: number): Promise<TestService> {
  const steps = all.slice(0, level)
  if (engine.name !== 'SQLite') {
    const database = await engine.open(clock)
    await grow(database, steps)
    return startService({}, { clock, open: async () => database })
  }
  const data = temporaryFolder()
  const database = openSqlite(join(data, 'belfry.db'))
  await grow(database, steps)
  await database.close()
  return startService({ data, 'time-zone': 'UTC' }, { clock })
}

for (const engine of stores) {
  // Before the first test, so that what it starts outlives that one.
  await engine.open()
  describe(`upgrade on ${engine.name}`, () => {
    for (const [index, { name, number }] of all.entries()) {
      if (!rowsOf.has(number) && index < all.length - 2) continue
      const level = index + 1
      test(`a store of level ${name.replace('.sql', '')} is served with all that it holds, and goes on`, async () => {
        const service = await upgraded(engine, level)
        await lookOver(service, level)
        await goOn(service, level)
        const parts = await service.database.readSnapshot((reader) =>
          checkStore(reader, service.database.kind),
        )
        assert.deepEqual(
          parts.flatMap(({ found }) => found),
          [],
        )
        await service.stop()
      })
    }
  })
}

test('a store of a newer version is refused with a sentence, and left as it is', async (t) => {
  if (stores[0]?.name !== 'SQLite') return t.skip('about the file in the data folder')
  const data = temporaryFolder()
  const database = openSqlite(join(data, 'belfry.db'))
  const newer = {
    number: 9999,
    name: '9999-dreams.sql',
    script: 'create table dream (id bigint primary key);',
  }
  await grow(database, [...all, newer])
  await database.close()
  await assert.rejects(startService({ data }), (error) => {
    assert(error instanceof Fault)
    assert.match(
      error.message,
      /^the store was written by a newer version \(it has migration 9999-dreams\.sql\): use that/,
    )
    return true
  })
  const again = openSqlite(join(data, 'belfry.db'))
  assert.equal((await again.all('select number from epoch')).length, 1)
  await again.close()
})

test('nodes: the SQLite store of the last release, upgraded and moved to PostgreSQL, has lost nothing', async () => {
  const released = Math.max(...rowsOf.keys())
  const [data, address] = [temporaryFolder(), await newDatabase()]
  const old = openSqlite(join(data, 'belfry.db'), { clock })
  await grow(
    old,
    all.filter(({ number }) => number <= released),
  )
  await old.close()
  const files = { files: [], options: { from: data, to: address } }
  assert.equal(await move.run({ ...files, config: readConfig({ data: temporaryFolder() }, {}) }, {}), 0)
  const service = await startService({ store: address }, { clock })
  assert.equal(service.database.kind, 'postgres')
  await lookOver(service, released)
  await goOn(service, released)
  await service.stop()
})

/** What belongs to the services that use a store, and not to what it holds. */
const notCarried = new Set([
  'migration',
  'probe',
  ...['node', 'node_profile', 'lease', 'fence', 'nonce_secret', 'nonce_use', 'used_sign_in'],
  ...['intake_block', 'intake_answer', 'intake_aside'],
])
/** A carried store goes on with an epoch and numbers of its own; migrations count anew. */
const goesOn = new Set(['counter', 'epoch', 'tally'])
const isCarried = (table: string) => !notCarried.has(table) && !goesOn.has(table)

type Held = Map<string, Row[]>

const columnsOf = (database: Database, table: string) =>
  database.all('select name, type from pragma_table_info(?) order by cid', [table])
const named = (columns: Row[]) => columns.map(({ name }) => name).join(', ')

/** All rows of all tables, as the schema names them: what a new migration adds is among them. */
async function held(database: Database): Promise<Held> {
  const tables = await database.all(
    "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name",
  )
  const found: Held = new Map()
  for (const { name } of tables) {
    const columns = await columnsOf(database, String(name))
    const order = columns.length > 1 ? '1, 2' : '1'
    found.set(String(name), await database.all(`select ${named(columns)} from ${name} order by ${order}`))
  }
  return found
}

/** A row for each table that has none. */
async function fill(database: Database): Promise<void> {
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

/** Each row as far as it was there before: columns that were added since are left out. */
const asFarAs = (before: Row[], after: Row[] | undefined) =>
  after?.map((row) => Object.fromEntries(Object.keys(before[0] ?? {}).map((name) => [name, row[name]])))

test('nodes: no table is forgotten: what a row held at its level is there after all upgrades, the move, and the way back', async () => {
  const [data, back, address] = [temporaryFolder(), join(temporaryFolder(), 'back'), await newDatabase()]
  const store = openSqlite(join(data, 'belfry.db'), { clock })
  const seen: Held = new Map()
  for (const index of all.keys()) {
    await migrate(store, all.slice(0, index + 1))
    await fill(store)
    for (const [table, rows] of await held(store)) {
      if (!isCarried(table)) continue
      if (!seen.has(table)) seen.set(table, rows)
      else
        assert.deepEqual(
          asFarAs(seen.get(table) ?? [], rows),
          seen.get(table),
          `${all[index]?.name}: ${table}`,
        )
    }
  }
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
