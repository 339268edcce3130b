// Objects that the server keeps between calls, such as caches.

import type { OverviewFigures } from '../alarms/open/overview-figures.ts'
import { Fault } from '../fault.ts'
import { SerialQueue } from '../pacing/serial-queue.ts'
import type { Database } from '../store/database.ts'
import { versionOf } from '../store/table-cache.ts'
import { Totals } from '../store/tally.ts'

/** The figures, and when they were read. */
interface SeenOverview {
  readonly at: number
  readonly figures: Promise<OverviewFigures>
}

export class ServerMemory {
  readonly answers = new CachedAnswers()
  readonly totals = new Totals()
  overview: SeenOverview | undefined
  /** One after the other: a crowd of dry runs would keep other long reads waiting. */
  readonly dryRuns = new SerialQueue()
  /** The same of reads of syslog messages in memory. */
  readonly messageReads = new SerialQueue()
  /** Imports that are under way. */
  imports = 0
  #storeIsRead = false

  /** A backup and a check read the whole store: two at once would only take longer, and many would use up the disk. */
  async alone(work: () => Promise<void>): Promise<void> {
    if (this.#storeIsRead) throw new Fault('conflict', 'a backup or a check is under way: one at a time')
    this.#storeIsRead = true
    try {
      await work()
    } finally {
      this.#storeIsRead = false
    }
  }
}

// A cache of short answers to lists, because boards and programs poll the same page. An answer is valid until a table
// that it was read from is written to.

interface CachedAnswer {
  readonly text: string
  readonly total: number
}

interface Kept extends CachedAnswer {
  readonly tables: readonly string[]
  readonly version: number
}

const answerLimit = 64 * 1024
const wholeLimit = 4 * 1024 * 1024

class CachedAnswers {
  readonly #answers = new Map<string, Kept>()
  #size = 0

  find(database: Database, key: string): CachedAnswer | undefined {
    const kept = this.#answers.get(key)
    if (kept === undefined) return undefined
    if (kept.version === versionOf(database, kept.tables)) return kept
    this.#forget(key, kept)
    return undefined
  }

  /** `version` is that of the tables before they were read: what was written meanwhile must not be missed. */
  keep(key: string, answer: Kept): void {
    if (answer.text.length > answerLimit) return
    const before = this.#answers.get(key)
    if (before) this.#forget(key, before)
    this.#answers.set(key, answer)
    this.#size += sizeOf(key, answer)
    for (const [oldest, kept] of this.#answers) {
      if (this.#size <= wholeLimit) break
      this.#forget(oldest, kept)
    }
  }

  #forget(key: string, kept: Kept): void {
    this.#answers.delete(key)
    this.#size -= sizeOf(key, kept)
  }
}

const sizeOf = (key: string, { text }: CachedAnswer) => key.length + text.length
