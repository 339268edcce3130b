// Clocks that are wrong: of a node that is the leader, ahead and behind, and of the store itself, which jumps while nodes run.

import assert from 'node:assert/strict'
import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Durable } from '../acceptance/crowd.ts'
import { type ServiceProcess, startProcess } from '../acceptance/process.ts'
import { device, inform, until } from '../intake/sending.ts'
import { record, rounds } from '../outcome.ts'
import { sendRequest, temporaryFolder } from '../support.ts'
import { Cluster, withoutDebianPostgres } from './cluster.ts'
import { UnderLoad } from './under-load.ts'

const library = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`)
  .find(existsSync)
const missing =
  library === undefined && process.env.CI !== 'true' && 'install the Debian package faketime for this'
const options = {
  timeout: 300_000 + rounds * 240_000,
  skip: missing || withoutDebianPostgres.skip,
}

/** The environment of a process whose time of day is another one; monotonic clocks stay as they are. */
const shifted = (by: string) => ({
  LD_PRELOAD: library ?? '',
  FAKETIME: by,
  DONT_FAKE_MONOTONIC: '1',
})

/** The same, where the time of day can be set while it runs. */
class SetTime {
  readonly #file: string

  constructor() {
    const folder = temporaryFolder()
    // PostgreSQL runs as another user.
    chmodSync(folder, 0o755)
    this.#file = join(folder, 'time')
    this.set('+0')
  }

  get environment(): Record<string, string> {
    const { FAKETIME: _, ...rest } = shifted('')
    return { ...rest, FAKETIME_TIMESTAMP_FILE: this.#file, FAKETIME_NO_CACHE: '1' }
  }

  set(by: string): void {
    writeFileSync(this.#file, by, { mode: 0o644 })
  }
}

const day = 24 * 3600 * 1000
const keepDays = { 'keep-log-days': '7', 'keep-registrations-days': '7' }

async function wrongHealth(load: UnderLoad): Promise<number> {
  const answers = await Promise.all(
    load.nodes.filter(({ isUp }) => isUp).map(({ process }) => process.get('/health')),
  )
  return answers.filter(({ status }) => status !== 200).length
}

test(
  `a node that is eight days ahead is the leader, and one that is eight days behind receives, ${rounds} times: nothing is deleted that is not old, and all times are those of the store`,
  options,
  async (context) => {
    for (let round = 1; round <= rounds; round += 1) {
      const cluster = await Cluster.make()
      const began = Date.now()
      const load = await UnderLoad.start(cluster, undefined, {
        settings: keepDays,
        environmentOf: (name) => (name === 'a' ? shifted('+8d') : {}),
      })
      // It is the first, and was alone for one lease time.
      const ahead = load.node('a')
      assert.equal((await load.leader()).name, 'a')
      // It is removed by the same pass that would remove what looks old.
      await cluster.ask(oldRegistration, 'belfry')
      const isSwept = async () =>
        (await cluster.ask("select 1 from registration where uuid = 'old'", 'belfry')).length === 0
      await until('a pass of retention is over', isSwept, 120)
      assert.equal((await load.leader()).name, 'a', 'it was the one that is ahead')
      record({ wrongHealth: await wrongHealth(load) })
      await load.kill(ahead)
      const took = await load.untilAnswered(100)
      await load.requireWithin(10, took)
      assert.notEqual((await load.leader()).name, 'a')
      await load.startAgain(ahead, undefined, shifted('-8d'))
      await load.untilAnswered(200)
      assert.notEqual(
        (await load.leader()).name,
        'a',
        'one that is behind does not take the lease from others',
      )
      context.diagnostic(await load.requireKept())
      for (const column of ['alarm.fault_time', 'alarm_log.at', 'trap.received_time']) {
        const [table, name] = column.split('.')
        const [row] = await cluster.ask(
          `select min(${name}) as first, max(${name}) as last from ${table}`,
          'belfry',
        )
        assert.ok(Number(row?.first) > began - day && Number(row?.last) < Date.now() + day, column)
      }
      const [log] = await cluster.ask('select min(number) as first from alarm_log', 'belfry')
      assert.equal(Number(log?.first), 1, 'the log has all of it')
      for (const node of load.nodes) await load.kill(node)
      cluster.stop()
      record({ rounds: 1 })
    }
  },
)

const oldRegistration =
  "insert into registration (uuid, owner, query, cursor, position, connected, created_at, last_seen, last_write, expired) values ('old', 'x', '', 0, 0, 0, 0, 1, 0, 1)"

/** The server runs in that time; this process, and what else it starts, does not. */
async function clusterIn(time: SetTime): Promise<Cluster> {
  const cluster = await Cluster.make()
  cluster.stop('fast')
  const { environment } = time
  Object.assign(process.env, environment)
  cluster.start()
  for (const name of Object.keys(environment)) delete process.env[name]
  return cluster
}

async function clockOf(service: ServiceProcess): Promise<{ deletesByAge: string; reason: string }> {
  return (await service.get('/plat/clock', { Accept: 'application/json' })).json() as never
}

/** Jumps, and waits until it is told, or over. */
async function untilDoubted(service: ServiceProcess, isDoubted: boolean, reason = /^/): Promise<void> {
  const alarms = async () => {
    const { alarm = [] } = (
      await service.get('/fault/alarm?recStatus=0&faultOid=1.3.6.1.4.1.32473.1.36', {
        Accept: 'application/json',
      })
    ).json()
    return (alarm as unknown[]).length
  }
  await until(isDoubted ? 'the clock is in doubt' : 'the clock is right again', async () => {
    const shown = await clockOf(service)
    return (
      shown.deletesByAge === String(!isDoubted) &&
      reason.test(shown.reason) &&
      (await alarms()) === (isDoubted ? 1 : 0)
    )
  })
}

const alarmsTo = ({ connections }: Durable) =>
  connections.map(({ received }) => received.filter((one) => one.kind === 'alarm'))

/** The alarms that a client was sent. */
const idsOf = (client: Durable) => new Set(alarmsTo(client).flatMap((sent) => sent.map(({ id }) => id)))

/** How many entries came to a client after a later one. */
const outOfOrder = (client: Durable) =>
  alarmsTo(client)
    .map((sent) => sent.map(({ position }) => Number(position.split(':')[1])))
    .flatMap((numbers) => numbers.filter((number, at) => at > 0 && number <= (numbers[at - 1] ?? 0))).length

for (const store of ['SQLite', 'PostgreSQL'] as const) {
  test(
    `the clock of ${store} jumps eight days ahead and back, and ahead again, ${rounds} times: nothing is deleted because of its age until it is back, or confirmed`,
    options,
    async () => {
      const time = new SetTime()
      const cluster = store === 'SQLite' ? undefined : await clusterIn(time)
      const service = cluster
        ? await startProcess(temporaryFolder(), { node: 'a', store: cluster.address(), 'lease-seconds': '2' })
        : await startProcess(temporaryFolder(), {}, { environment: time.environment })
      const sender = await device(service.trapPort)
      const answered = async () => {
        const before = sender.answers().length
        const sent = performance.now()
        await sender.send(inform(before + 1))
        await until('an inform is answered', () => sender.answers().length > before)
        record({ pause: performance.now() - sent })
      }
      const client = new Durable('follower', { url: service.url })
      await client.start()
      await answered()
      for (let round = 1; round <= rounds; round += 1) {
        time.set('+8d')
        await untilDoubted(service, true, /jumped 8\.0 days ahead/)
        await answered()
        time.set('+0')
        await untilDoubted(service, false)
        await answered()
        time.set('+8d')
        await untilDoubted(service, true, /jumped 8\.0 days ahead/)
        const confirmed = await sendRequest(service.url, 'PUT', '/plat/clock/confirm', {})
        assert.equal(confirmed.status, 204, confirmed.text)
        await untilDoubted(service, false)
        await answered()
        // Back again, which is another jump.
        time.set('+0')
        await untilDoubted(service, true, /jumped 8\.0 days back/)
        assert.equal((await sendRequest(service.url, 'PUT', '/plat/clock/confirm', {})).status, 204)
        await untilDoubted(service, false)
        const health = (await service.get('/health')).status
        record({ rounds: 1, wrongHealth: health === 200 ? 0 : 1 })
        assert.equal(health, 200)
      }
      const { alarm = [] } = (
        await service.get('/fault/alarm?size=1000', { Accept: 'application/json' })
      ).json()
      const kept = (alarm as { paras?: string }[]).filter(({ paras }) => paras?.includes('ifIndex'))
      record({ lost: sender.answers().length - kept.length })
      assert.equal(kept.length, sender.answers().length)
      // The first one was answered after it had connected, and it stayed connected.
      await until('the client has them', () => idsOf(client).size >= kept.length)
      const unordered = outOfOrder(client)
      record({ unordered })
      assert.equal(unordered, 0)
      assert.equal(client.connections.length, 1)
      await client.stop()
      await service.kill()
    },
  )
}
