// The leader is killed: how long until an inform is answered again by the others. On a machine that is calm,
// beside a load of eight, and with a tenth of a core for each node.

import { type ChildProcess, spawn } from 'node:child_process'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { newKeyText } from '../src/keys/sealing-key.ts'
import { encodeNotification, readAnswer } from '../src/snmp/send.ts'
import { type PostgresServer, startPostgres } from '../test/postgres-server.ts'
import type { BenchOptions } from './options.ts'
import { Processes } from './processes.ts'
import { type Goal, type Line, median, printTable } from './table.ts'
import { freePort } from './traps.ts'

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

const ways: Record<string, Way> = {
  calm: { name: 'nothing else running', goal: { sign: '≤', first: 6, later: 6 }, load: 0, isStarved: false },
  load: { name: 'beside a load of 8', goal: { sign: '≤', first: 10, later: 10 }, load: 8, isStarved: false },
  starved: { name: 'a tenth of a core each', load: 0, isStarved: true },
}

export async function benchTakeover({ quick, only, profile }: BenchOptions): Promise<void> {
  const rounds = quick ? 2 : 6
  const server = await startPostgres()
  const lines: Line[] = []
  try {
    let number = 0
    for (const [key, way] of Object.entries(ways)) {
      if (only !== undefined && only !== key) continue
      console.log(`${way.name}…`)
      const taken: Taken[] = []
      for (let round = 0; round < rounds; round += 1) {
        number += 1
        const one = await takeOver(server, `takeover_${number}`, way, profile)
        console.log(`  ${seconds(one.first)}, all ${seconds(one.all)}`)
        taken.push(one)
      }
      const first = taken.map((one) => one.first)
      const all = taken.map((one) => one.all)
      lines.push({
        work: way.name,
        here: `median ${seconds(median(first))}, longest ${seconds(Math.max(...first))}, all ${seconds(Math.max(...all))}`,
        yardstick: '',
        ratio: Math.max(...first) / 1000,
        unit: ' s',
        ...(way.goal && { goal: way.goal }),
      })
    }
  } finally {
    await server.stop()
  }
  printTable('Takeover', lines, meaning)
}

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`

interface Taken {
  readonly first: number
  readonly all: number
}

interface Member {
  readonly name: string
  readonly pid: number
  readonly port: number
  readonly trapPort: number
}

async function takeOver(
  server: PostgresServer,
  database: string,
  { load, isStarved }: Way,
  profile: string | undefined,
): Promise<Taken> {
  const client = new pg.Client({ connectionString: `${server.address}/postgres` })
  await client.connect()
  await client.query(`create database ${database}`)
  await client.end()
  const processes = new Processes(profile)
  const folder = mkdtempSync(join(tmpdir(), 'belfry-bench-'))
  const burning: ChildProcess[] = []
  let throttle: Throttle | undefined
  const informs = new Informs()
  try {
    const members: Member[] = []
    const keyFile = join(folder, 'key')
    writeFileSync(keyFile, newKeyText(), { mode: 0o600 })
    const store = { store: `${server.address}/${database}`, 'key-file': keyFile }
    for (const name of ['a', 'b', 'c']) {
      const trapPort = await freePort()
      const settings = { ...store, node: name, traps: `127.0.0.1:${trapPort}` }
      const limits = { 'open-alarms-device': '1000000', 'open-alarms': '1000000', 'storm-source': '0' }
      const served = await processes.service(join(folder, name), { ...settings, ...limits })
      members.push({ name, ...served, trapPort })
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
    await processes.end()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function leaderAmong(members: readonly Member[]): Promise<Member> {
  for (;;) {
    for (const member of members) {
      const text = await metrics(member.port)
      if (/^belfry_node_settles 1$/m.test(text)) return member
    }
    await sleep(100)
  }
}

function metrics(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    get({ port, path: '/metrics', agent: false }, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve(text))
    }).on('error', reject)
  })
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
  member: Member
  due: number
}

class Informs {
  readonly #socket: Socket = createSocket('udp4')
  readonly #unanswered = new Map<number, Sent>()
  #members: readonly Member[] = []
  #timer: NodeJS.Timeout | undefined
  #next = 1
  #onAnswer: (sentAt: number) => void = () => undefined

  start(members: readonly Member[]): void {
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
        const member = this.#members[this.#next % this.#members.length] as Member
        this.#unanswered.set(this.#next, { at: now, member, due: now + again })
        this.#send(this.#next, member)
      }
      for (const [id, sent] of this.#unanswered) {
        if (now < sent.due) continue
        // To the same one, as devices do, unless that is gone.
        if (!this.#members.includes(sent.member)) sent.member = this.#members[0] as Member
        sent.due = now + again
        this.#send(id, sent.member)
      }
    }, 10)
  }

  #send(id: number, { trapPort }: Member): void {
    const variables = [
      { oid: `1.3.6.1.2.1.2.2.1.1.${id}`, type: 'Integer32', value: String(id), hex: false } as const,
    ]
    const oid = '1.3.6.1.6.3.1.1.5.3'
    const head = { version: '2c', community: 'public', uptime: 4711, inform: true } as const
    this.#socket.send(encodeNotification({ ...head, requestId: id, oid, variables }), trapPort, '127.0.0.1')
  }

  /** From now, when this one was killed. */
  async without(killed: Member): Promise<Taken> {
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
