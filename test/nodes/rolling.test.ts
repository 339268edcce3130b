// Several nodes on one store: the schema changes while nodes run. Each migration says the oldest program that
// may go on beside it; one node applies it under a lock; a program that is too old stops with a sentence.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Fault } from '../../src/fault.ts'
import type { Reader, Store } from '../../src/store/database.ts'
import { type Migration, migrate, whyUnusable } from '../../src/store/migrate.ts'
import { Postgres } from '../../src/store/postgres/postgres.ts'
import { isOlder } from '../../src/store/program-version.ts'
import { newDatabase } from '../postgres-database.ts'

const step = (number: number, script: string): Migration => ({ number, name: `000${number}.sql`, script })
const first = step(1, 'create table thing (id bigint primary key, name text);')
const gentle = step(2, '-- beside: 1.0.0\nalter table thing add column more text;')
const harsh = step(3, '-- beside: 1.2.0\nalter table thing drop column name;')
const silent = step(4, 'alter table thing add column most text;')

function programs(address: string) {
  return (program: string, migrations: readonly Migration[]) => {
    const fatal: string[] = []
    const database = new Postgres(address, {
      whyUnusable: (reader) => whyUnusable(reader, migrations, program),
      onFatal: ({ message }) => fatal.push(message),
    })
    after(() => database.close())
    return { database, fatal }
  }
}

const add = (database: Store, id: number) =>
  database.transaction((tx) => tx.run('insert into thing (id) values (?)', [id]))

test('nodes, rolling upgrade: old nodes keep running on a store they understand, and stop with a message on one they do not', async () => {
  const open = programs(await newDatabase())
  const old = open('1.0.0', [first])
  await migrate(old.database, [first], '1.0.0')
  await add(old.database, 1)
  // The first node of a newer version starts while the old one runs.
  const newer = open('1.1.0', [first, gentle])
  assert.deepEqual(await migrate(newer.database, [first, gentle], '1.1.0'), [gentle.name])
  await add(old.database, 2)
  await add(newer.database, 3)
  // An old one may even be started again.
  const again = open('1.0.0', [first])
  assert.deepEqual(await migrate(again.database, [first], '1.0.0'), [])
  await add(again.database, 4)
  assert.deepEqual(old.fatal, [])
  // One more, which the oldest cannot go on beside.
  const newest = open('1.2.0', [first, gentle, harsh])
  await migrate(newest.database, [first, gentle, harsh], '1.2.0')
  const sentence =
    'this is version 1.0.0, and the store has been changed by a newer one: at least version 1.2.0 is needed'
  await assert.rejects(add(old.database, 5), (error) => error instanceof Fault && error.message === sentence)
  await assert.rejects(again.database.refresh(), { message: sentence })
  assert.deepEqual(old.fatal, [sentence])
  await assert.rejects(
    migrate(open('1.1.0', [first, gentle]).database, [first, gentle], '1.1.0'),
    /this is version 1\.1\.0, .* at least version 1\.2\.0 is needed/,
  )
  await add(newest.database, 6)
  const [row] = await newest.database.all('select count(*) as n from thing')
  assert.equal(row?.n, 5n)
})

test('nodes, rolling upgrade: a migration that names no version stops every program that does not know it, whatever it calls itself', async () => {
  const open = programs(await newDatabase())
  const running = open('1.0.0', [first])
  await migrate(running.database, [first], '1.0.0')
  await add(running.database, 1)
  // Another build of the same version.
  const other = open('1.0.0', [first, silent])
  await migrate(other.database, [first, silent], '1.0.0')
  const sentence = /the store was written by a newer version \(it has migration 0004\.sql\)/
  await assert.rejects(add(running.database, 2), sentence)
  await assert.rejects(running.database.refresh(), sentence)
  assert.match(String(running.fatal[0]), sentence)
  for (const version of ['1.0.0', '9.0.0'])
    await assert.rejects(migrate(open(version, [first]).database, [first], version), sentence)
  await add(other.database, 3)
  assert.deepEqual(other.fatal, [])
  const rows = await other.database.all('select id from thing order by id')
  assert.deepEqual(
    rows.map(({ id }) => id),
    [1n, 3n],
  )
})

test('nodes, rolling upgrade: a node that looks while a newer one migrates goes on, whichever of the two tables it reads first', async () => {
  const open = programs(await newDatabase())
  const old = open('1.0.0', [first]).database
  await migrate(old, [first], '1.0.0')
  const newer = open('1.1.0', [first, gentle]).database
  let reads = 0
  const reader: Reader = {
    async all(sql, parameters) {
      const rows = await old.all(sql, parameters)
      reads += 1
      if (reads === 1) await migrate(newer, [first, gentle], '1.1.0')
      return rows
    },
  }
  assert.equal(await whyUnusable(reader, [first], '1.0.0'), undefined)
  assert.ok(reads > 1)
  // Others, such as 0.2.0, read first what may go on: it is there before the first migration is.
  const failing = step(5, '-- beside: 1.0.0\nalter table nothing add column more text;')
  const later = step(6, '-- beside: 1.1.0\nalter table thing add column late text;')
  const all = [first, gentle, failing, later]
  await assert.rejects(migrate(open('1.2.0', all).database, all, '1.2.0'), /migration 0005\.sql failed/)
  assert.deepEqual(await old.all('select number from migration where number > 2'), [])
  assert.deepEqual(await old.all('select number, oldest from migration_beside order by number'), [
    { number: 2n, oldest: '1.0.0' },
    { number: 5n, oldest: '1.0.0' },
    { number: 6n, oldest: '1.1.0' },
  ])
})

test('nodes, rolling upgrade: nodes that start together apply each migration once', async () => {
  const open = programs(await newDatabase())
  const nodes = [1, 2, 3, 4].map(() => open('1.0.0', [first, gentle]).database)
  const outcomes = await Promise.all(nodes.map((node) => migrate(node, [first, gentle], '1.0.0')))
  assert.ok(outcomes.length === 4)
  for (const [index, node] of nodes.entries()) await add(node, index)
  const rows = await nodes[0]?.all('select number from migration order by number')
  assert.deepEqual(
    rows?.map((row) => row.number),
    [1n, 2n],
  )
})

test('versions of the program are compared number by number', () => {
  const inOrder = ['', '0.1.0', '0.2', '0.2.1', '0.10.0', '1.0.0', '1.0.0.1']
  for (const [index, older] of inOrder.entries()) {
    for (const newer of inOrder.slice(index + 1)) {
      assert.ok(isOlder(older, newer), `${older} ${newer}`)
      assert.ok(!isOlder(newer, older), `${newer} ${older}`)
    }
    assert.ok(!isOlder(older, older))
  }
  assert.ok(!isOlder('1.0.0-beta.3', '1.0.0'))
})
