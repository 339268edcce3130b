// An older program beside this one, and this one killed in the middle of a migration, on both stores: the store stays
// what it was or becomes what it is to be, the older program stops with a sentence, and nothing is lost.

import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Migration, readMigrations } from '../../src/store/migrate.ts'
import { type Otherwise, type ServiceProcess, startProcess } from '../acceptance/process.ts'
import { device, inform, until } from '../intake/sending.ts'
import { record, rounds } from '../outcome.ts'
import { temporaryFolder, texts } from '../support.ts'
import { Cluster, withoutDebianPostgres } from './cluster.ts'
import { unpackOldProgram, withoutHistory } from './old-program.ts'

const options = { timeout: 300_000 + rounds * 240_000, ...withoutHistory }
/** The last number of a migration that the older program knows. */
const lastKnown = 65
const newer = readMigrations().filter(({ number }) => number > lastKnown)
const first = newer[0] ?? assert.fail('there is no newer migration')

/** Informs with numbers of their own, sent again until they are answered. */
class Sender {
  #next = 1
  readonly answered: number[] = []

  /** Milliseconds until all of some new ones were answered. */
  async send(service: ServiceProcess, many: number): Promise<number> {
    const began = performance.now()
    const router = await device(service.trapPort)
    const wanted = Array.from({ length: many }, () => this.#next++)
    const missing = () => {
      const heard = new Set(router.answers().map(({ requestId }) => requestId))
      return wanted.filter((index) => !heard.has(index))
    }
    let sentAt = Number.NEGATIVE_INFINITY
    await until('all informs are answered', async () => {
      if (performance.now() - sentAt > 3000) {
        sentAt = performance.now()
        for (const index of missing()) await router.send(inform(index))
      }
      return missing().length === 0
    })
    this.answered.push(...wanted)
    return performance.now() - began
  }

  /** All that was answered is there, once, in the order in which it came. */
  async requireKept(service: ServiceProcess): Promise<void> {
    const { text } = await service.get('/fault/alarm?size=100000')
    const found = texts(text, 'paras').map((paras) => Number(paras.split('=')[1]))
    const informs = found.filter((index) => this.answered.includes(index))
    const lost = this.answered.filter((index) => !informs.includes(index))
    const doubled = informs.length - new Set(informs).size
    const repeated = texts(text, 'repeats').filter((times) => Number(times) > 1).length
    record({ lost: lost.length, doubled: doubled + repeated })
    assert.deepEqual(lost, [])
    assert.equal(doubled + repeated, 0)
  }
}

async function requireHealthy(service: ServiceProcess): Promise<void> {
  await until('it is healthy', async () => (await service.get('/health')).status === 200)
}

/** What a process that was to stop has said, once it has. */
function lastWords(service: ServiceProcess): Promise<string> {
  let said = ''
  service.child.stdout?.on('data', (chunk) => {
    said += chunk
  })
  service.child.stderr?.on('data', (chunk) => {
    said += chunk
  })
  return once(service.child, 'exit').then(() => said)
}

const sentence = /newer (one: at least version 0\.2\.0 is needed|version \(it has migration )/

test(`PostgreSQL, ${rounds} times: this program is killed in the middle of a migration while older nodes run, which go on; then it migrates, and they stop with a sentence`, {
  ...options,
  skip: options.skip || withoutDebianPostgres.skip,
}, async () => {
  const program = unpackOldProgram()
  const cluster = await Cluster.make()
  for (let round = 1; round <= rounds; round += 1) {
    await cluster.ask('drop database belfry')
    await cluster.ask('create database belfry')
    const store = cluster.address()
    const old = async (node: string) =>
      startProcess(temporaryFolder(), { node, store, 'lease-seconds': '2', ...unlimited }, { program })
    const [a, b] = [await old('a'), await old('b')]
    const sender = new Sender()
    await sender.send(a, 20)
    const release = await holdInside(cluster, first.number)
    const settings = { node: 'c', store, 'lease-seconds': '2', ...unlimited }
    const data = temporaryFolder()
    let child: ChildProcess | undefined
    const onSpawn = (spawned: ChildProcess) => {
      child = spawned
    }
    const starting = assert.rejects(startProcess(data, settings, { onSpawn }), /it ended/)
    await release.whenHeld()
    child?.kill('SIGKILL')
    await starting
    await release.end()
    record({ pause: await sender.send(b, 20) })
    for (const node of [a, b]) await requireHealthy(node)
    const [last] = await cluster.ask('select max(number) as number from migration', 'belfry')
    assert.equal(Number(last?.number), lastKnown, 'the migration was undone')
    const words = [lastWords(a), lastWords(b)]
    const c = await startProcess(data, settings)
    record({ pause: await sender.send(c, 20) })
    for (const said of await Promise.all(words)) assert.match(said, sentence)
    await assert.rejects(old('a'), sentence)
    await requireHealthy(c)
    await sender.requireKept(c)
    await c.kill()
    record({ rounds: 1 })
  }
})

const unlimited = { 'storm-source': '0', 'open-alarms-device': '100000' }

/** Holds a migration after its first change of a table, before it is committed. */
async function holdInside(cluster: Cluster, number: number) {
  const lock = await cluster.connect('belfry')
  await lock.query('select pg_advisory_lock(77)')
  await lock.query(`
    create function hold() returns event_trigger language plpgsql as $$
    begin
      if exists (select from migration where number = ${number}) then perform pg_advisory_xact_lock(77); end if;
    end $$;
    create event trigger hold on ddl_command_end execute function hold()`)
  const waiting = async () =>
    (
      await cluster.ask(
        "select pid from pg_locks where locktype = 'advisory' and objid = 77 and not granted",
        'belfry',
      )
    ).length > 0
  return {
    whenHeld: () => until('the migration is in its middle', waiting, 120),
    async end() {
      await lock.query('select pg_advisory_unlock(77)')
      await until('its session is gone', async () => !(await waiting()))
      await lock.query('drop event trigger hold; drop function hold()')
      await lock.end()
    },
  }
}

/** A module that ends the process in the middle of a migration: its statements are done, and it is not committed. */
const killing = ({ script }: Migration) => `
import { DatabaseSync } from 'node:sqlite'
const { exec } = DatabaseSync.prototype
DatabaseSync.prototype.exec = function (sql) {
  const result = exec.call(this, sql)
  if (sql.includes(${JSON.stringify(script.split('\n', 1)[0])})) process.kill(process.pid, 'SIGKILL')
  return result
}
`

test(
  `SQLite, ${rounds} times: this program is killed in the middle of a migration; the older one goes on, then this one migrates, and the older one is refused with a sentence`,
  options,
  async () => {
    const program = unpackOldProgram()
    for (let round = 1; round <= rounds; round += 1) {
      const data = temporaryFolder()
      const sender = new Sender()
      const old: Otherwise = { program }
      const before = await startProcess(data, unlimited, old)
      await sender.send(before, 20)
      await before.kill()
      const reached = newer[(round - 1) % newer.length] ?? first
      const module = join(temporaryFolder(), 'killing.mjs')
      writeFileSync(module, killing(reached))
      await assert.rejects(
        startProcess(data, unlimited, { environment: { NODE_OPTIONS: `--import ${module}` } }),
        /it ended/,
      )
      if (reached === first) {
        // Nothing of it was committed: the older program finds what it left.
        const again = await startProcess(data, unlimited, old)
        await sender.send(again, 20)
        await again.kill()
      }
      const now = await startProcess(data, unlimited)
      record({ pause: await sender.send(now, 20) })
      await requireHealthy(now)
      await sender.requireKept(now)
      await now.kill()
      await assert.rejects(startProcess(data, unlimited, old), sentence)
      record({ rounds: 1 })
    }
  },
)
