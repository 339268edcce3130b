// PostgreSQL, or the service, is killed, sessions are ended, and the disk is full, while 32 callers write: nothing that was
// answered is lost, what was pushed is there, no request is half done, everybody gets an answer, and all goes on by itself.

import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Service, serve, stop } from '../cli/running.ts'
import { until } from '../intake/sending.ts'
import { rounds } from '../outcome.ts'
import { Callers, Follower, limits, requireKept } from '../store/many-callers.ts'
import { fillDisk, smallDisk } from '../store/small-disk.ts'
import { sendRequest, temporaryFolder, testKeyFile } from '../support.ts'
import { Cluster, withoutDebianPostgres } from './cluster.ts'

const options = { timeout: 120_000 + rounds * 120_000, ...withoutDebianPostgres }

const started = (cluster: Cluster) =>
  serve([
    ...['--data', temporaryFolder(), '--store', cluster.address()],
    ...['--key-file', testKeyFile(), '--node', 'a', ...limits],
  ])

const enough = (callers: Callers, count: number) =>
  until('enough is answered', async () => callers.answered.length > count)

/** Breaks something again and again under one service, which goes on by itself each time. */
async function goThrough(service: Service, cause: () => Promise<void> | void): Promise<void> {
  const follower = new Follower(service)
  const callers = new Callers(service, 'one')
  for (let round = 1; round <= rounds; round += 1) {
    await enough(callers, callers.answered.length + 40)
    await cause()
  }
  await enough(callers, callers.answered.length + 40)
  await callers.stop()
  await until(
    'it is healthy',
    async () => (await sendRequest(service.url, 'GET', '/health', {})).status === 200,
  )
  follower.stop()
  await requireKept(service, callers.answered, follower.pushed)
  await stop(service)
}

test('the service is killed while 32 callers write', options, async () => {
  const cluster = await Cluster.make()
  const answered: string[] = []
  const pushed = new Set<string>()
  for (let round = 1; round <= rounds; round += 1) {
    const service = await started(cluster)
    const follower = new Follower(service)
    const callers = new Callers(service, `round ${round}`)
    await enough(callers, 40 * round)
    service.signal('SIGKILL')
    await service.ended
    await callers.stop()
    follower.stop()
    answered.push(...callers.answered)
    for (const resource of follower.pushed) pushed.add(resource)
  }
  assert(pushed.size > 0, 'something was pushed')
  const service = await started(cluster)
  await requireKept(service, answered, pushed)
  await stop(service)
})

test('PostgreSQL loses its power while 32 callers write', options, async () => {
  const cluster = await Cluster.make()
  await goThrough(await started(cluster), () => {
    cluster.stop('immediate')
    cluster.start()
  })
})

test('an administrator ends all sessions while 32 callers write', options, async () => {
  const cluster = await Cluster.make()
  await goThrough(await started(cluster), async () => {
    await cluster.ask("select pg_terminate_backend(pid) from pg_stat_activity where datname = 'belfry'")
  })
})

test('the disk of its journal fills up while 32 callers write', options, async (context: TestContext) => {
  const disk = smallDisk(context, 100)
  if (disk === undefined) return
  const settings = { wal_recycle: 'off', min_wal_size: '2MB', max_wal_size: '32MB' }
  const cluster = await Cluster.make(settings, { wal: join(disk, 'wal') })
  try {
    const service = await started(cluster)
    await goThrough(service, async () => {
      const ballast = fillDisk(disk, 200_000)
      await until(
        '/health reports it',
        async () => (await sendRequest(service.url, 'GET', '/health', {})).status === 503,
      )
      rmSync(ballast)
      // A server that could not write its journal has ended.
      cluster.restart('primary')
    })
  } finally {
    // Before its disk is gone.
    cluster.stop()
  }
})
