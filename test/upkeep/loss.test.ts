// A store that is not what it was when the service left it is noticed, however that came about: an alarm is raised,
// numbers are not given out again, and clients are informed of a gap whatever their filter.

import assert from 'node:assert/strict'
import { copyFileSync, cpSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Fault } from '../../src/fault.ts'
import { EngineClock } from '../../src/notify/channels/engine-clock.ts'
import { BackupFile, restore } from '../../src/store/backup-file.ts'
import { setCounter } from '../../src/store/counter.ts'
import { DataFolder } from '../../src/store/data-folder.ts'
import { HighWaterMark } from '../../src/store/sqlite/high-water-mark.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { probeSql } from '../../src/store/store-condition.ts'
import { until } from '../intake/sending.ts'
import { EventReader } from '../push/reader.ts'
import { startService, type TestService, temporaryFolder } from '../support.ts'

const json = { Accept: 'application/json' }
const older = '1.3.6.1.4.1.32473.1.22'
const restored = '1.3.6.1.4.1.32473.1.12'

async function raise(service: TestService, from: number, to: number): Promise<bigint[]> {
  const ids: bigint[] = []
  for (let n = from; n <= to; n += 1) {
    const body = { OID: `1.3.6.1.4.1.32473.9.${n}`, alarmLevel: 3, alarmDesc: 'x' }
    const { status, headers, text } = await service.sendJson('POST', '/fault/alarm', body)
    assert.equal(status, 201, text)
    ids.push(BigInt(String(headers.location).split('/').at(-1) ?? ''))
  }
  return ids
}

async function reported(service: TestService, oid: string): Promise<string[]> {
  const { alarm = [] } = (await service.get(`/fault/alarm?faultOid=${oid}&size=100`, json)).json()
  return (alarm as { alarmDesc: string }[]).map(({ alarmDesc }) => alarmDesc)
}

/** What a client that asked for nothing but one event is sent. */
async function firstWord(service: TestService, uuid: string): Promise<string> {
  const reader = await EventReader.open(service.url, `type=11&uuid=${uuid}&eventOid=1.2.3`)
  await raise(service, 9000, 9000)
  await reader.until(() => reader.documents.length > 0, 'a word about the gap')
  reader.close()
  return reader.documents[0] ?? ''
}

/** Registers a client with a filter that no alarm passes. */
async function register(service: TestService, uuid: string): Promise<void> {
  const reader = await EventReader.open(service.url, `type=11&uuid=${uuid}&eventOid=1.2.3`)
  reader.close()
}

const storeFile = (data: string) => join(data, 'belfry.db')

test('an unchanged store is not reported, start after start', async () => {
  const data = temporaryFolder()
  for (let start = 0; start < 3; start += 1) {
    const service = await startService({ data })
    const ids = await raise(service, start * 10 + 1, start * 10 + 10)
    assert.deepEqual([ids[0], ids.at(-1)], [BigInt(start * 10 + 1), BigInt(start * 10 + 10)])
    assert.deepEqual(await reported(service, older), [])
    await service.stop()
  }
})

test('an older copy that was put back is reported, and no id is given again', async () => {
  const data = temporaryFolder()
  const first = await startService({ data })
  await raise(first, 1, 10)
  await register(first, 'desk')
  await first.stop()
  const copy = join(temporaryFolder(), 'copy.db')
  copyFileSync(storeFile(data), copy)
  const second = await startService({ data })
  const given = await raise(second, 11, 40)
  await second.stop()
  copyFileSync(copy, storeFile(data))
  const third = await startService({ data })
  assert.match((await reported(third, older))[0] ?? '', /^The store is older than it was left: 30 entries/)
  const anew = await raise(third, 41, 50)
  assert(
    anew.every((id) => !given.includes(id) && id > (given.at(-1) ?? 0n)),
    'ids are new',
  )
  assert.match(await firstWord(third, 'desk'), /cannot be delivered|may be missing/)
  const check = await third.get('/plat/check', json)
  assert.equal(check.json().sound, 'true', check.text)
  await third.stop()
  const fourth = await startService({ data })
  assert.equal((await reported(fourth, older)).length, 1, 'it is reported once')
  await fourth.stop()
})

