// What the server remembers from one call to the next.

import { Fault } from '../fault.ts'
import { Totals } from '../store/tally.ts'
import type { SeenOverview } from './handlers/overview.ts'
import { RememberedAnswers } from './handlers/remembered.ts'

export class CallMemory {
  readonly answers = new RememberedAnswers()
  readonly totals = new Totals()
  overview: SeenOverview | undefined
  /** Imports that are under way. */
  imports = 0
  #storeIsRead = false

  /** A backup and a check read the whole store: two at once would only take longer, and many would take the disk. */
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
