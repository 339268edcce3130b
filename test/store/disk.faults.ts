// Disks that fill up and disks that fail, under a running service: it reports it once, in the log, at /health and by an
// alarm; keeps what it answered; goes on by itself where it can, and ends where it must.

import assert from 'node:assert/strict'
import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readNote } from '../../src/store/data-folder.ts'
import { belfry, fail, type Service, serve, stop } from '../cli/running.ts'
import { until } from '../intake/sending.ts'
import { record } from '../outcome.ts'
import { sendRequest, temporaryFolder } from '../support.ts'
import { inject, withoutInjecting } from './injecting.ts'
import { smallDisk } from './small-disk.ts'

const failing = '1.3.6.1.4.1.32473.1.21'
const timeout = 360_000

async function started(data: string): Promise<Service & { pid: number; file: string }> {
  const service = await serve(['--data', data])
  await service.logged('"receiving traps"')
  const note = readNote(data)
  assert.ok(typeof note === 'object', 'it left no note')
  return { ...service, pid: note.pid, file: join(data, 'belfry.db') }
}

const health = async ({ url }: Service) => (await sendRequest(url, 'GET', '/health', {})).status

async function createZone({ url }: Service, name: string): Promise<number> {
  const body = JSON.stringify({ name, description: 'x'.repeat(900) })
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json' }
  return (await sendRequest(url, 'POST', '/ram/zone', { headers, body })).status
}

