// A worker thread that answers requests one after the other, without delaying the main thread.

import { Worker } from 'node:worker_threads'
import { Fault } from '../fault.ts'
import { translateThreadError } from './sqlite/sqlite-faults.ts'

/** An error as a thread sends it: error objects cannot be sent. */
export interface SerializedError {
  readonly message: string
  readonly [detail: string]: unknown
}

export class RequestThread<Question> {
  readonly #worker: Worker
  readonly #waiting = new Map<number, { resolve(answer: unknown): void; reject(error: unknown): void }>()
  #next = 0
  /** False when the thread has ended: the next request needs a new one. */
  alive = true

  /** `revive` restores the error that the thread sent. */
  constructor(module: URL, data: unknown, revive: (error: SerializedError) => unknown) {
    this.#worker = new Worker(module, { workerData: data })
    this.#worker.unref()
    this.#worker.on('message', ({ id, answer, error }) => {
      const waiting = this.#waiting.get(id)
      this.#waiting.delete(id)
      if (error) waiting?.reject(revive(error))
      else waiting?.resolve(answer)
    })
    this.#worker.on('error', (error) => this.#fail(translateThreadError(error)))
    this.#worker.on('exit', () => {
      this.alive = false
      this.#fail(new Fault('unavailable', 'the store is closing'))
    })
  }

  request<T>(question: Question): Promise<T> {
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

/** The URL of a module that runs in a thread, by its path from `base`. In the package it is JavaScript. */
export const threadFile = (path: string, base: string) =>
  new URL(base.endsWith('.ts') ? path : path.replace(/\.ts$/, '.js'), base)