test('receivers of version 3 traps take those of an older copy, also where the clock was put back', async () => {
  const data = temporaryFolder()
  const minute = 60_000
  let now = Date.UTC(2026, 10, 19)
  const open = () => openSqlite(storeFile(data), { clock: () => now })
  const moment = async () => {
    const database = open()
    const found = await new EngineClock(database, () => now).now()
    await database.close()
    return found
  }
  await (await startService({ data })).stop()
  await moment()
  const copy = join(temporaryFolder(), 'copy.db')
  copyFileSync(storeFile(data), copy)
  now += 24 * 60 * minute
  const seen = [await moment()]
  now -= 60 * minute
  seen.push(await moment())
  await (await startService({ data })).stop()
  copyFileSync(copy, storeFile(data))
  now -= 22 * 60 * minute
  await (await startService({ data })).stop()
  const next = await moment()
  for (const { boots } of seen) assert.ok(next.boots > boots, JSON.stringify({ seen, next }))
})

test('an older copy in which nothing but changes is missing is noticed too', async () => {
  const data = temporaryFolder()
  await (await startService({ data })).stop()
  const copy = join(temporaryFolder(), 'copy.db')
  copyFileSync(storeFile(data), copy)
  await (await startService({ data })).stop()
  copyFileSync(copy, storeFile(data))
  const service = await startService({ data })
  assert.match((await reported(service, older))[0] ?? '', /what had been written last is missing/)
  await service.stop()
})

test('a journal that lost its end is reported, with what is missing', async () => {
  const data = temporaryFolder()
  const service = await startService({ data })
  await raise(service, 1, 5)
  // As a kill leaves it: the journal is there, and all that was answered is in it.
  const killed = temporaryFolder()
  const last = (await raise(service, 6, 25)).at(-1)
  await until('the witness has the last of them', () =>
    readFileSync(join(data, 'witness'), 'latin1').includes(`"alarm":"${last}"`),
  )
  for (const name of ['belfry.db', 'belfry.db-wal', 'witness']) cpSync(join(data, name), join(killed, name))
  await service.stop()
  const journal = join(killed, 'belfry.db-wal')
  const bytes = readFileSync(journal)
  // After a damaged frame in the middle, SQLite ignores the rest.
  const frame = 4096 + 24
  const hit = 32 + Math.floor((bytes.length / frame) * 0.97) * frame
  bytes.fill(0xff, hit, hit + 64)
  writeFileSync(journal, bytes)
  const after = await startService({ data: killed })
  const [text = ''] = await reported(after, older)
  const missing = Number(/^The store is older than it was left: (\d+) entries/.exec(text)?.[1])
  assert(missing > 0 && missing <= 25, text)
  assert((await raise(after, 100, 101)).every((id) => id > 25n))
  await after.stop()
})

test('after a restore in its place, and elsewhere, ids go on beyond all that were given', async () => {
  const data = temporaryFolder()
  const first = await startService({ data })
  await raise(first, 1, 10)
  await register(first, 'desk')
  const backup = join(temporaryFolder(), 'b.db')
  await first.database.copyTo(backup)
  const given = await raise(first, 11, 40)
  await first.stop()
  const elsewhere = temporaryFolder()
  for (const place of [data, elsewhere]) {
    const folder = await DataFolder.open(place)
    const source = await BackupFile.open(backup)
    await restore(folder, source, new Date())
    await source.close()
    folder.release()
    const service = await startService({ data: place })
    assert.equal((await reported(service, restored)).length, 1)
    assert.deepEqual(await reported(service, older), [], 'one alarm is enough')
    const anew = await raise(service, 41, 50)
    assert(anew.every((id) => id > (given.at(-1) ?? 0n)))
    assert.match(await firstWord(service, 'desk'), /cannot be delivered|may be missing/)
    await service.stop()
  }
})

