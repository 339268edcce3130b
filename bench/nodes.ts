// Several nodes on one PostgreSQL beside one service on SQLite: new alarms a second, pages, and the way of a trap to a
// subscriber at another node. All of it, PostgreSQL too, shares the cores of one machine.

import { setTimeout as sleep } from 'node:timers/promises'
import { kernelDrops } from '../src/intake/receiver.ts'
import { type PostgresServer, startPostgres } from '../test/postgres-server.ts'
import { benchmark, type Stage } from './frame.ts'
import { type BenchNode, newStore, startNode } from './postgres-nodes.ts'
import { guardsOff, type Processes, processorSeconds } from './processes.ts'
import { ask, subscribe } from './requests.ts'
import { type Goal, type Line, median, spread, whole } from './table.ts'

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

async function nodes(stage: Stage<Plan>): Promise<Line[]> {
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
      measured.push(await stage.nested((inner) => measure(inner, setUp)))
    }
    const [sqlite] = measured
    return measured.flatMap((one) => (sqlite ? linesOf(one, sqlite) : []))
  } finally {
    await server.stop()
    await waiting.stop()
  }
}

function linesOf({ name, rates, dropped, microseconds, delays, ...one }: Measured, sqlite: Measured): Line[] {
  const isSqlite = name === sqlite.name
  const goals = (goal: Goal) => (isSqlite ? {} : { goal })
  return [
    {
      work: `${name}: new alarms`,
      here: `${whole(median(rates))}/s, ${whole(dropped)} lost, ${whole(microseconds)} µs each`,
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
      here: spread(delays),
    },
  ]
}

interface SetUp {
  readonly name: string
  /** No node: SQLite. */
  readonly count: number
  readonly server: PostgresServer
}

async function measure(stage: Stage<Plan>, { name, count, server }: SetUp): Promise<Measured> {
  console.log(`${name}…`)
  const store = count === 0 ? {} : await newStore(server, `nodes_${count}`, stage.folder)
  const settings = { ...guardsOff, ...store, 'trap-buffer': String(bufferSize) }
  const started: BenchNode[] = []
  for (let index = 0; index < Math.max(1, count); index += 1) {
    const node = `n${index}`
    started.push(await startNode(stage, node, count === 0 ? settings : { ...settings, node }))
  }
  return { name, ...(await new NodeBench(stage.processes, stage.plan, started).run()) }
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
    const delays = await this.#delays()
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
    let wake: () => void = () => undefined
    const subscriber = await subscribe(last.port, () => wake())
    const delays: number[] = []
    for (let index = 0; index < this.#plan.singles; index += 1) {
      const began = performance.now()
      const arrived = new Promise<void>((resolve) => {
        wake = resolve
      })
      const load = { port: this.#first.trapPort, first: this.#sent, different: 1, count: 1 }
      await this.#processes.sendTraps(load)
      this.#sent += 1
      await Promise.race([arrived, sleep(5000)])
      delays.push(performance.now() - began)
      await sleep(5)
    }
    subscriber.end()
    return delays
  }
}

const total = async (port: number) => Number((await ask(port, '/fault/alarm?total=true')).header('total'))

export default benchmark({
  summary: 'new alarms, pages, and trap to subscriber, with 1, 2 and 3 nodes on PostgreSQL beside SQLite',
  title: 'Nodes',
  meaning,
  full,
  quick,
  parts: { nodes },
})