/** Creates zones, some at once; returns the names of those that were answered with 201. */
async function createZones(service: Service, prefix: string, count: number): Promise<string[]> {
  const kept: string[] = []
  let next = 0
  const worker = async () => {
    while (next < count) {
      const name = `${prefix} ${next++}`
      if ((await createZone(service, name).catch(() => 0)) === 201) kept.push(name)
    }
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  return kept
}

async function requireHealth(service: Service, expected: number): Promise<void> {
  const status = await health(service)
  record({ wrongHealth: status === expected ? 0 : 1 })
  assert.equal(status, expected)
}

async function requireZones({ url }: Service, names: readonly string[]): Promise<void> {
  const { text } = await sendRequest(url, 'GET', '/ram/zone?size=1000', {
    headers: { Accept: 'application/json' },
  })
  const lost = names.filter((name) => !text.includes(`"${name}"`))
  record({ rounds: 1, lost: lost.length })
  assert.deepEqual(lost, [], 'they were answered, and are gone')
}

async function alarms({ url }: Service): Promise<{ recStatus: string; alarmDesc: string }[]> {
  const path = `/fault/alarm?faultOid=${failing}&size=10`
  const answer = await sendRequest(url, 'GET', path, { headers: { Accept: 'application/json' } })
  return (answer.json() as { alarm: { recStatus: string; alarmDesc: string }[] }).alarm
}

const open = async (service: Service) => (await alarms(service)).filter(({ recStatus }) => recStatus === '0')

/** How often the log says that something fails. */
const complaints = ({ said }: Service) =>
  said.stderr.split('\n').filter((line) => /"level":[456]0/.test(line) && !line.includes('receive buffer'))

test('a full disk is reported by /health, and when there is room again all is well', {
  timeout,
}, async (t) => {
  const disk = smallDisk(t, 24)
  if (disk === undefined) return
  const service = await started(join(disk, 'data'))
  assert.equal(await health(service), 200)
  const { bavail, bsize } = statfsSync(disk)
  writeFileSync(join(disk, 'ballast'), Buffer.alloc(bavail * bsize - 1_000_000))
  let kept = 0
  while ((await createZone(service, `zone ${kept}`)) === 201) kept += 1
  await requireHealth(service, 503)
  for (let n = 0; n < 200; n += 1) await createZone(service, `more ${n}`)
  await requireHealth(service, 503)
  assert.equal(complaints(service).length, 1, complaints(service).join('\n'))
  rmSync(join(disk, 'ballast'))
  await until('it is ready', async () => (await health(service)) === 200)
  assert.equal(await createZone(service, 'after'), 201)
  await until('no alarm is open', async () => (await open(service)).length === 0)
  await requireZones(
    service,
    Array.from({ length: kept }, (_, n) => `zone ${n}`),
  )
  await stop(service)
})

test('a start on a full disk reports it in a sentence, after whatever stop, and changes nothing', {
  timeout,
}, async (t) => {
  const disk = smallDisk(t, 24)
  if (disk === undefined) return
  const data = join(disk, 'data')
  const ballast = join(disk, 'ballast')
  const fill = () => {
    const { bavail, bsize } = statfsSync(disk)
    writeFileSync(ballast, Buffer.alloc(bavail * bsize))
  }
  const starting = ['serve', '--listen', '127.0.0.1:0', '--traps', '127.0.0.1:0', '--data', data]
  const first = await started(data)
  const kept = await createZones(first, 'zone', 20)
  await stop(first)
  fill()
  assert.match(await fail(1, starting), /the disk is full/)
  rmSync(ballast)
  const second = await started(data)
  kept.push(...(await createZones(second, 'more', 20)))
  second.signal('SIGKILL')
  await second.ended
  fill()
  const { code, stderr } = await belfry(starting)
  assert.equal(code, 1, stderr)
  assert.match(stderr, /\nbelfry: .*(the disk is full|ENOSPC)[^\n]*\n$/)
  assert.doesNotMatch(stderr, /\n {4}at /)
  rmSync(ballast)
  const third = await started(data)
  await requireZones(third, kept)
  await stop(third)
})

for (const error of ['EIO', 'ENOSPC'] as const) {
  test(`${error} during a checkpoint is reported once, by an alarm too, and is over when it works again`, {
    ...withoutInjecting,
    timeout,
  }, async () => {
    const data = temporaryFolder()
    const service = await started(data)
    const endInjecting = await inject(service.pid, service.file, error, 'pwrite64')
    const kept = await createZones(service, 'zone', 300)
    assert.equal(kept.length, 300, 'commits go to the journal, and are kept')
    await until('/health reports it', async () => (await health(service)) === 503)
    await until('an alarm reports it', async () => (await open(service)).length === 1)
    assert.match(
      (await open(service))[0]?.alarmDesc ?? '',
      /^The store fails: the journal cannot be worked off/,
    )
    for (let n = 0; n < 50; n += 1) await health(service)
    assert.equal(complaints(service).length, 1, complaints(service).join('\n'))
    await endInjecting()
    await until('it is ready', async () => (await health(service)) === 200)
    await until('the alarm is over', async () => (await open(service)).length === 0)
    await service.logged('the store works again')
    await requireZones(service, kept)
    await stop(service)
  })
}

test('a disk that keeps failing during checkpoints ends the service; nothing answered is lost', {
  ...withoutInjecting,
  timeout,
}, async () => {
  const data = temporaryFolder()
  const service = await started(data)
  const endInjecting = await inject(service.pid, service.file, 'EIO', 'pwrite64')
  const kept = await createZones(service, 'zone', 300)
  const { code, stderr } = await service.ended
  await endInjecting()
  assert.equal(code, 1)
  assert.match(stderr, /belfry: the journal cannot be worked off: the disk failed/)
  assert.equal(complaints(service).length, 2, 'when it began, and when it ended')
  const again = await started(data)
  await requireZones(again, kept)
  await stop(again)
})

test('a disk that stays full for the store alone stops writing, not the service', {
  ...withoutInjecting,
  timeout,
}, async () => {
  const data = temporaryFolder()
  const service = await started(data)
  const endInjecting = await inject(service.pid, service.file, 'ENOSPC', 'pwrite64')
  const kept = await createZones(service, 'zone', 300)
  const refused = async () => {
    await sleep(200)
    return (await createZone(service, `one ${performance.now()}`)) === 503
  }
  await until('writing is refused', refused)
  await requireHealth(service, 503)
  await endInjecting()
  await until('it is ready', async () => (await health(service)) === 200)
  assert.equal(await createZone(service, 'after'), 201)
  await requireZones(service, [...kept, 'after'])
  await stop(service)
})

test('a store that cannot be flushed during a checkpoint ends the service at once; nothing answered is lost', {
  ...withoutInjecting,
  timeout,
}, async () => {
  const data = temporaryFolder()
  const service = await started(data)
  const endInjecting = await inject(service.pid, service.file, 'EIO', 'fdatasync', 'fsync')
  const kept = await createZones(service, 'zone', 300)
  const { code, stderr } = await service.ended
  await endInjecting()
  assert.equal(code, 1)
  assert.match(stderr, /belfry: the journal cannot be worked off: the disk failed/)
  const [began, ended] = complaints(service).map((line) => JSON.parse(line).time)
  assert.ok(ended - began < 1000, `${began} ${ended}`)
  const again = await started(data)
  await requireZones(again, kept)
  await stop(again)
})

test('a journal that cannot be flushed ends the service at once; nothing answered is lost', {
  ...withoutInjecting,
  timeout,
}, async () => {
  const data = temporaryFolder()
  const service = await started(data)
  const before = await createZones(service, 'before', 20)
  const endInjecting = await inject(service.pid, `${service.file}-wal`, 'EIO', 'fdatasync', 'fsync')
  const meanwhile = await createZones(service, 'meanwhile', 20)
  const { code, stderr } = await service.ended
  await endInjecting()
  assert.deepEqual([code, meanwhile], [1, []])
  assert.match(stderr, /belfry: the disk failed/)
  const again = await started(data)
  await requireZones(again, before)
  await stop(again)
})

test('what cannot be read is one line and a service that is not ready, until it can be read again', {
  ...withoutInjecting,
  timeout,
}, async () => {
  const data = temporaryFolder()
  const first = await started(data)
  const kept = await createZones(first, 'zone', 300)
  await stop(first)
  const service = await started(data)
  const endInjecting = await inject(service.pid, service.file, 'EIO', 'pread64')
  const list = () => sendRequest(service.url, 'GET', `/ram/zone?size=1000`, {})
  await until('a list cannot be read', async () => (await list().catch(() => ({ status: 0 }))).status !== 200)
  await until('/health reports it', async () => (await health(service)) === 503)
  for (let n = 0; n < 100; n += 1) await list().catch(() => undefined)
  assert(complaints(service).length <= 2, complaints(service).join('\n'))
  await endInjecting()
  await until('it is ready', async () => (await health(service)) === 200)
  await requireZones(service, kept)
  await stop(service)
})
