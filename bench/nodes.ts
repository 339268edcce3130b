// Several nodes on one PostgreSQL beside one service on SQLite: new alarms a second, pages, and the way of a trap to a
// subscriber at another node. All of it, PostgreSQL too, shares the cores of one machine.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { kernelDrops } from '../src/intake/kernel-drops.ts'
import { newKeyText } from '../src/keys/sealing-key.ts'
import { type PostgresServer, startPostgres } from '../test/postgres-server.ts'
import type { BenchOptions } from './options.ts'
import { Processes, processorSeconds } from './processes.ts'
import { type Goal, type Line, median, printTable, whole } from './table.ts'
import { freePort, guardsOff } from './traps.ts'

const full = { rounds: 3, alarms: 20_000, singles: 300, milliseconds: 2000 }
const quick = { rounds: 2, alarms: 5000, singles: 100, milliseconds: 700 }
type Plan = typeof full

const newAlarms: Goal = { sign: '≥', first: 5000, later: 8000 }
const pages: Goal = { sign: '≥', first: 1 / 3, later: 1 / 2 }
const bufferSize = 4 * 2 ** 20

const meaning = [
  'New alarms: traps are sent to all nodes at once, 20,000/s together; from the first datagram to the last alarm committed.',
  'Lost is what the kernel dropped. Pages: a hundred alarms as XML over 32 connections, nothing else going on, at one node.',
  'Delay: one trap after the other to the first node, until the document has arrived at a subscriber of the last.',
  'PostgreSQL runs on the same cores, without a standby, and does not wait for the disk, except where "fsync on" is said.',
  'Processor time: of all nodes, without PostgreSQL.',
]

interface Measured {
  readonly name: string
  readonly rates: readonly number[]
  readonly dropped: number
  readonly microseconds: number
  readonly pages: number
  readonly delays: readonly number[]
}

interface BenchNode {
  readonly pid: number
  readonly port: number
  readonly trapPort: number
}

export async function benchNodes(options: BenchOptions): Promise<void> {
  const plan = options.quick ? quick : full
  const [server, waiting] = [await startPostgres(), await startPostgres('on')]
  try {
    const measured: Measured[] = []
    for (const setUp of [
      { name: 'SQLite', count: 0, server },
      { name: '1 node, fsync on', count: 1, server: waiting },
      { name: '1 node', count: 1, server },
      { name: '2 nodes', count: 2, server },
      { name: '3 nodes', count: 3, server },
    ]) {
      measured.push(await measure(setUp, plan, options.profile))
    }
    const [sqlite, ...others] = measured
    printTable(
      'Nodes',
      [sqlite, ...others].flatMap((one) => (one && sqlite ? linesOf(one, sqlite) : [])),
      meaning,
    )
  } finally {
    await server.stop()
    await waiting.stop()
  }
}

function linesOf({ name, rates, dropped, microseconds, delays, ...one }: Measured, sqlite: Measured): Line[] {
  const isSqlite = name === sqlite.name
  const at = (share: number) => delays[Math.floor((delays.length - 1) * share)] ?? Number.NaN
  const goals = (goal: Goal) => (isSqlite ? {} : { goal })
  return [
    {
      work: `${name}: new alarms`,
      here: `${whole(median(rates))}/s, ${whole(dropped)} lost, ${whole(microseconds)} µs each`,
      yardstick: '',
      ratio: median(rates),
      unit: '/s',
      ...goals(newAlarms),
    },
    {
      work: `${name}: pages`,
      here: `${whole(one.pages)}/s`,
      yardstick: isSqlite ? '' : `SQLite: ${whole(sqlite.pages)}/s`,
      ...(!isSqlite && { ratio: one.pages / sqlite.pages }),
      ...goals(pages),
    },
    {
      work: `${name}: trap → subscriber`,
      here: `p50 ${at(0.5).toFixed(1)} ms, p99 ${at(0.99).toFixed(1)} ms`,
      yardstick: '',
    },
  ]
}

interface SetUp {
  readonly name: string
  /** No node: SQLite. */
  readonly count: number
  readonly server: PostgresServer
}

