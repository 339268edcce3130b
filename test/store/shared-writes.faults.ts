// A service that is killed, or whose disk fails or is full, while 32 callers write: nothing that was answered is lost, what
// was pushed is there, and no request is half done.

import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readNote } from '../../src/store/data-folder.ts'
import { type Service, serve, stop } from '../cli/running.ts'
import { until } from '../intake/sending.ts'
import { sendRequest, temporaryFolder } from '../support.ts'
import { inject, withoutInjecting } from './injecting.ts'
import { Callers, Follower, limits, requireKept } from './many-callers.ts'
import { fillDisk, smallDisk } from './small-disk.ts'

const timeout = 360_000
async function started(data: string): Promise<Service & { pid: number; file: string }> {
  const service = await serve(['--data', data, ...limits])
  await service.logged('"receiving traps"')
  const note = readNote(data)
  assert.ok(typeof note === 'object', 'it left no note')
  return { ...service, pid: note.pid, file: join(data, 'belfry.db') }
}

test('kill -9 while 32 callers write, again and again', { timeout }, async () => {
  const data = temporaryFolder()
  const answered: string[] = []
  const pushed = new Set<string>()
  for (let round = 0; round < 5; round += 1) {
    const service = await started(data)
    const follower = new Follower(service)
    const working = new Callers(service, `round ${round}`)
    await until('enough is answered', async () => working.answered.length > 40 * (round + 1))
    service.signal('SIGKILL')
    await service.ended
    await working.stop()
    follower.stop()
    assert(follower.pushed.size > 0, 'something was pushed')
    answered.push(...working.answered)
    for (const resource of follower.pushed) pushed.add(resource)
  }
  const after = await started(data)
  await requireKept(after, answered, pushed)
  await stop(after)
})

test('EIO on a flush of the journal while 32 callers write ends the service; nobody is answered after it', {
  ...withoutInjecting,
  timeout,
}, async () => {
  const data = temporaryFolder()
  const service = await started(data)
  const follower = new Follower(service)
  const working = new Callers(service, 'one')
  await until('enough is answered', async () => working.answered.length > 100)
  const endInjecting = await inject(service.pid, `${service.file}-wal`, 'EIO', 'fdatasync', 'fsync')
  const { code, stderr } = await service.ended
  await endInjecting()
  await working.stop()
  follower.stop()
  assert.equal(code, 1)
  assert.match(stderr, /belfry: the disk failed/)
  const again = await started(data)
  await requireKept(again, working.answered, follower.pushed)
  await stop(again)
})

test('a disk that fills up while 32 callers write refuses them, and takes more when there is room', {
  timeout,
}, async (t) => {
  const disk = smallDisk(t, 40)
  if (disk === undefined) return
  const service = await started(join(disk, 'data'))
  const follower = new Follower(service)
  const working = new Callers(service, 'full')
  await until('something is answered', async () => working.answered.length > 20)
  const ballast = fillDisk(disk, 1_000_000)
  await until(
    '/health reports it',
    async () => (await sendRequest(service.url, 'GET', '/health', {})).status === 503,
  )
  rmSync(ballast)
  const before = working.answered.length
  await until('more is answered', async () => working.answered.length > before + 20)
  await working.stop()
  follower.stop()
  await requireKept(service, working.answered, follower.pushed)
  await stop(service)
})
