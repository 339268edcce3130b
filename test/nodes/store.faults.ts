// Three nodes under load, and a PostgreSQL that is there and cannot be used: read-only, in recovery, locked by an
// administrator, behind a network that passes nothing, with a full disk. /health says so, callers get 503, and when it
// is over all goes on by itself, with nothing lost, doubled or out of order, and nobody told of a gap.

import assert from 'node:assert/strict'
import { appendFileSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../intake/sending.ts'
import { record, rounds } from '../outcome.ts'
import { smallDisk } from '../store/small-disk.ts'
import { Cluster, Way, withoutDebianPostgres } from './cluster.ts'
import { type RunningNode, UnderLoad } from './under-load.ts'

const options = { timeout: 300_000 + rounds * 240_000, ...withoutDebianPostgres }

interface Broken {
  cause(): Promise<void> | void
  undo(): Promise<void> | void
  /** Called again and again while it lasts. */
  keepUp?(): void
  /** What /health and /health/traps say while it lasts. */
  readonly says: string
  /** Whether every write is refused: on a full disk, some still fit into what is there. */
  readonly refusesAll?: boolean
}

const well = '200 200'
/** How often each node is asked once it has said what it should. */
const asks = 8

/** One that gets no answer within seconds gets none. */
async function ask(node: RunningNode, path: string): Promise<number | 'no answer'> {
  const answer = await fetch(`${node.url}${path}`, { signal: AbortSignal.timeout(5000) }).catch(
    () => undefined,
  )
  await answer?.body?.cancel()
  if (answer?.status === 503) assert.equal(answer.headers.get('retry-after'), '5')
  return answer?.status ?? 'no answer'
}

const said = async (node: RunningNode) => `${await ask(node, '/health')} ${await ask(node, '/health/traps')}`

async function untilAllSay(load: UnderLoad, expected: string, keepUp: () => void = () => undefined) {
  const heard = new Set<string>()
  const all = async () => {
    keepUp()
    const answers = await Promise.all(load.nodes.map(said))
    for (const answer of answers) heard.add(answer)
    return answers.every((answer) => answer === expected)
  }
  await until(`all nodes say ${expected}`, all)
  return heard
}

/** A write by a caller is refused in words that say to come back. */
async function requireRefused(load: UnderLoad): Promise<void> {
  const answers = await Promise.all(
    load.nodes.map(({ url }, index) =>
      fetch(`${url}/ram/zone`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ name: `refused ${index} ${performance.now()}` }),
        signal: AbortSignal.timeout(60_000),
      }),
    ),
  )
  for (const answer of answers) {
    assert.equal(answer.status, 503, await answer.text())
    assert.equal(answer.headers.get('retry-after'), '5')
  }
}

async function goThrough(load: UnderLoad, { cause, undo, keepUp, says, refusesAll }: Broken): Promise<void> {
  await load.untilAnswered(200)
  await untilAllSay(load, well)
  await cause()
  const before = await untilAllSay(load, says, keepUp)
  let wrong = [...before].filter((answer) => answer.includes('no answer')).length
  const refused = refusesAll ? requireRefused(load) : undefined
  for (let count = 0; count < asks; count += 1) {
    keepUp?.()
    const answers = await Promise.all(load.nodes.map(said))
    wrong += answers.filter((answer) => answer !== says).length
    await sleep(250)
  }
  await refused
  await undo()
  record({ rounds: 1, wrongHealth: wrong, pause: await load.untilAnswered(200) })
  assert.equal(wrong, 0, 'answers of /health that were not true, or none')
  await untilAllSay(load, well)
}

async function requireKept(load: UnderLoad): Promise<string> {
  const kept = await load.requireKept()
  const documents = load.clients.flatMap(({ connections }) => connections.flatMap(({ received }) => received))
  const gaps = documents.filter(({ kind }) => kind === 'gap').length
  record({ gapsOwed: 0, gapsTold: gaps })
  assert.equal(gaps, 0, 'nothing is lost, and nobody may be told so')
  return kept
}

