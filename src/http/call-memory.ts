// Objects that the server keeps between calls, such as caches.

import type { OverviewFigures } from '../alarms/open/overview-figures.ts'
import { Fault } from '../fault.ts'
import { SerialQueue } from '../pacing/serial-queue.ts'
import { Totals } from '../store/tally.ts'
import { CachedAnswers } from './handlers/cached-answers.ts'

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
