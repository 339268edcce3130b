import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TableCache } from '../../src/store/table-cache.ts'

/** A database that has tables with versions and nothing else. */
class Tables {
  readonly versions = new Map<string, number>()

  version(table: string): number {
    return this.versions.get(table) ?? 0
  }

  write(table: string): void {
    this.versions.set(table, this.version(table) + 1)
  }
}

test('a value is read again when one of its tables was written to, and only then', async () => {
  const tables = new Tables()
  const cache = new TableCache<number>(tables, 'zone', 'device')
  let reads = 0
  const get = () => cache.get(tables, async () => ++reads)
  assert.equal(cache.isCurrent(tables), false)
  assert.equal(cache.last, undefined)
  assert.deepEqual([await get(), await get()], [1, 1])
  tables.write('operator')
  assert.equal(cache.isCurrent(tables), true)
  assert.equal(await get(), 1)
  for (const table of ['zone', 'device']) {
    tables.write(table)
    assert.equal(cache.isCurrent(tables), false)
    await get()
  }
  assert.equal(reads, 3)
  assert.equal(cache.last, 3)
})

test('callers with the same reader share one read; another reader reads for itself', async () => {
  const tables = new Tables()
  const cache = new TableCache<string>(tables, 'zone')
  const ready = Promise.withResolvers<void>()
  const readers: unknown[] = []
  const read = async (reader: unknown) => {
    readers.push(reader)
    await ready.promise
    return 'read'
  }
  const other = new Tables()
  const reading = [cache.get(tables, read), cache.get(tables, read), cache.get(other, read)]
  ready.resolve()
  await Promise.all(reading)
  assert.deepEqual(readers, [tables, other])
})

test('what is committed during a read causes another read', async () => {
  const tables = new Tables()
  const cache = new TableCache<string>(tables, 'zone')
  const first = await cache.get(tables, async () => {
    tables.write('zone')
    return 'before'
  })
  assert.equal(first, 'before')
  assert.equal(cache.isCurrent(tables), false)
  assert.equal(await cache.get(tables, async () => 'after'), 'after')
})

test('a slow read does not replace the value of a later one', async () => {
  const tables = new Tables()
  const cache = new TableCache<string>(tables, 'zone')
  const slow = Promise.withResolvers<string>()
  const old = cache.get(tables, () => slow.promise)
  tables.write('zone')
  assert.equal(await cache.get(tables, async () => 'new'), 'new')
  slow.resolve('old')
  assert.equal(await old, 'new')
  assert.equal(cache.last, 'new')
})

test('a failed read is not kept: the next caller reads again', async () => {
  const tables = new Tables()
  const cache = new TableCache<string>(tables, 'zone')
  await assert.rejects(
    cache.get(tables, async () => {
      throw new Error('no store')
    }),
  )
  assert.equal(cache.isCurrent(tables), false)
  assert.equal(await cache.get(tables, async () => 'read'), 'read')
})

test('a transaction that has written sees its own version, and others take its value over', async () => {
  const tables = new Tables()
  const cache = new TableCache<string>(tables, 'zone')
  await cache.get(tables, async () => 'committed')
  const tx = new Tables()
  tx.write('zone')
  assert.equal(cache.isCurrent(tx), false)
  assert.equal(await cache.get(tx, async () => 'written'), 'written')
  assert.equal(await cache.get(tables, async () => 'not read'), 'written')
})