async function measure(
  { name, count, server }: SetUp,
  plan: Plan,
  profile: string | undefined,
): Promise<Measured> {
  console.log(`${name}…`)
  const processes = new Processes(profile)
  const folder = mkdtempSync(join(tmpdir(), 'belfry-bench-'))
  try {
    const keyFile = join(folder, 'key')
    writeFileSync(keyFile, newKeyText(), { mode: 0o600 })
    const store = count === 0 ? {} : { store: await newStore(server, count), 'key-file': keyFile }
    const nodes: BenchNode[] = []
    for (let index = 0; index < Math.max(1, count); index += 1) {
      const trapPort = await freePort()
      const settings = { ...guardsOff, ...store, 'trap-buffer': String(bufferSize) }
      const node = count === 0 ? {} : { node: `n${index}` }
      const traps = `127.0.0.1:${trapPort}`
      const served = await processes.service(join(folder, `n${index}`), { ...settings, ...node, traps })
      nodes.push({ ...served, trapPort })
    }
    return { name, ...(await new NodeBench(processes, plan, nodes).run()) }
  } finally {
    await processes.end()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function newStore(server: PostgresServer, count: number): Promise<string> {
  const client = new pg.Client({ connectionString: `${server.address}/postgres` })
  await client.connect()
  await client.query(`create database nodes_${count}`)
  await client.end()
  return `${server.address}/nodes_${count}`
}

class NodeBench {
  readonly #processes: Processes
  readonly #plan: Plan
  readonly #nodes: readonly BenchNode[]
  #sent = 0

  constructor(processes: Processes, plan: Plan, nodes: readonly BenchNode[]) {
    this.#processes = processes
    this.#plan = plan
    this.#nodes = nodes
  }

  async run(): Promise<Omit<Measured, 'name'>> {
    const { rounds, alarms, milliseconds } = this.#plan
    await this.#raise(2000)
    const before = this.#processorSeconds()
    const dropped = this.#dropped()
    const rates: number[] = []
    for (let round = 0; round < rounds; round += 1) rates.push(await this.#raise(alarms))
    const microseconds = ((this.#processorSeconds() - before) * 1e6) / (rounds * alarms)
    const lost = this.#dropped() - dropped
    const volley = {
      port: this.#first.port,
      path: '/fault/alarm?size=100&start={n}',
      accept: 'application/xml',
    }
    const fired = await this.#processes.fire({ ...volley, connections: 32, milliseconds })
    const delays = (await this.#delays()).toSorted((a, b) => a - b)
    return { rates, dropped: lost, microseconds, pages: fired.answers / fired.seconds, delays }
  }

  get #first(): BenchNode {
    return this.#nodes[0] as BenchNode
  }

  #processorSeconds(): number {
    return this.#nodes.reduce((sum, { pid }) => sum + processorSeconds(pid), 0)
  }

  #dropped(): number {
    return this.#nodes.reduce((sum, { trapPort }) => sum + (kernelDrops(trapPort) ?? 0), 0)
  }

  /** Sends traps to all nodes in turn; returns how many became alarms in a second. */
  async #raise(count: number): Promise<number> {
    const before = await total(this.#first.port)
    const began = performance.now()
    const share = Math.floor(count / this.#nodes.length)
    for (const { trapPort } of this.#nodes) {
      await this.#processes.sendTraps({
        port: trapPort,
        first: this.#sent,
        different: share,
        count: share,
        rate: 20_000,
      })
      this.#sent += share
    }
    const wanted = before + share * this.#nodes.length
    const until = performance.now() + 60_000
    let now = before
    while (now < wanted && performance.now() < until) {
      await sleep(20)
      now = await total(this.#first.port)
    }
    return ((now - before) / (performance.now() - began)) * 1000
  }

  async #delays(): Promise<number[]> {
    const last = this.#nodes.at(-1) ?? this.#first
    const arrivals = new Arrivals()
    await arrivals.listen(last.port)
    const delays: number[] = []
    for (let index = 0; index < this.#plan.singles; index += 1) {
      const began = performance.now()
      const arrived = arrivals.next()
      const load = { port: this.#first.trapPort, first: this.#sent, different: 1, count: 1 }
      await this.#processes.sendTraps(load)
      this.#sent += 1
      await Promise.race([arrived, sleep(5000)])
      delays.push(performance.now() - began)
      await sleep(5)
    }
    arrivals.end()
    return delays
  }
}

/** A subscriber that notes when something has come. */
class Arrivals {
  #wake: () => void = () => undefined
  #end: () => void = () => undefined

  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const asked = get({ port, path: '/events?type=11', agent: false }, (response) => {
        response.on('data', (chunk: Buffer) => {
          if (chunk.includes('<alarm>')) this.#wake()
        })
        response.on('error', () => undefined)
        resolve()
      })
      asked.on('error', reject)
      this.#end = () => asked.destroy()
    })
  }

  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  end(): void {
    this.#end()
  }
}

function total(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    get({ port, path: '/fault/alarm?total=true', agent: false }, (response) => {
      response.resume()
      resolve(Number(response.headers.total))
    }).on('error', reject)
  })
}