/** A store that was restored is reported at the first start, and never again. */
async function requireReportedOnce(data: string): Promise<void> {
  let given: bigint | undefined
  for (let start = 1; start <= 3; start += 1) {
    const service = await startService({ data })
    assert.equal((await reported(service, restored)).length, 1, `start ${start}`)
    assert.deepEqual(await reported(service, older), [], `start ${start}`)
    const [id = 0n] = await raise(service, 100 + start, 100 + start)
    // Nothing else is numbered in between, except the alarm about the restore.
    if (given !== undefined) assert.equal(id, given + 1n, `ids do not jump at start ${start}`)
    given = id
    await service.stop()
  }
}

async function restoreTo(data: string, backup: string): Promise<void> {
  const folder = await DataFolder.open(data)
  const source = await BackupFile.open(backup)
  await restore(folder, source, new Date())
  await source.close()
  folder.release()
}

test('restarts after a restore are not reported, however many starts and probes the store had before', async () => {
  const data = temporaryFolder()
  const first = await startService({ data })
  await raise(first, 1, 10)
  const backup = join(temporaryFolder(), 'b.db')
  await first.database.copyTo(backup)
  await first.stop()
  for (let start = 0; start < 4; start += 1) {
    const service = await startService({ data })
    for (let probe = 0; probe < 3; probe += 1) {
      assert.equal((await service.get('/health')).status, 200)
      await service.database.transaction((tx) => tx.run(probeSql))
    }
    await raise(service, 20 + start, 20 + start)
    await service.stop()
  }
  await restoreTo(data, backup)
  await requireReportedOnce(data)
})

test('a client that registered after the backup is told once that something may be missing', async () => {
  const data = temporaryFolder()
  const first = await startService({ data })
  await raise(first, 1, 3)
  const backup = join(temporaryFolder(), 'b.db')
  await first.database.copyTo(backup)
  await register(first, 'late')
  await first.stop()
  await restoreTo(data, backup)
  const service = await startService({ data })
  assert.match(
    await firstWord(service, 'late'),
    /Alarms may be missing: .* does not know this uuid\. A client that registers for the first time/,
  )
  const reader = await EventReader.open(service.url, 'type=11&uuid=late')
  await raise(service, 9001, 9001)
  await reader.take(1)
  assert.doesNotMatch(reader.documents.join(), /may be missing/)
  reader.close()
  const place = async () =>
    (await service.database.all("select connected from registration where uuid = 'late'"))[0]?.connected
  await until('it is away', async () => (await place()) === 0n)
  // As where the service ends before it has saved that the client was told.
  await service.database.transaction((tx) => tx.run("update registration set unsure = 1 where uuid = 'late'"))
  await raise(service, 9002, 9003)
  const again = await EventReader.open(service.url, 'type=11&uuid=late')
  await again.until(
    () => again.documents.join().includes('32473.9.9003'),
    'what was raised while it was away',
  )
  const text = again.documents.join()
  assert.match(text, /may be missing[\s\S]*32473\.9\.9002/, 'it is told again, and sent everything')
  again.close()
  await service.stop()
})

test('a backup of another store is reported once, whichever of the two has the higher identity', async () => {
  for (const [own, other] of [
    [1000, 2000],
    [2000, 1000],
  ] as const) {
    const places = [own, other].map(() => temporaryFolder())
    const backup = join(temporaryFolder(), 'b.db')
    for (const [index, identity] of [own, other].entries()) {
      const service = await startService({ data: places[index] ?? '' })
      await service.database.transaction((tx) => setCounter(tx, 'store', identity))
      await raise(service, 1, 10)
      if (index === 1) await service.database.copyTo(backup)
      await service.stop()
      // The identity that it was born with is not known any more.
      rmSync(join(places[index] ?? '', 'witness'))
      writeWitness(join(places[index] ?? '', 'witness'), identity)
    }
    await restoreTo(places[0] ?? '', backup)
    await requireReportedOnce(places[0] ?? '')
  }
})