test(
  `PostgreSQL is read-only, in recovery, locked by an administrator, and behind a network that passes nothing, ${rounds} times each: nodes say so, and go on when it is over`,
  options,
  async (context) => {
    const cluster = await Cluster.make()
    const ways = await Promise.all([1, 2, 3].map(() => Way.to(cluster.port)))
    const load = await UnderLoad.start(cluster, (name) => cluster.address(ways['abc'.indexOf(name)]?.port))
    const setReadOnly = async (value: 'on' | 'off') => {
      await cluster.ask(`alter system set default_transaction_read_only = ${value}`)
      await cluster.ask('select pg_reload_conf()')
    }
    let administrator: Awaited<ReturnType<Cluster['connect']>> | undefined
    const faults: Record<string, Broken> = {
      'read-only': {
        says: '503 503',
        refusesAll: true,
        cause: () => setReadOnly('on'),
        undo: () => setReadOnly('off'),
      },
      'held locks': {
        says: '503 200',
        cause: async () => {
          administrator = await cluster.connect('belfry')
          await administrator.query('begin; lock table alarm in access exclusive mode')
        },
        undo: async () => administrator?.end(),
      },
      'silent network': {
        says: '503 503',
        refusesAll: true,
        cause: () => ways.forEach((way) => void way.silence()),
        undo: () => ways.forEach((way) => void way.heal()),
      },
      'in recovery': {
        says: '503 503',
        refusesAll: true,
        cause: () => cluster.restart('standby'),
        undo: () => cluster.restart('primary'),
      },
    }
    for (let round = 1; round <= rounds; round += 1) {
      for (const [name, fault] of Object.entries(faults)) {
        context.diagnostic(`round ${round}: ${name}`)
        await goThrough(load, fault)
      }
    }
    context.diagnostic(await requireKept(load))
  },
)

/** How Linux numbers this kind of file system. */
const tmpfs = 0x01_02_19_94

/** Fills a disk to its last byte, as often as it is asked: a server that gives room back must not get away with it. */
class Ballast {
  readonly #disk: string
  readonly #file: string

  constructor(disk: string) {
    this.#disk = disk
    this.#file = join(disk, 'ballast')
  }

  fill(): void {
    // Never another disk: this one is unmounted when the test has run out of time.
    assert.equal(statfsSync(this.#disk).type, tmpfs)
    for (const size of [2 ** 20, 2 ** 12]) {
      const piece = Buffer.alloc(size)
      try {
        for (;;) appendFileSync(this.#file, piece)
      } catch (error) {
        assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC')
      }
    }
  }

  remove(): void {
    rmSync(this.#file, { force: true })
  }
}

test(
  `the disk of PostgreSQL's data, and that of its journal, is full, ${rounds} times each: nodes say so, and go on when there is room`,
  options,
  async (context) => {
    const [data, wal] = [smallDisk(context, 200 + 40 * rounds), smallDisk(context, 100)]
    if (data === undefined || wal === undefined) return
    // Each part of the journal needs room of its own.
    const settings = { wal_recycle: 'off', min_wal_size: '2MB', max_wal_size: '32MB' }
    const cluster = await Cluster.make(settings, { data: join(data, 'data'), wal: join(wal, 'wal') })
    try {
      context.diagnostic(await fillBoth(cluster, data, wal, (text) => context.diagnostic(text)))
    } finally {
      // Before its disks are gone.
      cluster.stop()
    }
  },
)

async function fillBoth(
  cluster: Cluster,
  data: string,
  wal: string,
  diagnostic: (text: string) => void,
): Promise<string> {
  const load = await UnderLoad.start(cluster)
  const [dataBallast, walBallast] = [new Ballast(data), new Ballast(wal)]
  for (let round = 1; round <= rounds; round += 1) {
    diagnostic(`round ${round}: data`)
    await goThrough(load, {
      says: '503 503',
      cause: () => dataBallast.fill(),
      keepUp: () => dataBallast.fill(),
      undo: () => dataBallast.remove(),
    })
    diagnostic(`round ${round}: journal`)
    await goThrough(load, {
      says: '503 503',
      cause: () => walBallast.fill(),
      // The server ends when it needs room for the next part of its journal.
      keepUp: () => walBallast.fill(),
      undo: () => {
        walBallast.remove()
        cluster.restart('primary')
      },
    })
  }
  return requireKept(load)
}
