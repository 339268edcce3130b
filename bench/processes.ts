// The processes of a benchmark: the service, its peers, the load generator. All are ended when the work is over.

import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Rate, Volley } from './generator.ts'
import type { Documents } from './peer.ts'

const script = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export interface Served {
  readonly pid: number
  readonly port: number
}

export class Processes {
  readonly #children: ChildProcess[] = []
  readonly #profile: string | undefined
  #generator: ChildProcess | undefined

  constructor(profile: string | undefined) {
    this.#profile = profile
  }

  /** The service itself, started as a user starts it. */
  async service(data: string): Promise<Served> {
    const profiling = this.#profile ? ['--cpu-prof', `--cpu-prof-dir=${this.#profile}`] : []
    const settings = { listen: '127.0.0.1:0', traps: '127.0.0.1:0', data, 'log-level': 'error' }
    const flags = Object.entries(settings).map(([name, value]) => `--${name}=${value}`)
    const child = this.#keep(
      spawn(process.execPath, [...profiling, script('../bin/belfry.js'), 'serve', ...flags], {
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
    )
    for await (const text of child.stdout ?? []) {
      const port = /listens on http:\/\/[^ ]+:(\d+)/.exec(String(text))?.[1]
      if (port !== undefined) return { pid: child.pid ?? 0, port: Number(port) }
    }
    throw new Error('the service did not start')
  }

  async peer(kind: 'fastify' | 'bare', documents: Documents): Promise<Served> {
    const child = this.#keep(fork(script('./peer.ts'), [kind]))
    child.send(documents)
    const [port] = await once(child, 'message')
    return { pid: child.pid ?? 0, port }
  }

  async fire(volley: Volley): Promise<Rate> {
    this.#generator ??= this.#keep(fork(script('./generator.ts')))
    this.#generator.send(volley)
    const over = new AbortController()
    const answer = once(this.#generator, 'message', over)
    const gone = once(this.#generator, 'exit', over).then(() => {
      throw new Error('the load generator broke off')
    })
    try {
      const [rate] = await Promise.race([answer, gone])
      return rate
    } finally {
      over.abort()
    }
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

/** Memory of a process that is in use now; known on Linux only. */
export function residentBytes(pid: number): number | undefined {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return Number(kilobytes) * 1024
  } catch {
    return undefined
  }
}