/** As a service leaves it that never had another store. */
function writeWitness(file: string, identity: number): void {
  const witness = new HighWaterMark(file)
  witness.note(() => [['store', BigInt(identity)]])
  witness.close()
}

test('a copy of the whole folder that was put back is reported, and no id is given again', async () => {
  const data = temporaryFolder()
  const first = await startService({ data })
  await raise(first, 1, 10)
  await register(first, 'desk')
  await first.stop()
  const copy = join(temporaryFolder(), 'copy')
  cpSync(data, copy, { recursive: true, preserveTimestamps: true })
  const second = await startService({ data })
  const given = await raise(second, 11, 40)
  await second.stop()
  rmSync(data, { recursive: true })
  renameSync(copy, data)
  const third = await startService({ data })
  assert.match((await reported(third, older))[0] ?? '', /^The store came from elsewhere/)
  const anew = await raise(third, 41, 50)
  assert(anew.every((id) => id > (given.at(-1) ?? 0n)))
  assert.match(await firstWord(third, 'desk'), /cannot be delivered|may be missing/)
  await third.stop()
  const fourth = await startService({ data })
  assert.equal((await reported(fourth, older)).length, 1, 'it is reported once')
  await fourth.stop()
})

test('a store that came without its witness is reported; a folder that was renamed is not', async () => {
  const data = temporaryFolder()
  const first = await startService({ data })
  await raise(first, 1, 3)
  await first.stop()
  const whole = join(temporaryFolder(), 'whole')
  renameSync(data, whole)
  const moved = await startService({ data: whole })
  assert.deepEqual(await reported(moved, older), [])
  await moved.stop()
  rmSync(join(whole, 'witness'))
  const alone = await startService({ data: whole })
  assert.match((await reported(alone, older))[0] ?? '', /^The store came from elsewhere/)
  assert((await raise(alone, 4, 4)).every((id) => id > 1_000_000n))
  await alone.stop()
})

test('a witness that is torn, or partly garbage, is used as far as it can be read', async () => {
  const file = join(temporaryFolder(), 'witness')
  const first = new HighWaterMark(file)
  first.note(() => [['alarm', 5n]])
  await until('it is written without a close', () => readFileSync(file).includes('"5"'))
  first.note(() => [['alarm', 6n]])
  await until('it is written again', () => readFileSync(file).includes('"6"'))
  first.note(() => [['alarm', 4n]])
  first.close()
  const second = new HighWaterMark(file)
  assert.equal(second.seen.get('alarm'), 6n)
  second.note(() => [['alarm', 7n]])
  second.close()
  const bytes = readFileSync(file)
  const newest = bytes.indexOf('"7"')
  assert(newest > 0)
  bytes[newest + 1] = 0x39
  writeFileSync(file, bytes)
  const torn = new HighWaterMark(file)
  assert.equal(torn.seen.get('alarm'), 6n)
  torn.close()
  truncateSync(file, 10)
  const empty = new HighWaterMark(file)
  assert.equal(empty.seen.size, 0)
  empty.close()
})

test('a witness that cannot be opened is reported by its name', () => {
  const file = join(temporaryFolder(), 'plain')
  writeFileSync(file, '')
  // Nothing can be opened below a file, not even by root.
  const beyond = join(file, 'witness')
  const isTold = (error: unknown) =>
    error instanceof Fault && error.message.startsWith(`${beyond} cannot be opened: ENOTDIR`)
  assert.throws(() => new HighWaterMark(beyond), isTold)
})
