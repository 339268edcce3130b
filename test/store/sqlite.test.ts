// What holds for SQLite alone: settings that make commits durable, indexes for every list, damage, a full disk.

import assert from 'node:assert/strict'
import { copyFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { openServiceAlarms } from '../../src/alarms/service/service-alarms.ts'
import { Release } from '../../src/alarms/suppression/release.ts'
import type { Suppression } from '../../src/alarms/suppression/suppression.ts'
import { Fault } from '../../src/fault.ts'
import { catalog } from '../../src/resources/catalog.ts'
import { zones } from '../../src/resources/inventory/zone.ts'
import { readListQuery } from '../../src/schema/list.ts'
import type { Store } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { Connection } from '../../src/store/sqlite/sqlite-connection.ts'
import { Totals } from '../../src/store/tally.ts'
import { temporaryFolder } from '../support.ts'
import { pages } from './paging.ts'

const totals = new Totals()

const newFile = () => join(temporaryFolder(), 'test.db')

async function withStore<T>(file: string, work: (database: Store) => Promise<T>): Promise<T> {
  const database = openSqlite(file)
  try {
    await migrate(database)
    return await work(database)
  } finally {
    await database.close()
  }
}

const addZones = (database: Store, from: number, count: number) =>
  database.transaction(async (tx) => {
    for (let id = from; id < from + count; id += 1) {
      const name = `zone ${id}`
      const filler = 'x'.repeat(200)
      await tx.run('insert into zone (id, name, name_key, description) values (?, ?, ?, ?)', [
        BigInt(id),
        name,
        name,
        filler,
      ])
    }
  })

const countZones = async (database: Store) =>
  Number((await database.all('select count(*) as n from zone'))[0]?.n)

/** One clear sentence, whatever the message of SQLite was. */
const unavailable = (sentence: RegExp) => (error: unknown) => {
  assert(error instanceof Fault, `not a Fault: ${error}`)
  assert.equal(error.code, 'unavailable')
  assert.match(error.message, sentence)
  assert(!error.message.includes('\n'))
  return true
}

describe('durability', () => {
  test('every open sets the journal to WAL and lets another thread flush it, also of a file that was there', () => {
    const file = newFile()
    for (let open = 0; open < 3; open += 1) {
      const writer = new Connection(file, 'write')
      assert.deepEqual(Object.values(writer.all('pragma synchronous')[0] ?? {}), [1n])
      assert.deepEqual(Object.values(writer.all('pragma journal_mode')[0] ?? {}), ['wal'])
      writer.exec('create table if not exists t (n integer); insert into t values (1)')
      const reader = new Connection(file, 'read')
      assert.deepEqual(Object.values(reader.all('pragma synchronous')[0] ?? {}), [2n])
      assert.throws(() => reader.run('insert into t values (2)'), /readonly/)
      reader.close()
      writer.close()
    }
  })

  test('the connection that the store writes with is one of them', async () => {
    await withStore(newFile(), (database) =>
      database.transaction(async (tx) => {
        assert.deepEqual(Object.values((await tx.all('pragma synchronous'))[0] ?? {}), [1n])
        assert.deepEqual(Object.values((await tx.all('pragma journal_mode'))[0] ?? {}), ['wal'])
      }),
    )
  })

  test('the store and what stands beside it are for their own user alone, whatever the folder', async () => {
    const file = newFile()
    await withStore(file, async (database) => {
      await addZones(database, 1, 1)
      const modes = ['', '-wal', '-shm'].map((end) => statSync(file + end).mode & 0o777)
      assert.deepEqual(modes, [0o600, 0o600, 0o600])
    })
  })

  test('a long page and a busy writer do not keep the log from being trimmed', async () => {
    const file = newFile()
    await withStore(file, async (database) => {
      await addZones(database, 1, 2000)
      const query = { ...readListQuery(zones.list, new Map()), size: 2000 }
      let id = 10_000
      for await (const chunk of pages(database, zones.table, query)) {
        assert(chunk.length <= 100)
        for (let round = 0; round < 20; round += 1) {
          await addZones(database, id, 600)
          id += 600
        }
      }
      // All of it is twice as much; another thread trims it, so that it may lag behind.
      assert(statSync(`${file}-wal`).size < 60_000_000, `${statSync(`${file}-wal`).size} bytes of log`)
    })
  })
})

describe('indexes', async () => {
  const file = newFile()
  await withStore(file, async () => undefined)
  const db = new DatabaseSync(file)

  /** Runs the page or total of a list against a database that only explains. */
  async function plans(
    collection: (typeof catalog)[number],
    parameters: Record<string, string>,
  ): Promise<string[]> {
    const { list, table } = collection
    const query = readListQuery(
      list,
      new Map(Object.entries({ size: '10', ...parameters }).map(([k, v]) => [k, [v]])),
    )
    const steps: string[] = []
    const all: Store['all'] = async (sql, values = []) => {
      const rows = db.prepare(`explain query plan ${sql}`).all(...values) as { detail: string }[]
      steps.push(...rows.map(({ detail }) => detail))
      return []
    }
    const explaining = { all, readInBackground: all, values: all, version: () => 0 } as unknown as Store
    await Array.fromAsync(pages(explaining, table, query))
    await totals.of(explaining, table, query.conditions)
    return steps
  }

  test('no index is of one device: SQLite would plan what is asked about a device anew for each of them', () => {
    const indexes = db.prepare("select name, sql from sqlite_master where type = 'index'").all()
    const ofOne = indexes.filter(({ sql }) => / where .*\bdevice_id\s*=/i.test(String(sql ?? '')))
    assert.deepEqual(
      ofOne.map(({ name }) => name),
      [],
    )
  })

  test('what is due every second is read off an index, however many alarms are open', async () => {
    const steps: string[] = []
    const all: Store['all'] = async (sql, values = []) => {
      const rows = db.prepare(`explain query plan ${sql}`).all(...values) as { detail: string }[]
      steps.push(...rows.map(({ detail }) => detail))
      return []
    }
    const explaining = { all, version: () => 0 } as unknown as Store
    const releases = new Release(() => assert.fail('nothing is due'), {} as Suppression, explaining)
    await releases.run(1_700_000_000_000, () => false)
    await openServiceAlarms(explaining, 'trapStorm')
    const reads = steps.filter((step) => /^(SEARCH|SCAN) (a|alarm) /.test(step))
    assert.ok(reads.length >= 6, steps.join('; '))
    for (const step of reads)
      assert.match(step, /INDEX alarm_(shelved|ack_until|cause|cause_until|suppressed|own) /)
    assert.deepEqual(
      steps.filter((step) => step.includes('TEMP B-TREE')),
      [],
    )
  })

  const valueFor = (name: string, filter: { scalar: { facets: { base: string } } }) => {
    if (name === 'reportDefinedType') return '1'
    return filter.scalar.facets.base === 'string' ? 'ab*' : '1'
  }

  for (const collection of catalog) {
    const { list, resource } = collection
    const required = Object.entries(list.filters).filter(([, filter]) => filter.required)
    const base = Object.fromEntries(required.map(([name, filter]) => [name, valueFor(name, filter)]))

    test(`every order of the list of ${resource.name} is read off an index`, async () => {
      const orders = list.sortable ? Object.keys(list.orders) : []
      for (const order of [{}, ...orders.flatMap((orderBy) => [{ orderBy }, { orderBy, desc: 'true' }])]) {
        const steps = await plans(collection, { ...base, ...order })
        const sorting = steps.filter((step) => step.includes('TEMP B-TREE'))
        assert.deepEqual(sorting, [], `add an index for ${JSON.stringify(order)}: ${steps.join('; ')}`)
      }
    })

    for (const [name, filter] of Object.entries(list.filters)) {
      // It leads through other tables: through all segments, which are few, or from the devices of the zone.
      if (name === 'zoneId' && ['assignedIpScope', 'macAccessBind'].includes(resource.name)) continue
      // Every second definition matches, and there are hundreds: they are read in the order that is asked for.
      if (name === 'ends' && resource.name === 'trapEvent') continue
      test(`the list of ${resource.name} finds by ${name} through an index`, async () => {
        const steps = await plans(collection, { ...base, [name]: valueFor(name, filter) })
        const scans = steps.filter((step) => step.startsWith('SCAN'))
        assert.deepEqual(scans, [], `add an index (column, id): ${steps.join('; ')}`)
      })
    }
  }
})

describe('the thread for long reads', () => {
  test('a store that cannot be opened is reported, and later reads go on', async () => {
    const file = newFile()
    await withStore(file, (database) => addZones(database, 1, 500))
    const copy = `${file}.copy`
    copyFileSync(file, copy)
    const database = openSqlite(file)
    for (const rest of ['', '-wal', '-shm']) rmSync(file + rest, { force: true })
    const count = () => database.readInBackground('select count(*) as n from zone')
    await assert.rejects(count(), unavailable(/^the store cannot be opened/))
    copyFileSync(copy, file)
    assert.equal((await count())[0]?.n, 500n)
    await database.close()
  })

  test('a statement that fails is reported, and the thread goes on', async () => {
    await withStore(newFile(), async (database) => {
      await assert.rejects(database.readInBackground('select * from nowhere'), /no such table/)
      assert.equal((await database.readInBackground('select 7 as n'))[0]?.n, 7n)
    })
  })

  test('reads under way when the store closes fail with the reason', async () => {
    const database = openSqlite(newFile())
    const endless = 'with recursive n (i) as (select 1 union all select i + 1 from n) select count(*) from n'
    const reading = assert.rejects(database.readInBackground(endless), unavailable(/^the store is closing$/))
    await database.close()
    await reading
  })
})

describe('a full disk', () => {
  test('nothing is half done, and work goes on once there is room', async () => {
    await withStore(newFile(), async (database) => {
      await addZones(database, 1, 50)
      const limit = (pages: number) =>
        database.transaction((tx) => tx.all(`pragma max_page_count = ${pages}`))
      const [{ page_count: used } = {}] = await database.all('pragma page_count')
      await limit(Number(used) + 2)
      await assert.rejects(
        addZones(database, 1000, 5000),
        unavailable(/^the disk is full: nothing was saved$/),
      )
      assert.equal(await countZones(database), 50)
      assert.equal((await database.all('select * from zone where id >= 1000')).length, 0)
      await limit(1_000_000)
      await addZones(database, 1000, 5000)
      assert.equal(await countZones(database), 5050)
      const [check] = await database.readInBackground('pragma integrity_check')
      assert.equal(check?.integrity_check, 'ok')
    })
  })
})

test('while a store closes, transactions that have begun are finished, and later ones are refused', async () => {
  const database = openSqlite(join(temporaryFolder(), 'closing.db'))
  await database.migrate('create table t (n integer)', { recordIfDue: async () => true })
  const begun = database.transaction((tx) => tx.run('insert into t values (1)'))
  const closing = database.close()
  await assert.rejects(
    database.transaction((tx) => tx.run('insert into t values (2)')),
    /the store is closed/,
  )
  assert.equal(await begun, 1)
  await closing
})
