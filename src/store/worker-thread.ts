// A thread that gets requests, and answers one after the other.

import { Worker } from 'node:worker_threads'
import { Fault } from '../fault.ts'
import { orNoDescriptors } from './sqlite/sqlite-faults.ts'

/** An error as it is sent by a thread: its parts, since the object itself cannot be sent. */
export interface SentError {
  readonly message: string
  readonly [detail: string]: unknown
}

/** Neither alarms nor other answers wait for its work. */
export class AskedThread<Question> {
  readonly #worker: Worker
  readonly #waiting = new Map<number, { resolve(answer: unknown): void; reject(error: unknown): void }>()
  #next = 0
  /** A thread that has ended answers nothing: the next question needs a new one. */
  alive = true

  /** `revive` turns what the thread sent into the error that it threw. */
  constructor(module: URL, data: unknown, revive: (error: SentError) => unknown) {
    this.#worker = new Worker(module, { workerData: data })
    this.#worker.unref()
    this.#worker.on('message', ({ id, answer, error }) => {
      const waiting = this.#waiting.get(id)
      this.#waiting.delete(id)
      if (error) waiting?.reject(revive(error))
      else waiting?.resolve(answer)
    })
    this.#worker.on('error', (error) => this.#fail(orNoDescriptors(error)))
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

/**
 * The URL of a module that runs in a thread, by its path from `base`, the module that starts it. In the package it is
 * JavaScript.
 */
export const threadFile = (path: string, base: string) =>
  new URL(base.endsWith('.ts') ? path : path.replace(/\.ts$/, '.js'), base)
