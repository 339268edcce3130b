// Time that passes as a test says.

import type { Scheduler } from '../../src/pacing/attempt-queue.ts'

interface Due {
  readonly at: number
  readonly work: () => void
}

export class VirtualTime {
  now = 1_000_000_000
  readonly #due = new Set<Due>()

  readonly clock = () => this.now

  readonly later: Scheduler = (milliseconds, work) => {
    const due = { at: this.now + milliseconds, work }
    this.#due.add(due)
    return () => this.#due.delete(due)
  }

  /** What is due happens at its time, and so does what follows from it. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.now + milliseconds
    await processed()
    for (;;) {
      let first: Due | undefined
      for (const due of this.#due) if (due.at <= end && !(first && first.at <= due.at)) first = due
      if (!first) break
      this.#due.delete(first)
      this.now = Math.max(this.now, first.at)
      first.work()
      await processed()
    }
    this.now = end
    await processed()
  }
}

/** Promises that were resolved have been acted on. */
export async function processed(): Promise<void> {
  for (let round = 0; round < 5; round += 1) await undefined
}
