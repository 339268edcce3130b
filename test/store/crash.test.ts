// What happens when the process is killed or the disk is full: nothing acknowledged is lost, nothing is half done.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Fault } from '../../src/fault.ts'
import type { Store } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { temporaryFolder } from '../support.ts'
import { smallDisk } from './small-disk.ts'

const writing = fileURLToPath(new URL('./writing.ts', import.meta.url))

/** Runs a writer until it has acknowledged some more rows, kills it, and returns the last row it acknowledged. */
async function writeAndKill(file: string, from: number, promises: number): Promise<number> {
  const child = spawn(process.execPath, [writing, file, String(from)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let promised = from - 1
  for await (const line of createInterface({ input: child.stdout })) {
    promised = Number(line)
    if (promised - from >= promises) child.kill('SIGKILL')
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  assert.equal(child.signalCode, 'SIGKILL')
  return promised
}

test('a writer killed again and again loses nothing that it acknowledged, and leaves no half of a batch', async () => {
  const file = join(temporaryFolder(), 'test.db')
  let next = 1
  for (const promises of [3, 40, 111, 250]) {
    const promised = await writeAndKill(file, next, promises)
    const database = openSqlite(file)
    const rows = await database.all('select id from zone order by id')
    const ids = rows.map((row) => Number(row.id))
    assert.deepEqual(
      ids,
      ids.map((_, index) => index + 1),
    )
    // Some may have been committed whose acknowledgement did not arrive: each of them must be complete.
    let last = promised
    while (last < ids.length) last += (last + 1) % 7 === 0 ? 20 : 1
    assert.equal(last, ids.length, `half of a batch beyond the promised ${promised}`)
    const [check] = await database.readInBackground('pragma integrity_check')
    assert.equal(check?.integrity_check, 'ok')
    await database.close()
    next = ids.length + 1
  }
})

test('on a disk that is really full nothing is half done, and work goes on once there is room', async (t) => {
  const disk = smallDisk(t, 6)
  if (disk !== undefined) await fillUp(disk)
})

async function fillUp(disk: string): Promise<void> {
  const ballast = join(disk, 'ballast')
  const database = openSqlite(join(disk, 'test.db'))
  try {
    await migrate(database)
    writeFileSync(ballast, Buffer.alloc(3_000_000))
    const { kept, failure } = await addUntilFull(database)
    assert(failure instanceof Fault)
    assert.equal(failure.code, 'unavailable')
    assert.equal(failure.message, 'the disk is full: nothing was saved')
    const count = async () => Number((await database.all('select count(*) as n from zone'))[0]?.n)
    assert.equal(await count(), kept)
    rmSync(ballast)
    await addRow(database, kept + 1)
    assert.equal(await count(), kept + 1)
    const [check] = await database.readInBackground('pragma integrity_check')
    assert.equal(check?.integrity_check, 'ok')
  } finally {
    await database.close()
  }
}

const addRow = (database: Store, id: number) =>
  database.transaction((tx) =>
    tx.run('insert into zone (id, name, name_key, description) values (?, ?, ?, ?)', [
      BigInt(id),
      `zone ${id}`,
      `zone ${id}`,
      'x'.repeat(3000),
    ]),
  )

async function addUntilFull(database: Store): Promise<{ kept: number; failure: unknown }> {
  for (let id = 1; id < 10_000; id += 1) {
    try {
      await addRow(database, id)
    } catch (failure) {
      return { kept: id - 1, failure }
    }
  }
  return assert.fail('the disk never filled')
}
