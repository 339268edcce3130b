// Copies of a store: made beside the work, checked before anybody relies on them, put in place all or nothing.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { before, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Fault } from '../../src/fault.ts'
import { BackupFile, checkBackup, restore } from '../../src/store/backup-file.ts'
import { DataFolder } from '../../src/store/data-folder.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { temporaryFolder } from '../support.ts'
import { smallDisk } from './small-disk.ts'

const madeAt = Date.UTC(2026, 10, 15, 5, 30)
const now = new Date(Date.UTC(2026, 11, 24, 18))
const place = temporaryFolder()
const good = join(place, 'good.db')
before(() => makeBackup(join(place, 'store.db'), good, 500))

async function makeBackup(store: string, to: string, zones: number): Promise<void> {
  const database = openSqlite(store, { clock: () => madeAt })
  await migrate(database)
  await database.transaction(async (tx) => {
    for (let id = 1; id <= zones; id += 1) {
      await tx.run('insert into zone (id, name, name_key, description) values (?, ?, ?, ?)', [
        id,
        `zone ${id}`,
        `zone ${id}`,
        'x'.repeat(300),
      ])
    }
  })
  await database.copyTo(to)
  await database.close()
}

const zonesIn = (file: string): number => {
  const database = new DatabaseSync(file)
  const [row] = database.prepare('select count(*) as n from zone').all()
  database.close()
  return Number(row?.n)
}

async function openAndRelease(path: string): Promise<void> {
  const folder = await DataFolder.open(path)
  folder.release()
}

async function putBack(folder: DataFolder, file: string) {
  const source = await BackupFile.open(file)
  try {
    return await restore(folder, source, now)
  } finally {
    await source.close()
  }
}

const refused = (code: string, sentence: RegExp) => (error: unknown) => {
  assert(error instanceof Fault, String(error))
  assert.equal(error.code, code)
  assert.match(error.message, sentence)
  return true
}

describe('a copy', () => {
  test('is made while others write, and holds one moment of it', async () => {
    const folder = temporaryFolder()
    const database = openSqlite(join(folder, 'store.db'))
    await migrate(database)
    let written = 0
    let done = false
    // Two rows in each transaction: a copy with an odd number of them is not of one moment.
    const writing = (async () => {
      while (!done) {
        await database.transaction(async (tx) => {
          for (const _ of [1, 2]) {
            written += 1
            await tx.run('insert into zone (id, name, name_key) values (?, ?, ?)', [
              written,
              `${written}`,
              `${written}`,
            ])
          }
        })
        await setImmediate()
      }
    })()
    const counts: number[] = []
    for (const name of ['a', 'b', 'c']) {
      const least = written
      await database.copyTo(join(folder, name))
      await checkBackup(join(folder, name))
      const count = zonesIn(join(folder, name))
      assert(count % 2 === 0 && count >= least && count <= written, `${least} ${count} ${written}`)
      counts.push(count)
    }
    done = true
    await writing
    await database.close()
    assert(counts[0] !== counts[2], 'work went on meanwhile')
  })

  test('knows when it was made, and by which schema', async () => {
    const { madeAt: reported, schema, bytes } = await checkBackup(good)
    assert.equal(reported, madeAt)
    assert.match(schema, /^\d{4}-[a-z-]+$/)
    assert.equal(bytes, statSync(good).size)
  })

  test('is one file: nothing is put beside it, also not by looking at it', async () => {
    const folder = temporaryFolder()
    copyFileSync(good, join(folder, 'b.db'))
    await checkBackup(join(folder, 'b.db'))
    assert.deepEqual(readdirSync(folder), ['b.db'])
  })

  test('that no disk has room for is refused before anything is written', async (t) => {
    const disk = smallDisk(t, 1)
    if (disk === undefined) return
    const database = openSqlite(join(temporaryFolder(), 'store.db'))
    await migrate(database)
    try {
      await assert.rejects(
        database.copyTo(join(disk, 'copy')),
        refused('unavailable', /^the copy of the store needs \d+ MB in .*disk-\w+, where 2 MB are free$/),
      )
      assert.deepEqual(readdirSync(disk), [])
    } finally {
      await database.close()
    }
  })
})

