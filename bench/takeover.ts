// The leader is killed: how long until an inform is answered again by the others. On a machine that is calm,
// beside a load of eight, and with a tenth of a core for each node.

import { type ChildProcess, spawn } from 'node:child_process'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { readAnswer } from '../src/snmp/send.ts'
import { type PostgresServer, startPostgres } from '../test/postgres-server.ts'
import { benchmark, type Stage } from './frame.ts'
import { type BenchNode, newStore, startNode } from './postgres-nodes.ts'
import { plenty } from './processes.ts'
import { metrics } from './requests.ts'
import { type Goal, type Line, median } from './table.ts'
import { inform } from './trap-datagram.ts'

/** Informs a second before and after the kill; each is sent again after some seconds, as devices do. */
const rate = 100
const again = 5000
const beforeKill = 8000
const giveUp = 90_000

const meaning = [
  'Three nodes with settings as they come, PostgreSQL 18 on the same cores. 100 informs a second are spread over them, and',
  'sent again after 5 s. After some seconds the leader is killed (SIGKILL) at a random moment. The time is from',
  'the kill to the first answer to an inform that was sent after it; "all": until none of those sent so far is unanswered.',
  'Load of 8: eight programs that only compute. A tenth of a core: every node is stopped for 90 of every 100 ms.',
]

interface Way {
  readonly name: string
  readonly goal?: Goal
  readonly load: number
  readonly isStarved: boolean
}

const full = { rounds: 6 }
const quick = { rounds: 2 }
type Plan = typeof full

const part =
  (way: Way) =>
  async (stage: Stage<Plan>): Promise<Line[]> => {
    console.log(`${way.name}…`)
    const server = await startPostgres()
    const taken: Taken[] = []
    try {
      for (let round = 0; round < stage.plan.rounds; round += 1) {
        const one = await stage.nested((inner) => takeOver(inner, server, `takeover_${round}`, way))
        console.log(`  ${seconds(one.first)}, all ${seconds(one.all)}`)
        taken.push(one)
      }
    } finally {
      await server.stop()
    }
    const first = taken.map((one) => one.first)
    const all = Math.max(...taken.map((one) => one.all))
    return [
      {
        work: way.name,
        here: `median ${seconds(median(first))}, longest ${seconds(Math.max(...first))}, all ${seconds(all)}`,
        ratio: Math.max(...first) / 1000,
        unit: ' s',
        ...(way.goal && { goal: way.goal }),
      },
    ]
  }

const atMost = (limit: number): Goal => ({ sign: '≤', first: limit, later: limit })

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`

interface Taken {
  readonly first: number
  readonly all: number
}

async function takeOver(
  stage: Stage<Plan>,
  server: PostgresServer,
  database: string,
  { load, isStarved }: Way,
): Promise<Taken> {
  const burning: ChildProcess[] = []
  let throttle: Throttle | undefined
  const informs = new Informs()
  try {
    const members: BenchNode[] = []
    const store = await newStore(server, database, stage.folder)
    for (const node of ['a', 'b', 'c']) {
      members.push(await startNode(stage, node, { ...store, ...plenty, node, 'storm-source': '0' }))
    }
    for (let index = 0; index < load; index += 1) {
      burning.push(spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }))
    }
    if (isStarved) throttle = new Throttle(members.map(({ pid }) => pid))
    informs.start(members)
    await sleep(beforeKill + Math.random() * 2000)
    const leader = await leaderAmong(members)
    throttle?.release(leader.pid)
    process.kill(leader.pid, 'SIGKILL')
    return await informs.without(leader)
  } finally {
    informs.end()
    throttle?.end()
    for (const child of burning) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
  }
}

async function leaderAmong(members: readonly BenchNode[]): Promise<BenchNode> {
  for (;;) {
    for (const member of members) {
      const text = await metrics(member.port)
      if (/^belfry_node_settles 1$/m.test(text)) return member
    }
    await sleep(100)
  }
}

/** Lets processes run for 10 of every 100 ms. */
class Throttle {
  readonly #pids: Set<number>
  readonly #timer: NodeJS.Timeout

  constructor(pids: readonly number[]) {
    this.#pids = new Set(pids)
    this.#timer = setInterval(() => {
      this.#signal('SIGCONT')
      setTimeout(() => this.#signal('SIGSTOP'), 10)
    }, 100)
  }

  #signal(signal: NodeJS.Signals): void {
    for (const pid of this.#pids) process.kill(pid, signal)
  }

  release(pid: number): void {
    this.#pids.delete(pid)
  }

  end(): void {
    clearInterval(this.#timer)
    this.#signal('SIGCONT')
    this.#pids.clear()
  }
}

interface Sent {
  readonly at: number
  member: BenchNode
  due: number
}

class Informs {
  readonly #socket: Socket = createSocket('udp4')
  readonly #unanswered = new Map<number, Sent>()
  #members: readonly BenchNode[] = []
  #timer: NodeJS.Timeout | undefined
  #next = 1
  #onAnswer: (sentAt: number) => void = () => undefined

  start(members: readonly BenchNode[]): void {
    this.#members = members
    this.#socket.on('error', () => undefined)
    this.#socket.on('message', (bytes) => {
      const id = readAnswer(bytes)?.requestId ?? 0
      const sent = this.#unanswered.get(id)
      this.#unanswered.delete(id)
      if (sent) this.#onAnswer(sent.at)
    })
    const began = performance.now()
    this.#timer = setInterval(() => {
      const now = performance.now()
      for (; this.#next < ((now - began) * rate) / 1000; this.#next += 1) {
        const member = this.#members[this.#next % this.#members.length] as BenchNode
        this.#unanswered.set(this.#next, { at: now, member, due: now + again })
        this.#send(this.#next, member)
      }
      for (const [id, sent] of this.#unanswered) {
        if (now < sent.due) continue
        // To the same one, as devices do, unless that is gone.
        if (!this.#members.includes(sent.member)) sent.member = this.#members[0] as BenchNode
        sent.due = now + again
        this.#send(id, sent.member)
      }
    }, 10)
  }

  #send(id: number, { trapPort }: BenchNode): void {
    this.#socket.send(inform(id), trapPort, '127.0.0.1')
  }

  /** From now, when this one was killed. */
  async without(killed: BenchNode): Promise<Taken> {
    const began = performance.now()
    this.#members = this.#members.filter((one) => one !== killed)
    const answered = new Promise<void>((resolve) => {
      this.#onAnswer = (sentAt) => {
        if (sentAt >= began) resolve()
      }
    })
    await Promise.race([answered, sleep(giveUp)])
    const first = performance.now() - began
    const last = this.#next
    const isWaiting = () => [...this.#unanswered.keys()].some((id) => id < last)
    while (isWaiting() && performance.now() - began < giveUp) await sleep(20)
    return { first, all: performance.now() - began }
  }

  end(): void {
    clearInterval(this.#timer)
    this.#socket.close()
  }
}

export default benchmark({
  summary: 'the leader is killed: how long until an inform is answered again',
  title: 'Takeover',
  meaning,
  full,
  quick,
  parts: {
    calm: part({ name: 'nothing else running', goal: atMost(6), load: 0, isStarved: false }),
    load: part({ name: 'beside a load of 8', goal: atMost(10), load: 8, isStarved: false }),
    starved: part({ name: 'a tenth of a core each', load: 0, isStarved: true }),
  },
})
