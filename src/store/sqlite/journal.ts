// Checkpoints of SQLite's write-ahead journal, which move its pages into the store. SQLite would do that as part of a
// commit, which would have to wait, and would not report a failure; here a thread does it, and reports.

import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../fault.ts'
import type { StoreCondition } from '../store-condition.ts'
import type { CheckpointResult } from './sqlite-connection.ts'
import { isFlushFailure, isOutOfDescriptors, isSqliteCode } from './sqlite-faults.ts'
import type { ReaderThread } from './sqlite-reader.ts'

/** Pages in the journal that are worth a checkpoint. */
const checkpointPages = 1000
/**
 * The same within a second of the last checkpoint. Blocks of alarms change the same index pages again and again: with
 * fewer pages each was moved more often, which cost a tenth of the processor time of a new alarm, and delayed more
 * alarms on their way to subscribers.
 */
const frequentCheckpointPages = 8000
const second = 1000
/** Milliseconds between two readings of its length, which takes as long as a small insert. */
const countInterval = 20
/** Continuous writing keeps the journal from being reset: above this, writers wait until all pages are moved. */
const blockingPages = 2000
/** Milliseconds between attempts while checkpoints fail. */
const retryDelay = 1000

interface JournalParts {
  readonly thread: () => ReaderThread
  readonly condition: StoreCondition
  /** Runs work while nobody writes. */
  readonly exclusively: <T>(work: () => Promise<T>) => Promise<T>
  /**
   * Called when the store is no longer safe: moved pages could not be flushed, or checkpoints have failed for too long.
   */
  readonly onFatal: (fault: Fault) => void
  /** Seconds for which checkpoints may fail. */
  readonly failureLimit: number
}

export class Journal {
  readonly #parts: JournalParts
  #working: Promise<void> | undefined
  /** Pages that the last checkpoint could not move, because a reader still needs the state before them. */
  #unmoved = 0
  #attemptedAt = Number.NEGATIVE_INFINITY
  #countedAt = Number.NEGATIVE_INFINITY
  #attempting: Promise<boolean> | undefined
  #pages = 0
  #failingSince: number | undefined
  #closed = false
  /** Set when the disk has been full for too long: the journal would grow without limit. */
  refusal: Fault | undefined

  constructor(parts: JournalParts) {
    this.#parts = parts
  }

  /** Called after a commit; `count` returns the pages of the journal that are not yet in the store. */
  grown(count: () => number): void {
    const now = performance.now()
    if (now - this.#countedAt < countInterval) return
    this.#countedAt = now
    const pages = count()
    this.#pages = pages
    this.#unmoved = Math.min(this.#unmoved, pages)
    const isSoon = now - this.#attemptedAt < second
    const due = this.#unmoved + (isSoon ? frequentCheckpointPages : checkpointPages)
    if (pages >= due && !this.#closed) this.#working ??= this.#checkpointUntilDone()
  }

  /** A promise that writers must await when they are faster than the disk. */
  get backpressure(): Promise<unknown> | undefined {
    const isBehind = this.#pages >= this.#unmoved + frequentCheckpointPages + blockingPages
    return isBehind ? this.#attempting : undefined
  }

  async #checkpointUntilDone(): Promise<void> {
    try {
      while (!this.#closed) {
        this.#attempting = this.#attempt()
        if (await this.#attempting) return
        this.#attempting = undefined
        await sleep(retryDelay)
      }
    } finally {
      this.#attempting = undefined
      this.#working = undefined
    }
  }

  /** Returns whether it succeeded. */
  async #attempt(): Promise<boolean> {
    const { thread, exclusively, condition } = this.#parts
    const once = () => thread().request<CheckpointResult>({ checkpoint: true })
    try {
      let { pages, moved } = await once()
      // Few pages are left now; with writers paused, all are moved, except those that a reader needs.
      const isNearlyDone = pages - moved < blockingPages
      if (pages >= blockingPages && isNearlyDone) ({ pages, moved } = await exclusively(once))
      this.#unmoved = pages - moved
    } catch (error) {
      if (!this.#closed) this.#failed(error)
      return false
    } finally {
      this.#attemptedAt = performance.now()
    }
    this.#failingSince = undefined
    this.refusal = undefined
    condition.works('journal')
    return true
  }

  #failed(error: unknown): void {
    const { condition, failureLimit, onFatal } = this.#parts
    const { message, cause } = error as Error
    const fault = new Fault('unavailable', `the journal cannot be worked off: ${message}`, { cause: error })
    condition.failed('journal', fault)
    // Pages moved before would not be written again, but after a restart all pages of the journal are.
    if (isFlushFailure(cause)) onFatal(fault)
    this.#failingSince ??= performance.now()
    if (performance.now() - this.#failingSince < failureLimit * 1000) return
    // A full disk may be cleaned up, and clients may disconnect; until then, data in memory must not be lost.
    if (isSqliteCode(cause, 'full') || isOutOfDescriptors(error)) this.refusal = fault
    else onFatal(fault)
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#working
  }
}
