// The processes of a benchmark: the service, its peers, the load generator. All are ended when the work is over.

import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Fired, Volley } from './generator.ts'
import type { Documents } from './peer.ts'
import type { Heard, Talk } from './storm-others.ts'
import type { Load, Sent } from './trap-load.ts'

const script = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export interface Served {
  readonly pid: number
  readonly port: number
}

export interface Service extends Served {
  /** By the steady clock, in milliseconds. */
  readonly startedAt: number
}

export class Processes {
  readonly #children: ChildProcess[] = []
  readonly #profile: string | undefined
  #generator: ChildProcess | undefined
  #trapSender: ChildProcess | undefined
  #talkers: ChildProcess | undefined

  constructor(profile: string | undefined) {
    this.#profile = profile
    // Also when the benchmark is interrupted.
    process.once('exit', () => {
      for (const child of this.#children) child.kill()
    })
  }

  /** The service itself, started as a user starts it. */
  async service(data: string, more: Readonly<Record<string, string>> = {}): Promise<Service> {
    const startedAt = performance.now()
    const profiling = this.#profile ? ['--cpu-prof', `--cpu-prof-dir=${this.#profile}`] : []
    const settings = { listen: '127.0.0.1:0', traps: '127.0.0.1:0', data, 'log-level': 'error', ...more }
    const flags = Object.entries(settings).map(([name, value]) => `--${name}=${value}`)
    const child = this.#keep(
      spawn(process.execPath, [...profiling, script('../bin/belfry.js'), 'serve', ...flags], {
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
    )
    for await (const text of child.stdout ?? []) {
      const port = /listens on http:\/\/[^ ]+:(\d+)/.exec(String(text))?.[1]
      if (port !== undefined) return { pid: child.pid ?? 0, port: Number(port), startedAt }
    }
    throw new Error('the service did not start')
  }

  async peer(kind: 'fastify' | 'bare', documents: Documents): Promise<Served> {
    const child = this.#keep(fork(script('./peer.ts'), [kind]))
    child.send(documents)
    const [port] = await once(child, 'message')
    return { pid: child.pid ?? 0, port }
  }

  fire(volley: Volley): Promise<Fired> {
    this.#generator ??= this.#keep(fork(script('./generator.ts')))
    return ask(this.#generator, volley)
  }

  sendTraps(load: Load): Promise<Sent> {
    this.#trapSender ??= this.#keep(fork(script('./trap-load.ts')))
    return ask(this.#trapSender, load)
  }

  talk(talk: Talk): Promise<Heard> {
    this.#talkers ??= this.#keep(fork(script('./storm-others.ts')))
    return ask(this.#talkers, talk)
  }

  /** Any other program; it is ended with the rest. */
  run(command: string, args: readonly string[]): ChildProcess {
    return this.#keep(spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] }))
  }

  async end(): Promise<void> {
    await Promise.all(
      this.#children.map((child) => {
        if (child.exitCode !== null || child.signalCode !== null) return undefined
        const gone = once(child, 'exit')
        child.kill()
        return gone
      }),
    )
  }

  #keep(child: ChildProcess): ChildProcess {
    this.#children.push(child)
    return child
  }
}

/** One order to a process of ours, and its answer. */
async function ask<T>(child: ChildProcess, order: object): Promise<T> {
  child.send(order)
  const over = new AbortController()
  const answer = once(child, 'message', over)
  const gone = once(child, 'exit', over).then(() => {
    throw new Error('the load generator broke off')
  })
  try {
    const [reply] = await Promise.race([answer, gone])
    return reply
  } finally {
    over.abort()
  }
}

/** Processor time that a process has used, in microseconds; known on Linux only. */
export function processorTime(pid: number): number {
  try {
    // Fields 14 and 15, in ticks of a hundredth of a second, after the name, which may hold spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * 10_000
  } catch {
    return Number.NaN
  }
}

/** Memory of a process that is in use now; known on Linux only. */
export function residentBytes(pid: number): number | undefined {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return Number(kilobytes) * 1024
  } catch {
    return undefined
  }
}

const ticksPerSecond = 100

/** Processor time that a process has used, all its threads together; known on Linux only. */
export function processorSeconds(pid: number): number {
  try {
    // The name in the second field may hold blanks.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
  } catch {
    return Number.NaN
  }
}

/** Milliseconds after its start, a service begins to prepare the console's files: that is no part of other work. */
const consoleReady = 16_000

/** Waits until that is over, and the service does nothing. */
export async function atRest({ pid, startedAt }: Service): Promise<void> {
  await sleep(Math.max(0, startedAt + consoleReady - performance.now()))
  for (let tries = 0; tries < 30; tries += 1) {
    const before = processorSeconds(pid)
    await sleep(1000)
    if (processorSeconds(pid) - before < 0.03) return
  }
}
