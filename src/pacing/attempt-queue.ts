// Attempts that wait for their turn. One has its turn when the pause after those before it is over. The one that has
// failed least comes first, then the one that has waited longest: whoever guesses goes behind everyone else.

/** Time as it passes: calls back later, unless that is cancelled. */
export type Scheduler = (milliseconds: number, work: () => void) => () => void

export const realTime: Scheduler = (milliseconds, work) => {
  const timer = setTimeout(work, milliseconds)
  return () => clearTimeout(timer)
}

export interface AttemptQueueParts {
  /** Milliseconds until the next may have its turn. */
  readonly pause: () => number
  readonly later: Scheduler
  /** How many wait. */
  readonly size: number
  readonly onEmpty: () => void
}

/** One that waits. */
export interface Waiting {
  /** Failures so far. */
  readonly rank: number
  /** A second one of the same owner takes the place of the first; without an owner, each has a place of its own. */
  readonly owner?: string
  /** Its turn has come. */
  go(): void
  /** It has lost its place to another. */
  drop(): void
}

export class AttemptQueue {
  readonly #parts: AttemptQueueParts
  /** In the order in which they came. */
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

  /** The pause may have become shorter. */
  look(): void {
    this.#cancel?.()
    this.#cancel = undefined
    this.#next()
  }

  /** Nobody waits any longer. */
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
        // Whoever it is then: somebody who has failed less may come until then.
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