describe('a file that is no good backup', () => {
  const bad = (change: (file: string) => void) => {
    const file = join(temporaryFolder(), 'b.db')
    copyFileSync(good, file)
    change(file)
    return file
  }

  test('is reported: missing, a folder, no database, another database', async () => {
    const folder = temporaryFolder()
    await assert.rejects(checkBackup(join(folder, 'none')), refused('invalid', /cannot be read: ENOENT/))
    await assert.rejects(checkBackup(folder), refused('invalid', /is not a file$/))
    const text = bad((file) => writeFileSync(file, 'a letter to my aunt '.repeat(100)))
    await assert.rejects(checkBackup(text), refused('invalid', /is not a backup of Belfry$/))
    const other = bad((file) => {
      writeFileSync(file, '')
      const database = new DatabaseSync(file)
      database.exec('create table aunt (name text)')
      database.close()
    })
    await assert.rejects(checkBackup(other), refused('invalid', /a database, but not a store of Belfry$/))
  })

  test('is reported: cut off, damaged', async () => {
    const short = bad((file) => truncateSync(file, statSync(file).size - 8192))
    await assert.rejects(checkBackup(short), refused('unavailable', /is cut off: it has \d+ of \d+ bytes$/))
    const garbled = bad((file) => {
      const bytes = readFileSync(file)
      for (let at = 4096 * 3; at < bytes.length; at += 4096) bytes.fill(0xff, at, at + 64)
      writeFileSync(file, bytes)
    })
    await assert.rejects(checkBackup(garbled), refused('unavailable', /damaged/))
  })

  test('is reported: of a newer version', async () => {
    const newer = bad((file) => {
      const database = new DatabaseSync(file)
      database.exec("insert into migration values (9999, '9999-dreams.sql', 'x', 0)")
      database.close()
    })
    await assert.rejects(
      checkBackup(newer),
      refused('unavailable', /written by a newer version \(it has migration 9999-dreams\.sql\)/),
    )
  })

  test('is reported: a store with its journal beside it', async () => {
    const live = bad((file) => writeFileSync(`${file}-wal`, 'x'))
    await assert.rejects(checkBackup(live), refused('invalid', /belfry backup$/))
  })
})

/** A data folder with a store and its journal, as a killed service leaves them. */
function usedFolder(): string {
  const path = temporaryFolder()
  for (const name of ['belfry.db', 'belfry.db-wal', 'belfry.db-shm'])
    writeFileSync(join(path, name), `old ${name}`)
  return path
}

