// Three nodes in processes of their own, under load: informs and HTTP writes spread over them, and durable streams.
// What
// was answered must be in the store, once, and every stream must have received all of it in order.

import assert from 'node:assert/strict'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { readAnswer } from '../../src/snmp/send.ts'
import { check, type Evidence, outcomeOf, type Received, summaryOf } from '../acceptance/checker.ts'
import { Durable, evidenceOf, Hearings, Load, type Place } from '../acceptance/crowd.ts'
import { type ServiceProcess, startProcess } from '../acceptance/process.ts'
import { inform, until } from '../intake/sending.ts'
import { record } from '../outcome.ts'
import { patience } from '../patience.ts'
import { temporaryFolder } from '../support.ts'
import type { Cluster } from './cluster.ts'
import { nodesOf } from './several.ts'

const isSoak = process.env.SOAK === 'true'

/** Informs a second, spread over the nodes, and durable streams, where the machine has nothing else to do. */
const crowd = { informs: 500, streams: 30 }

/**
 * How much of two cores is left for the test, from 0.1 to 1: with less, the load is smaller and time limits are longer.
 * `npm run soak` uses the whole load.
 */
async function measureRoom(): Promise<number> {
  const began = performance.now()
  const before = process.cpuUsage()
  const spin = 'const end = performance.now() + 400; while (performance.now() < end);'
  const spinning = [1, 2].map(() => once(new Worker(spin, { eval: true }), 'exit'))
  await Promise.all(spinning)
  const { user, system } = process.cpuUsage(before)
  const share = (user + system) / 1000 / (2 * (performance.now() - began))
  // Threads need a moment to start.
  return Math.min(1, Math.max(0.1, share / 0.8))
}

/** The load is one device, which repeats what was not answered for as long as it takes: no limit may drop any of it. */
export const unlimited = {
  'storm-source': '0',
  'open-alarms-device': '1000000',
  'open-alarms': '1000000',
  'duplicate-seconds': '300',
}

export interface RunningNode extends Place {
  readonly name: string
  readonly data: string
  process: ServiceProcess
  /** Whether it can be reached: senders and clients choose among those that can. */
  isUp: boolean
}

/**
 * What was written on three connections counts as delivered. A node that is killed, and a server that stops, has not
 * saved what its last second wrote: where that happens to one client again and again, it gets a document more often.
 */
const overlap = 6

/** Milliseconds until an inform is sent again; it grows, as with devices. */
const resendAfter = 4000
/** As many unanswered informs as devices hold: where there is no answer for long, they wait. */
const outstanding = 5000

/**
 * Informs of a device with several receivers: what is not answered soon is sent again, to a node that can be reached.
 */
export class Informs {
  readonly #nodes: readonly RunningNode[]
  readonly #sockets = new Map<string, Socket>()
  /** When each is sent again, and how often it was sent. */
  readonly #unanswered = new Map<number, { readonly due: number; readonly times: number }>()
  readonly answered = new Set<number>()
  #next = 1
  #timer: NodeJS.Timeout | undefined
  #isSending = true
  #hasEnded = false
  /** As a device does that has two receivers configured. */
  toTwo = false

  constructor(nodes: readonly RunningNode[]) {
    this.#nodes = nodes
  }

