// An older program beside this one, which adopts its store; and a newer one killed in the middle of a migration, on both
// stores: the store stays what it was or becomes what it is to be, older programs stop with a sentence, and nothing is
// lost.

import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type ServiceProcess, startProcess } from '../acceptance/process.ts'
import { device, inform, until } from '../intake/sending.ts'
import { record, rounds } from '../outcome.ts'
import { temporaryFolder, testKeyFile, texts } from '../support.ts'
import { Cluster, withoutDebianPostgres } from './cluster.ts'
import { copyWith, unpackOldProgram, withoutHistory } from './old-program.ts'

const options = { timeout: 300_000 + rounds * 240_000, ...withoutHistory }
/** What the newer program has beyond this one. It names no version that may go on beside it. */
const added = {
  number: 9999,
  name: '9999-dreams.sql',
  script:
    "create table dream (id bigint primary key);\nalter table zone add column dreams text not null default '';\n",
}

/** The last migration of this program. */
const newest = Math.max(
  ...readdirSync(new URL('../../migrations/', import.meta.url)).map((name) => Number.parseInt(name, 10)),
)

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

const sentence = /newer version \(it has migration 9999-dreams/

test(`PostgreSQL, ${rounds} times: this program adopts the store of older nodes, which go on; a newer one is killed in the middle of a migration, and all go on; then it migrates, and they stop with a sentence`, {
  ...options,
  skip: options.skip || withoutDebianPostgres.skip,
}, async () => {
  const [program, newer] = [unpackOldProgram(), copyWith(added)]
  const cluster = await Cluster.make()
  for (let round = 1; round <= rounds; round += 1) {
    await cluster.ask('drop database belfry')
    await cluster.ask('create database belfry')
    const shared = { store: cluster.address(), 'key-file': testKeyFile(), 'lease-seconds': '2', ...unlimited }
    const settings = (node: string) => ({ node, ...shared })
    const old = (node: string, data = temporaryFolder()) => startProcess(data, settings(node), { program })
    const oldData = temporaryFolder()
    const a = await old('a', oldData)
    const sender = new Sender()
    await sender.send(a, 20)
    const b = await startProcess(temporaryFolder(), settings('b'))
    for (const node of [a, b]) record({ pause: await sender.send(node, 20) })
    await a.kill()
    const again = await old('a', oldData)
    for (const node of [again, b]) await sender.send(node, 20)
    const release = await holdInside(cluster)
    const data = temporaryFolder()
    let child: ChildProcess | undefined
    const onSpawn = (spawned: ChildProcess) => {
      child = spawned
    }
    const starting = assert.rejects(
      startProcess(data, settings('c'), { program: newer, onSpawn }),
      /it ended/,
    )
    await release.whenHeld()
    child?.kill('SIGKILL')
    await starting
    await release.end()
    record({ pause: await sender.send(again, 20) })
    for (const node of [again, b]) await requireHealthy(node)
    const [last] = await cluster.ask('select max(number) as number from migration', 'belfry')
    assert.equal(Number(last?.number), newest, 'the migration was undone')
    const words = [lastWords(again), lastWords(b)]
    const c = await startProcess(data, settings('c'), { program: newer })
    record({ pause: await sender.send(c, 20) })
    for (const said of await Promise.all(words)) assert.match(said, sentence)
    await assert.rejects(old('a', oldData), sentence)
    await requireHealthy(c)
    await sender.requireKept(c)
    await c.kill()
    record({ rounds: 1 })
  }
})

const unlimited = { 'storm-source': '0', 'open-alarms-device': '100000' }

/** Holds a migration after its first change of a table, before it is committed. */
async function holdInside(cluster: Cluster) {
  const lock = await cluster.connect('belfry')
  await lock.query('select pg_advisory_lock(77)')
  await lock.query(`
    create function hold() returns event_trigger language plpgsql as $$
    begin
      if exists (select from migration where number = ${added.number}) then perform pg_advisory_xact_lock(77); end if;
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
const killing = `
import { DatabaseSync } from 'node:sqlite'
const { exec } = DatabaseSync.prototype
DatabaseSync.prototype.exec = function (sql) {
  const result = exec.call(this, sql)
  if (sql.includes('create table dream')) process.kill(process.pid, 'SIGKILL')
  return result
}
`

test(
  `SQLite, ${rounds} times: a newer program is killed in the middle of a migration of an older store; this one goes on with it, then the newer one migrates, and both others are refused with a sentence`,
  options,
  async () => {
    const [program, newer] = [unpackOldProgram(), copyWith(added)]
    const module = join(temporaryFolder(), 'killing.mjs')
    writeFileSync(module, killing)
    for (let round = 1; round <= rounds; round += 1) {
      const data = temporaryFolder()
      const sender = new Sender()
      const before = await startProcess(data, unlimited, { program })
      await sender.send(before, 20)
      await before.kill()
      const environment = { NODE_OPTIONS: `--import ${module}` }
      await assert.rejects(startProcess(data, unlimited, { program: newer, environment }), /it ended/)
      // The store was adopted, and nothing of the migration after that was committed.
      const again = await startProcess(data, unlimited)
      await sender.send(again, 20)
      await again.kill()
      const now = await startProcess(data, unlimited, { program: newer })
      record({ pause: await sender.send(now, 20) })
      await requireHealthy(now)
      await sender.requireKept(now)
      await now.kill()
      await assert.rejects(startProcess(data, unlimited, { program }), /newer version \(it has migration /)
      await assert.rejects(startProcess(data, unlimited), sentence)
      record({ rounds: 1 })
    }
  },
)