describe('restoring', () => {
  test('an empty folder gets the store, for its owner alone, and nothing else', async () => {
    const folder = await DataFolder.open(join(temporaryFolder(), 'new'))
    assert.equal(folder.hasStore, false)
    const { sha256 } = await putBack(folder, good)
    folder.release()
    assert.match(sha256, /^[0-9a-f]{64}$/)
    assert.deepEqual(readFileSync(folder.storeFile), readFileSync(good))
    assert.equal(statSync(folder.storeFile).mode & 0o777, 0o600)
    assert.deepEqual(readdirSync(folder.path).sort(), ['belfry.db', 'lock'])
  })

  test('what was there is quarantined, journal and all, also twice in a second', async () => {
    const folder = await DataFolder.open(usedFolder())
    assert.equal(folder.hasStore, true)
    await putBack(folder, good)
    await putBack(folder, good)
    folder.release()
    const aside = join(folder.path, 'replaced-20261224T180000Z')
    assert.equal(readFileSync(join(aside, 'belfry.db-wal'), 'utf8'), 'old belfry.db-wal')
    assert.equal(readFileSync(join(aside, 'belfry.db'), 'utf8'), 'old belfry.db')
    assert(existsSync(join(folder.path, 'replaced-20261224T180001Z', 'belfry.db')))
    assert(!existsSync(`${folder.storeFile}-wal`))
    assert.equal(zonesIn(folder.storeFile), 500)
  })

  test('a bad backup changes nothing', async () => {
    const path = usedFolder()
    const folder = await DataFolder.open(path)
    const short = join(temporaryFolder(), 'short.db')
    copyFileSync(good, short)
    truncateSync(short, 50_000)
    await assert.rejects(putBack(folder, short), refused('unavailable', /short\.db is cut off/))
    folder.release()
    assert.deepEqual(readdirSync(path).sort(), ['belfry.db', 'belfry.db-shm', 'belfry.db-wal', 'lock'])
  })

  test('a restore that was interrupted after its commit is finished at the next start', async () => {
    // The steps behind the decision, each of which may have been the last.
    for (const moved of [[], ['belfry.db'], ['belfry.db', 'belfry.db-wal', 'belfry.db-shm']]) {
      const path = usedFolder()
      const aside = join(path, 'replaced-20261224T180000Z')
      copyFileSync(good, join(path, 'restored-20261224T180000Z.db'))
      if (moved.length > 0) mkdirSync(aside)
      for (const name of moved) renameSync(join(path, name), join(aside, name))
      await openAndRelease(path)
      assert.deepEqual(readdirSync(aside).sort(), ['belfry.db', 'belfry.db-shm', 'belfry.db-wal'])
      assert.deepEqual(readFileSync(join(path, 'belfry.db')), readFileSync(good))
      assert.deepEqual(readdirSync(path).sort(), ['belfry.db', 'lock', 'replaced-20261224T180000Z'])
    }
  })

  test('killed at any moment it leaves the old store or the new one, whole', async () => {
    const program = fileURLToPath(new URL('../../bin/belfry.js', import.meta.url))
    const folder = temporaryFolder()
    const large = join(folder, 'large.db')
    await makeBackup(join(folder, 'store.db'), large, 30_000)
    const outcomes = new Set<number>()
    for (const delay of [150, 250, 350, 500, 700]) {
      const path = join(folder, `data${delay}`)
      mkdirSync(path)
      copyFileSync(good, join(path, 'belfry.db'))
      const child = spawn(process.execPath, [program, 'restore', large, '--replace', '--data', path], {
        stdio: 'ignore',
      })
      const exit = once(child, 'exit')
      const timer = setTimeout(() => child.kill('SIGKILL'), delay)
      await exit
      clearTimeout(timer)
      await openAndRelease(path)
      const count = zonesIn(join(path, 'belfry.db'))
      assert(count === 500 || count === 30_000, `${count} zones after ${delay} ms`)
      if (count === 30_000)
        assert.equal(readdirSync(path).filter((name) => name.startsWith('replaced-')).length, 1)
      assert.deepEqual(
        readdirSync(path).filter((name) => name.startsWith('.')),
        [],
      )
      outcomes.add(count)
    }
    assert(outcomes.size > 0)
  })
})

test('what a killed service was working on is removed at the next start, and nothing else', async () => {
  const path = temporaryFolder()
  for (const name of ['.backup-a1B2c3', '.import-x_y2z3', '.restore-000000']) {
    mkdirSync(join(path, name))
    writeFileSync(join(path, name, 'store'), 'half')
  }
  const others = ['.backup-of-mine', 'backup-monday', 'import-abcdef', 'replaced-20261224T180000Z']
  for (const name of others) mkdirSync(join(path, name))
  await openAndRelease(path)
  assert.deepEqual(readdirSync(path).sort(), [...others, 'lock'].sort())
})

for (const [what, script, sentence] of [
  [
    'a trigger',
    "create trigger helper after insert on zone begin update operator set role = 'administrator'; end",
    /it has a trigger helper, which no store of Belfry has/,
  ],
  ['a view', 'create view operators as select * from operator', /it has a view operators, which/],
  ['a table', 'create table notes (id integer)', /it has a table notes, which/],
  ['an index', 'create index zone_odd on zone (description)', /it has a index zone_odd, which/],
  [
    'another column',
    'alter table zone add column odd text',
    /its table zone is not as its migrations made it/,
  ],
  ['a table less', 'drop table trap_rule_hit', /it lacks the table trap_rule_hit/],
] as const) {
  test(`a store with ${what} beside what its schema has is not restored`, async () => {
    const folder = temporaryFolder()
    const odd = join(folder, 'odd.db')
    copyFileSync(good, odd)
    const database = new DatabaseSync(odd)
    database.exec(script)
    database.close()
    await assert.rejects(checkBackup(odd), refused('invalid', sentence))
    const data = await DataFolder.open(join(folder, 'data'))
    await assert.rejects(putBack(data, odd), refused('invalid', sentence))
    assert.ok(!data.hasStore)
    data.release()
  })
}
