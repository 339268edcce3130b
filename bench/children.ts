// Programs of a benchmark that are asked questions: one process each, one answer to each question.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Milliseconds of a clock that all processes of the machine share. */
export const sharedNow = (): number => Number(process.hrtime.bigint()) / 1e6

interface Question {
  readonly id: number
  readonly name: string
  readonly details: unknown
}

interface Reply {
  readonly id: number
  readonly value?: unknown
  readonly error?: string
}

export interface ChildOptions {
  readonly profile?: string | undefined
  readonly arguments?: readonly string[]
}

export class Child {
  readonly #process: ChildProcess
  readonly #open = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  #next = 0

  constructor(path: string, { profile, arguments: given = [] }: ChildOptions = {}) {
    const profiling = profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : []
    this.#process = fork(fileURLToPath(new URL(path, import.meta.url)), given, {
      execArgv: ['--expose-gc', ...profiling],
    })
    this.#process.on('message', ({ id, value, error }: Reply) => {
      const asked = this.#open.get(id)
      this.#open.delete(id)
      if (error === undefined) asked?.resolve(value)
      else asked?.reject(new Error(error))
    })
    this.#process.on('exit', () => {
      for (const { reject } of this.#open.values()) reject(new Error(`${path} broke off`))
    })
  }

  ask<T = void>(name: string, details: unknown = {}): Promise<T> {
    const id = this.#next++
    this.#process.send({ id, name, details } satisfies Question)
    return new Promise((resolve, reject) => {
      this.#open.set(id, { resolve: resolve as (value: unknown) => void, reject })
    })
  }

  async end(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return
    const gone = once(this.#process, 'exit')
    this.#process.disconnect()
    await gone
  }
}

/** The other side: answers questions by name until the asker is gone. */
export function answer(
  // Each knows what it is asked with; the names connect the two sides.
  answers: Readonly<Record<string, (details: never) => unknown>>,
  atEnd: () => Promise<void> | void = () => undefined,
): void {
  process.on('message', async ({ id, name, details }: Question) => {
    const reply = await attempt(async () => answers[name]?.(details as never))
    process.send?.({ id, ...reply })
  })
  process.on('disconnect', async () => {
    await atEnd()
    process.exit()
  })
}

async function attempt(work: () => Promise<unknown>): Promise<Omit<Reply, 'id'>> {
  try {
    return { value: await work() }
  } catch (error) {
    return { error: (error as Error).stack ?? String(error) }
  }
}

/** Milliseconds of processor time that this process has used: what others do on the machine is not in it. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

export interface Memory {
  readonly resident: number
  readonly heap: number
}

/** What is in use once everything that can be freed is freed. */
export async function memory(): Promise<Memory> {
  for (let time = 0; time < 4; time += 1) {
    globalThis.gc?.()
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const { rss, heapUsed, external } = process.memoryUsage()
  return { resident: rss, heap: heapUsed + external }
}
