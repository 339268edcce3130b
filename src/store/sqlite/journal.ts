// SQLite's journal. Commits go to it, and now and then its content is moved to its place in the store. SQLite would do
// that as part of a commit, which waits for it, and would not report a failure; here a thread does it, and reports.

import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../fault.ts'
import type { StoreCondition } from '../store-condition.ts'
import type { WorkedOff } from './sqlite-connection.ts'
import { saysNoDescriptors, saysNotFlushed, saysSqlite } from './sqlite-faults.ts'
import type { ReaderThread } from './sqlite-reader.ts'

/** Pages of the journal that are worth working off. */
const enough = 1000
/**
 * The same within a second of the last time. Blocks of alarms change the same pages of indexes again and again: with
 * fewer, each was moved more often, which took a tenth of the processor time of a new alarm, and made more alarms wait
 * for the disk on their way to subscribers.
 */
const enoughAgain = 8000
const second = 1000
/** Milliseconds. Short commits fill the journal slowly, and asking for its length takes as long as a small insert. */
const countEvery = 20
/** Writers that never rest keep the journal from starting anew: from here on they wait until all of it is worked off. */
const tooMany = 2000
/** Milliseconds between attempts while it fails. */
const pause = 1000

interface JournalParts {
  readonly thread: () => ReaderThread
  readonly condition: StoreCondition
  /** Runs work while nobody writes. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>
  /** Called when nothing may be promised any more: what was moved could not be flushed, or the disk refuses for too long. */
  readonly onFatal: (fault: Fault) => void
  /** Seconds for which it may fail. */
  readonly patience: number
}

export class Journal {
  readonly #parts: JournalParts
  #working: Promise<void> | undefined
  /** Pages that the last attempt could not move: a reader still needs the state before them. */
  #left = 0
  #attemptedAt = Number.NEGATIVE_INFINITY
  #countedAt = Number.NEGATIVE_INFINITY
  #attempting: Promise<boolean> | undefined
  #pages = 0
  #failingSince: number | undefined
  #closed = false
  /** Set where there has been no room for too long: the journal would grow without end. */
  refusal: Fault | undefined

  constructor(parts: JournalParts) {
    this.#parts = parts
  }

  /** Called after a commit; `count` reads how many pages are in the journal and not in the store. */
  grown(count: () => number): void {
    const now = performance.now()
    if (now - this.#countedAt < countEvery) return
    this.#countedAt = now
    const pages = count()
    this.#pages = pages
    this.#left = Math.min(this.#left, pages)
    const isSoon = now - this.#attemptedAt < second
    const due = this.#left + (isSoon ? enoughAgain : enough)
    if (pages >= due && !this.#closed) this.#working ??= this.#workOff()
  }

  /** What a writer that is faster than the disk has to wait for. */
  get keepingUp(): Promise<unknown> | undefined {
    const isBehind = this.#pages >= this.#left + enoughAgain + tooMany
    return isBehind ? this.#attempting : undefined
  }

  async #workOff(): Promise<void> {
    try {
      while (!this.#closed) {
        this.#attempting = this.#attempt()
        if (await this.#attempting) return
        this.#attempting = undefined
        await sleep(pause)
      }
    } finally {
      this.#attempting = undefined
      this.#working = undefined
    }
  }

  /** Whether it worked. */
  async #attempt(): Promise<boolean> {
    const { thread, alone, condition } = this.#parts
    const once = () => thread().ask<WorkedOff>({ workOff: true })
    try {
      let { pages, moved } = await once()
      // Beside writers, little is left by now; without them, all of it is moved. Pages that a reader needs wait for it.
      const isNearlyDone = pages - moved < tooMany
      if (pages >= tooMany && isNearlyDone) ({ pages, moved } = await alone(once))
      this.#left = pages - moved
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
    const { condition, patience, onFatal } = this.#parts
    const { message, cause } = error as Error
    const fault = new Fault('unavailable', `the journal cannot be worked off: ${message}`, { cause: error })
    condition.failed('journal', fault)
    // Pages that were moved before are not written again; after a new start, all that is in the journal is.
    if (saysNotFlushed(cause)) onFatal(fault)
    this.#failingSince ??= performance.now()
    if (performance.now() - this.#failingSince < patience * 1000) return
    // A full disk is freed one day, and clients close connections; what waits in memory must not be lost before.
    if (saysSqlite(cause, 'full') || saysNoDescriptors(error)) this.refusal = fault
    else onFatal(fault)
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#working
  }
}
