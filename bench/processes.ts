// The processes of a benchmark: the service, its peers, the load generator. All are ended when the work is over.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Child } from './children.ts'
import type { Fired, Volley } from './generator.ts'
import type { Documents } from './peer.ts'
import type { Heard, Talk } from './storm-others.ts'
import type { Load, Sent } from './trap-load.ts'

/** What is raised here is never ended. */
export const plenty = { 'open-alarms-device': '2000000', 'open-alarms': '2000000' }
/** All of it comes from one address, and the same traps come again on purpose. */
export const guardsOff = { 'storm-source': '0', 'storm-overall': '0', 'duplicate-seconds': '0', ...plenty }

const script = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export interface Served {
  readonly pid: number
  readonly port: number
}

export interface Service extends Served {
  /** By the monotonic clock, in milliseconds. */
  readonly startedAt: number
}

export class Processes {
  readonly #programs: ChildProcess[] = []
  readonly #kept: { end(): Promise<void> }[] = []
  /** Those of which one is enough. */
  readonly #single = new Map<string, Child>()
  readonly #profile: string | undefined
  readonly #killAll = () => {
    for (const program of this.#programs) program.kill()
  }

  constructor(profile: string | undefined) {
    this.#profile = profile
    // Also when the benchmark is interrupted.
    process.once('exit', this.#killAll)
  }

  /** The service itself, started as a user starts it; `wrapper`: a command that runs it. */
  async service(
    data: string,
    more: Readonly<Record<string, string>> = {},
    wrapper: readonly string[] = [],
  ): Promise<Service> {
    const startedAt = performance.now()
    const profiling = this.#profile ? ['--cpu-prof', `--cpu-prof-dir=${this.#profile}`] : []
    const settings = { listen: '127.0.0.1:0', traps: '127.0.0.1:0', data, 'log-level': 'error', ...more }
    const flags = Object.entries(settings).map(([name, value]) => `--${name}=${value}`)
    const command = [
      ...wrapper,
      process.execPath,
      ...profiling,
      script('../bin/belfry.js'),
      'serve',
      ...flags,
    ]
    const [program = '', ...args] = command
    const child = this.#started(spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] }))
    for await (const text of child.stdout ?? []) {
      const port = /listens on http:\/\/[^ ]+:(\d+)/.exec(String(text))?.[1]
      if (port !== undefined) return { pid: child.pid ?? 0, port: Number(port), startedAt }
    }
    throw new Error('the service did not start')
  }

  /** A program of ours that answers questions; where it measures a service, with a profile of it. */
  child(path: string, ...given: string[]): Child {
    const profile = path.includes('service') ? this.#profile : undefined
    return this.keep(new Child(path, { profile, arguments: given }))
  }

  async peer(kind: 'fastify' | 'bare', documents: Documents): Promise<Served> {
    return this.child('./peer.ts', kind).ask('serve', documents)
  }

  fire(volley: Volley): Promise<Fired> {
    return this.#one('./generator.ts').ask('fire', volley)
  }

  sendTraps(load: Load): Promise<Sent> {
    return this.#one('./trap-load.ts').ask('send', load)
  }

  talk(talk: Talk): Promise<Heard> {
    return this.#one('./storm-others.ts').ask('talk', talk)
  }

  #one(path: string): Child {
    const child = this.#single.get(path) ?? this.child(path)
    this.#single.set(path, child)
    return child
  }

  /** Ended with the rest. */
  keep<T extends { end(): Promise<void> }>(one: T): T {
    this.#kept.push(one)
    return one
  }

  /** Any other program; it is ended with the rest. */
  run(command: string, args: readonly string[]): ChildProcess {
    return this.#started(spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] }))
  }

  async end(): Promise<void> {
    for (const kept of this.#kept) await kept.end()
    await Promise.all(
      this.#programs.map((program) => {
        if (program.exitCode !== null || program.signalCode !== null) return undefined
        const gone = once(program, 'exit')
        program.kill()
        return gone
      }),
    )
    process.off('exit', this.#killAll)
  }

  #started(program: ChildProcess): ChildProcess {
    this.#programs.push(program)
    return program
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
