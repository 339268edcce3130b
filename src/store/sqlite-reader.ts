// A connection in a thread, and the way to it.

import { Worker } from 'node:worker_threads'
import { Fault } from '../fault.ts'
import type { SqlValue } from './database.ts'
import { translate } from './sqlite-faults.ts'

/** What a reader thread is asked: a query, the work of a module, a copy of the store, to work off the journal. */
export type Question =
  | { readonly sql: string; readonly parameters: readonly SqlValue[] }
  | { readonly module: string; readonly input: unknown }
  | { readonly copyTo: string; readonly now: number }
  | { readonly workOff: true }

/** Pages in the journal, and how many of them are in their place in the store. */
export interface WorkedOff {
  readonly pages: number
  readonly moved: number
}

/** What it reads holds up neither alarms nor other answers. */
export class ReaderThread {
  readonly #worker: Worker
  readonly #waiting = new Map<number, { resolve(answer: unknown): void; reject(error: unknown): void }>()
  #next = 0
  /** A thread that has ended answers nothing: the next read needs a new one. */
  alive = true

  constructor(file: string) {
    const source = import.meta.url.endsWith('.ts') ? './sqlite-thread.ts' : './sqlite-thread.js'
    this.#worker = new Worker(new URL(source, import.meta.url), { workerData: file })
    this.#worker.unref()
    this.#worker.on('message', ({ id, answer, error }) => {
      const waiting = this.#waiting.get(id)
      this.#waiting.delete(id)
      if (error) waiting?.reject(translate(Object.assign(new Error(error.message), error)))
      else waiting?.resolve(answer)
    })
    this.#worker.on('error', (error) => this.#fail(error))
    this.#worker.on('exit', () => {
      this.alive = false
      this.#fail(new Fault('unavailable', 'the store is closing'))
    })
  }

  ask<T>(question: Question): Promise<T> {
    const id = this.#next++
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (answer: unknown) => void, reject })
      this.#worker.postMessage({ id, question })
    })
  }

  #fail(error: unknown): void {
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }
}
