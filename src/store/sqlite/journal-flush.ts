// Flushes the journal in a thread of the system's pool, one flush for all commits that were made since the last one
// began. A commit appends to the journal without waiting; it is durable when a flush that began after it has succeeded.

import { closeSync, fdatasync, openSync } from 'node:fs'
import { Fault } from '../../fault.ts'

interface FlushParts {
  /** The file of the journal. */
  readonly file: string
  /** Called when a flush begins, which covers all commits so far; false if readers cannot be moved to them. */
  readonly onBegin: () => boolean
  /** Called when the covered commits are durable, before anyone is told. `hasNewer`: others were made meanwhile. */
  readonly onDurable: (hasNewer: boolean) => void
  /** Called when a flush has failed: the process must stop. */
  readonly onFatal: (fault: Fault) => void
}

export class JournalFlush {
  readonly #parts: FlushParts
  readonly #descriptor: number
  /** Those who wait for the flush that runs, and those who wait for the next one. */
  #running: PromiseWithResolvers<void> | undefined
  #next: PromiseWithResolvers<void> | undefined
  #failure: Fault | undefined

  /** The file must exist, and stays the same as long as a connection is open. */
  constructor(parts: FlushParts) {
    this.#parts = parts
    this.#descriptor = openSync(parts.file, 'r+')
  }

  /** Whether commits have been made that may not be durable. */
  get isPending(): boolean {
    return this.#running !== undefined || this.#next !== undefined
  }

  /** What is on the disk is unknown after a flush that failed: nothing more is written. */
  requireWorking(): void {
    if (this.#failure) throw this.#failure
  }

  /** Called after a commit; resolves when it is durable. */
  committed(): Promise<void> {
    this.#next ??= newWait()
    const { promise } = this.#next
    if (!this.#running) this.#flush()
    return promise
  }

  /** Resolves when everything that has been committed by now is durable. */
  async flushed(): Promise<void> {
    this.requireWorking()
    await (this.#next ?? this.#running)?.promise
  }

  /** Resolves when the flush under way has ended, at the latest after so many milliseconds. */
  async waitForCurrent(maxMs: number): Promise<void> {
    if (!this.#running) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, maxMs)
    this.#running.promise.then(resolve, resolve)
    await promise
    clearTimeout(timer)
  }

  #flush(): void {
    const covered = this.#next
    if (!covered || this.#failure) return
    this.#next = undefined
    this.#running = covered
    const isSeen = this.#parts.onBegin()
    fdatasync(this.#descriptor, (error) => {
      this.#running = undefined
      if (error) {
        this.#fail(error, covered)
        return
      }
      if (this.#next && !isSeen) this.#next.promise.then(covered.resolve, covered.reject)
      else {
        try {
          this.#parts.onDurable(this.#next !== undefined)
        } catch (failure) {
          // Otherwise whoever waits would wait for ever.
          this.#fail(failure as Error, covered)
          return
        }
        covered.resolve()
      }
      this.#flush()
    })
  }

  /** The kernel may have dropped what it could not write, and a second flush would not report that. */
  #fail(cause: Error, covered: PromiseWithResolvers<void>): void {
    const fault = new Fault('unavailable', `the disk failed: the journal: ${cause.message}`, { cause })
    this.#failure = fault
    this.#parts.onFatal(fault)
    covered.reject(fault)
    this.#next?.reject(fault)
    this.#next = undefined
  }

  async close(): Promise<void> {
    await this.flushed().catch(() => undefined)
    closeSync(this.#descriptor)
  }
}

function newWait(): PromiseWithResolvers<void> {
  const wait = Promise.withResolvers<void>()
  // Whoever wrote awaits it, and others only where they are in doubt.
  wait.promise.catch(() => undefined)
  return wait
}
