// A queue of attempts with a pause after each. The attempt with the fewest failures comes first, then the one that has
// waited longest: whoever guesses waits for everyone else.

/** Calls back later; returns a function that cancels it. */
export type Scheduler = (milliseconds: number, work: () => void) => () => void

export const realTime: Scheduler = (milliseconds, work) => {
  const timer = setTimeout(work, milliseconds)
  return () => clearTimeout(timer)
}

export interface AttemptQueueParts {
  /** Milliseconds until the next attempt. */
  readonly pause: () => number
  readonly later: Scheduler
  /** The most attempts that wait. */
  readonly size: number
  readonly onEmpty: () => void
}

/** A waiting attempt. */
export interface Waiting {
  /** Failures so far. */
  readonly rank: number
  /** A second attempt of the same owner replaces the first; attempts without an owner are independent. */
  readonly owner?: string
  /** Called when it may proceed. */
  go(): void
  /** Called when another has taken its place. */
  drop(): void
}

export class AttemptQueue {
  readonly #parts: AttemptQueueParts
  /** In order of arrival. */
  #waiting: Waiting[] = []
  #cancel: (() => void) | undefined

  constructor(parts: AttemptQueueParts) {
    this.#parts = parts
  }

  get length(): number {
    return this.#waiting.length
  }

  /** Returns whether there was room for it. */
  enter(waiting: Waiting): boolean {
    const { owner, rank } = waiting
    const own = this.#waiting.findIndex((one) => owner !== undefined && one.owner === owner)
    if (own >= 0) {
      const [before] = this.#waiting.splice(own, 1, waiting)
      before?.drop()
      return true
    }
    if (this.#waiting.length >= this.#parts.size) {
      const last = this.#waiting.reduce((worst, one) => (one.rank >= worst.rank ? one : worst))
      if (last.rank <= rank) return false
      this.#remove(last)
      last.drop()
    }
    this.#waiting.push(waiting)
    this.#next()
    return true
  }

  /** Called when the pause may have become shorter. */
  recheck(): void {
    this.#cancel?.()
    this.#cancel = undefined
    this.#next()
  }

  /** Drops all waiting attempts. */
  clear(): void {
    this.#cancel?.()
    for (const waiting of this.#waiting.splice(0)) waiting.drop()
    this.#parts.onEmpty()
  }

  #next(): void {
    if (this.#cancel) return
    while (this.#waiting.length > 0) {
      const pause = this.#parts.pause()
      if (pause > 0) {
        // Chosen when the pause is over: an attempt with fewer failures may arrive until then.
        this.#cancel = this.#parts.later(pause, () => {
          this.#cancel = undefined
          this.#give()
          this.#next()
        })
        return
      }
      this.#give()
    }
    this.#parts.onEmpty()
  }

  #give(): void {
    const [first, ...others] = this.#waiting
    if (!first) return
    const best = others.reduce((least, one) => (one.rank < least.rank ? one : least), first)
    this.#remove(best)
    best.go()
  }

  #remove(waiting: Waiting): void {
    this.#waiting = this.#waiting.filter((one) => one !== waiting)
  }
}
