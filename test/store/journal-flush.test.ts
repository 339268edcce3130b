// Commits that wait for their flush: who sees them, who is told, and what becomes of them when it fails.

import assert from 'node:assert/strict'
import { statSync, writeFileSync } from 'node:fs'
import { devNull } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { bulk, type Transaction } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
import { JournalFlush } from '../../src/store/sqlite/journal-flush.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { temporaryFolder } from '../support.ts'

const addZone = (tx: Transaction, id: number) =>
  tx.run('insert into zone (id, name, name_key) values (?, ?, ?)', [BigInt(id), `zone ${id}`, `zone ${id}`])

const addZones = bulk('insert into zone (id, name, name_key, description) values (?, ?, ?, ?)', [
  'bigint',
  'text',
  'text',
  'text',
])

const countSql = 'select count(*) as n from zone'

describe('a flush of the journal', () => {
  test('covers all commits that were made since the last one began', async () => {
    const file = join(temporaryFolder(), 'journal')
    writeFileSync(file, 'content')
    let covered = 0
    const flushes: number[] = []
    const flush = new JournalFlush({
      file,
      onBegin: () => {
        flushes.push(covered)
        covered = 0
        return true
      },
      onDurable: () => undefined,
      onFatal: assert.fail,
    })
    const commit = () => {
      covered += 1
      return flush.committed()
    }
    await Promise.all(Array.from({ length: 50 }, commit))
    assert.deepEqual(flushes, [1, 49])
    assert.equal(flush.isPending, false)
    await commit()
    assert.deepEqual(flushes, [1, 49, 1])
    await flush.close()
  })

  test('is waited for once more where readers could not be moved to what it covers', async () => {
    const file = join(temporaryFolder(), 'journal')
    writeFileSync(file, 'content')
    const told: string[] = []
    let begun = 0
    const flush = new JournalFlush({
      file,
      onBegin: () => ++begun !== 1,
      onDurable: (isMore) => told.push(`durable after ${begun}, ${isMore ? 'more' : 'all'}`),
      onFatal: assert.fail,
    })
    const first = flush.committed().then(() => told.push('first'))
    const second = flush.committed().then(() => told.push('second'))
    await Promise.all([first, second])
    assert.deepEqual(told, ['durable after 2, all', 'second', 'first'].sort(byDurableFirst))
    await flush.close()
  })

  test('that fails ends the service before anyone is told, and nothing is written any more', async () => {
    const told: string[] = []
    // It cannot be flushed.
    const flush = new JournalFlush({
      file: devNull,
      onBegin: () => true,
      onDurable: () => told.push('durable'),
      onFatal: ({ message }) => told.push(message),
    })
    const waiting = [flush.committed(), flush.committed(), flush.flushed()]
    const outcomes = await Promise.allSettled(waiting)
    for (const outcome of outcomes) assert.equal(outcome.status, 'rejected')
    assert.equal(told.length, 1)
    assert.match(told[0] ?? '', /^the disk failed: the journal: .*fdatasync/)
    assert.throws(() => flush.requireWorking(), /the disk failed/)
    await assert.rejects(flush.flushed(), /the disk failed/)
    await flush.close()
  })
})

const byDurableFirst = (a: string, b: string) =>
  Number(b.startsWith('durable')) - Number(a.startsWith('durable'))

describe('a commit that is not durable yet', async () => {
  const file = join(temporaryFolder(), 'test.db')
  const database = openSqlite(file)
  after(() => database.close())
  await migrate(database)
  const count = async () => Number((await database.all(countSql))[0]?.n)

  test('is seen by the next transaction and by nobody else', async () => {
    const before = await count()
    const version = database.version('zone')
    let seenBeside: Promise<number> | undefined
    const first = database.transaction(async (tx) => {
      await addZone(tx, 1)
      tx.afterCommit(() => {
        seenBeside = count()
        assert.equal(database.version('zone'), version)
        assert.equal(tx.version('zone'), version + 1)
      })
    })
    const second = database.transaction(async (tx) => {
      assert.equal(tx.version('zone'), version + 1)
      return Number((await tx.all(countSql))[0]?.n)
    })
    assert.equal(await second, before + 1)
    await first
    assert.equal(await seenBeside, before)
    assert.equal(await count(), before + 1)
    assert.equal(database.version('zone'), version + 1)
  })

  test('is in a long read only when it is durable', async () => {
    for (let id = 100; id < 140; id += 1) {
      let long: Promise<void> | undefined
      const written = database.transaction(async (tx) => {
        await addZone(tx, id)
        tx.afterCommit(() => {
          long = database.readInBackground(countSql).then(async ([row]) => {
            assert((await count()) >= Number(row?.n), 'what was found can be read by everybody')
          })
        })
      })
      await written
      await long
    }
  })

  test('does not hold up the journal, which begins anew also where somebody always waits for a flush', async () => {
    let id = 10_000
    let written = 0
    const one = async () => {
      while (written < 110_000_000) {
        await database.transaction(async (tx) => {
          const rows = Array.from({ length: 100 }, () => [
            BigInt(id),
            `zone ${id}`,
            `zone ${id++}`,
            'x'.repeat(900),
          ])
          await tx.runEach(addZones, rows)
          written += 100 * 1000
        })
      }
    }
    await Promise.all(Array.from({ length: 8 }, one))
    const { size } = statSync(`${file}-wal`)
    assert(size < 80_000_000, `${size} bytes`)
  })
})