  start(perSecond: number): void {
    let last = performance.now()
    let owed = 0
    this.#timer = setInterval(() => {
      const now = performance.now()
      // By the clock, because timers of a busy machine are late.
      owed += ((now - last) * perSecond) / 1000
      last = now
      for (; owed >= 1; owed -= 1) {
        if (this.#isSending && this.#unanswered.size < outstanding) this.#send(this.#next++)
      }
      for (const [index, { due }] of this.#unanswered) if (now > due) this.#send(index)
    }, 20)
    after(() => this.#end())
  }

  #send(index: number): void {
    const up = this.#nodes.filter(({ isUp }) => isUp)
    const times = (this.#unanswered.get(index)?.times ?? 0) + 1
    this.#unanswered.set(index, { due: performance.now() + resendAfter * Math.min(times, 4), times })
    // Each time to the next node: this one may be disconnected.
    const [node, second] = [0, 1].map((more) => up[(index + times + more) % Math.max(1, up.length)])
    if (node) this.#sendTo(node, index)
    // The second copy may take another path and be late: then it arrives after what was sent later.
    if (this.toTwo && second) setTimeout(() => this.#sendTo(second, index), Math.random() * 1500).unref()
  }

  #sendTo(node: RunningNode, index: number): void {
    if (!this.#hasEnded) this.#socketTo(node).send(inform(index), node.process.trapPort, '127.0.0.1')
  }

  #socketTo({ name }: RunningNode): Socket {
    let socket = this.#sockets.get(name)
    if (!socket) {
      socket = createSocket('udp4')
      socket.on('error', () => undefined)
      socket.on('message', (bytes) => {
        const answer = readAnswer(bytes)
        if (!answer) return
        this.answered.add(answer.requestId)
        this.#unanswered.delete(answer.requestId)
      })
      this.#sockets.set(name, socket)
    }
    return socket
  }

  /** Sends nothing new, and waits until all that was sent is answered. */
  async process(): Promise<void> {
    this.#isSending = false
    await until('all informs are answered', () => this.#unanswered.size === 0)
  }

  goOn(): void {
    this.#isSending = true
  }

  get count(): number {
    return this.#next - 1
  }

  #end(): void {
    this.#hasEnded = true
    clearInterval(this.#timer)
    for (const socket of this.#sockets.values()) socket.close()
  }
}

/** The informs behind the one with this number that were answered and are not in the store, or are there twice. */
export async function keptOf(
  { answered }: Informs,
  store: Cluster,
  { behind = 0, database = 'belfry' } = {},
): Promise<{ lost: number[]; doubled: number[] }> {
  const rows = await store.ask(
    "select paras, repeats from alarm where alarm_type = '1.3.6.1.6.3.1.1.5.3' and paras like '*ifIndex=%'",
    database,
  )
  const times = new Map<number, number>()
  for (const { paras, repeats } of rows) {
    const index = Number(String(paras).split('=')[1])
    times.set(index, (times.get(index) ?? 0) + Number(repeats))
  }
  return {
    lost: [...answered].filter((index) => index > behind && !times.has(index)),
    doubled: [...times].filter(([index, n]) => index > behind && n !== 1).map(([index]) => index),
  }
}

/** What is special about the nodes. */
interface Machines {
  /** Of all of them. */
  readonly settings?: Readonly<Record<string, string>>
  /** How much of the usual load, from 0 to 1; by default what the machine has room for. */
  readonly part?: number
  environmentOf?(node: string): Readonly<Record<string, string>>
}

export class UnderLoad {
  readonly cluster: Cluster
  readonly nodes: RunningNode[] = []
  readonly informs: Informs
  readonly #loads: Load[] = []
  readonly #clients: Durable[] = []
  /** See `measureRoom`; as it was at the start. */
  readonly #room: number
  readonly #settings: Readonly<Record<string, string>>
  /** The last entry before the load began. */
  #began = 0

  private constructor(cluster: Cluster, room: number, settings: Readonly<Record<string, string>>) {
    this.cluster = cluster
    this.#settings = settings
    this.#room = room
    this.informs = new Informs(this.nodes)
  }

  /** `addressOf` is how each node reaches the store. */
  static async start(
    cluster: Cluster,
    addressOf: (node: string) => string = () => cluster.address(),
    { settings = {}, part: wanted, environmentOf = () => ({}) }: Machines = {},
  ): Promise<UnderLoad> {
    const room = await measureRoom()
    const load = new UnderLoad(cluster, room, settings)
    const part = wanted ?? (isSoak ? 1 : room)
    const startOne = async (name: string) => {
      const data = temporaryFolder()
      const process = await load.#spawn(name, data, addressOf(name), environmentOf(name))
      load.nodes.push({ name, data, process, isUp: true, url: process.url })
    }
    // The first creates the store.
    await startOne('a')
    await Promise.all(['b', 'c'].map(startOne))
    const hearings = new Hearings()
    for (let index = 0; index < Math.ceil(crowd.streams * part); index += 1) {
      load.#clients.push(new Durable(`client${index}`, load.#placeOf(index), hearings))
    }
    await Promise.all(load.#clients.map((client) => client.start()))
    // Clients first: they must receive everything from now on.
    load.#began = (await readLog(cluster)).head
    for (const node of load.nodes) {
      const http = new Load(node, { workers: 1, pause: 100 })
      http.start()
      load.#loads.push(http)
    }
    load.informs.start(crowd.informs * part)
    after(() => load.#end())
    return load
  }

  #spawn(node: string, data: string, store: string, environment = {}): Promise<ServiceProcess> {
    const usual = { ...unlimited, 'lease-seconds': String(this.slow(2, 10)), ...this.#settings }
    return startProcess(data, { ...usual, node, store }, { environment })
  }

  /** A client connects to the next node where its own is not up. */
  #placeOf(index: number): Place {
    const { nodes } = this
    return {
      get url() {
        const order = nodes.map((_, at) => nodes[(index + at) % nodes.length])
        return (order.find((node) => node?.isUp) ?? order[0])?.url ?? ''
      },
    }
  }

  get clients(): readonly Durable[] {
    return this.#clients
  }

  node(name: string): RunningNode {
    return this.nodes.find((one) => one.name === name) ?? assert.fail(`no node ${name}`)
  }

  /** The leader, as a node that is up reports it. */
  async leader(): Promise<RunningNode> {
    let found: string | undefined
    await until('some node is the leader', async () => {
      for (const { process, isUp } of this.nodes) {
        if (!isUp || found !== undefined) continue
        found = (await nodesOf(process).catch(() => [])).find(({ settles }) => settles)?.name
      }
      return found !== undefined
    })
    return this.node(found ?? '')
  }

  /** The leader, as others than this one report it. */
  async leaderBeside(cut: RunningNode): Promise<RunningNode> {
    const { isUp } = cut
    cut.isUp = false
    const leader = await this.leader()
    cut.isUp = isUp
    return leader
  }

  async other(than: RunningNode): Promise<RunningNode> {
    return this.nodes.find((one) => one !== than && one.isUp) ?? assert.fail('no other node')
  }

  async kill(node: RunningNode): Promise<void> {
    node.isUp = false
    await node.process.kill()
  }

  /**
   * Stops a node inside a transaction that is the leader, or that was asked for by HTTP; returns it, and the process id of the
   * session. A lock holds the transaction up for as long as it takes to stop the node.
   */
  async stopInside(work: 'processing' | 'http'): Promise<{ node: RunningNode; session: number }> {
    const [lock, watch] = [await this.cluster.connect('belfry'), await this.cluster.connect('belfry')]
    const { pid: own } = (await lock.query('select pg_backend_pid() as pid')).rows[0]
    const first = async (sql: string, value: unknown) => (await watch.query(sql, [value])).rows[0]
    try {
      for (const end = performance.now() + patience; performance.now() < end; await sleep(50)) {
        await lock.query('begin; lock table alarm in share mode')
        await sleep(200)
        const held = await first(heldUpSql, own)
        const node = held?.leads === (work === 'processing') ? this.node(held.name) : undefined
        node?.process.child.kill('SIGSTOP')
        await lock.query('rollback')
        if (!node) continue
        node.isUp = false
        await until('it is inside', async () => Boolean(await first(insideSql, held.pid)))
        return { node, session: Number(held.pid) }
      }
    } finally {
      await lock.end()
      await watch.end()
    }
    assert.fail(`no node was met inside a transaction (${work})`)
  }

  /** Resumes a suspended node; resolves when it answers. */
  async wake(node: RunningNode): Promise<void> {
    node.process.child.kill('SIGCONT')
    const isThere = async () => (await node.process.get('/health')).status === 200
    await until('the one that woke up is there again', () => isThere().catch(() => false))
    node.isUp = true
  }

  async startAgain(node: RunningNode, store = this.cluster.address(), environment = {}): Promise<void> {
    node.process = await this.#spawn(node.name, node.data, store, environment)
    node.url = node.process.url
    node.isUp = true
  }

  /** So many seconds, or more on a busy machine, up to a limit. */
  slow(seconds: number, most: number, room = this.#room): number {
    return Math.min(most, Math.ceil(seconds / room))
  }

  /**
   * Requires that answers went on within so many seconds, or more in proportion to how busy the machine is.
   */
  async requireWithin(seconds: number, took: number): Promise<void> {
    record({ pause: took })
    let limit = this.slow(seconds, 60)
    // Other programs may have started since. During the long rounds nothing else runs.
    if (took > limit * 1000 && !isSoak) limit = this.slow(seconds, 90, await measureRoom())
    assert.ok(took <= limit * 1000, `it took ${Math.round(took)} ms, and at most ${limit} s are allowed`)
  }

  /** Milliseconds until so many more informs were answered. */
  async untilAnswered(more: number): Promise<number> {
    const began = performance.now()
    const wanted = this.informs.answered.size + more
    await until(`${more} more informs are answered`, () => this.informs.answered.size >= wanted, 120)
    return performance.now() - began
  }

  /** Clients that catch up a minute of entries at once would disturb what is measured next. */
  async untilCaughtUp(): Promise<void> {
    const [row] = await this.cluster.ask("select value from counter where name = 'alarm log'", 'belfry')
    const last = Number(row?.value ?? 0)
    await until(`all clients are at ${last}`, () => this.#clients.every(({ reached }) => reached >= last))
  }

  /** Whatever became of the test. */
  async #end(): Promise<void> {
    for (const { process } of this.nodes) await process.kill()
    for (const client of this.#clients)
      await Promise.race([client.stop().catch(() => undefined), sleep(1000)])
  }

  /** Waits until nothing happens any more; then compares what was answered and delivered with the store. */
  async finish(store = this.cluster): Promise<Evidence> {
    await this.informs.process()
    for (const load of this.#loads) await load.stop()
    await sleep(300)
    const owed = await readLog(store)
    const last = owed.stored.at(-1)?.number ?? 0
    await until(`all clients are at ${last}`, () => this.#clients.every(({ reached }) => reached >= last))
    for (const client of this.#clients) await client.stop()
    // Once more: nodes may have raised alarms of their own while the last clients caught up.
    const log = await readLog(store)
    const { lost, doubled } = await keptOf(this.informs, store)
    record({ lost: lost.length, doubled: doubled.length })
    assert.deepEqual(lost, [], 'informs that were answered are gone')
    assert.deepEqual(doubled, [], 'none was processed twice')
    const evidence = evidenceOf(
      log,
      this.#clients,
      this.#loads.flatMap(({ acknowledged }) => acknowledged),
    )
    return {
      ...evidence,
      clients: evidence.clients.map((one) => ({ ...one, from: this.#began, until: owed.head })),
    }
  }

  /** How much was sent again after the end of connections. */
  #repetitions() {
    let [connections, documents, again, times] = [0, 0, 0, 0]
    for (const client of this.#clients) {
      const counts = new Map<Received, number>()
      connections += client.connections.length
      for (const document of client.connections.flatMap(({ received }) => received)) {
        const now = (counts.get(document) ?? 0) + 1
        counts.set(document, now)
        documents += 1
        if (now > 1) again += 1
        times = Math.max(times, now)
      }
    }
    return { streams: this.#clients.length, connections, documents, again, times }
  }

  /** Returns what was counted, for the record. */
  async requireKept(store = this.cluster): Promise<string> {
    const evidence = await this.finish(store)
    const broken = check(evidence)
    record(outcomeOf(broken))
    assert.equal(broken.length, 0, summaryOf(broken.slice(0, 20)))
    const { count, answered } = this.informs
    const { streams, connections, documents, again, times } = this.#repetitions()
    assert.ok(times <= overlap, `a document was delivered ${times} times to one client`)
    return [
      `${count} informs sent, ${answered.size} answered, as many alarms found, none twice`,
      `${evidence.acknowledged.length} alarms raised by HTTP, none missing`,
      `${evidence.stored.length} entries in the log, all delivered in order to ${streams} streams`,
      `${connections} connections, ${documents} documents, ${again} of them delivered again, the same one at most ${times} times`,
    ].join('; ')
  }
}

/** The session that writes and waits for ours; each node connects as a user with its own name. */
const heldUpSql = `select a.pid, a.usename as name, exists (
    select from pg_locks f where f.pid = a.pid and f.relation = 'fence'::regclass and f.mode = 'RowShareLock') as leads
  from pg_stat_activity a where $1 = any(pg_blocking_pids(a.pid))
    and exists (select from pg_locks w where w.pid = a.pid and w.relation = 'writer'::regclass and w.granted)`

const insideSql = "select pid from pg_stat_activity where pid = $1 and state = 'idle in transaction'"

async function readLog(cluster: Cluster) {
  const rows = await cluster.ask(
    "select number, kind, alarm_id, alarm_level from alarm_log where kind in ('raise', 'rise', 'recover') order by number",
    'belfry',
  )
  const epochs = await cluster.ask('select number, first_entry from epoch order by number', 'belfry')
  const [head] = await cluster.ask("select value from counter where name = 'alarm log'", 'belfry')
  return {
    stored: rows.map((row) => ({
      number: Number(row.number),
      alarmId: String(row.alarm_id),
      action: row.kind === 'recover' ? ('Recover' as const) : ('Push' as const),
      alarmLevel: Number(row.alarm_level),
    })),
    epochs: epochs.map((row) => ({ number: Number(row.number), first: Number(row.first_entry) })),
    head: Number(head?.value ?? 0),
  }
}
