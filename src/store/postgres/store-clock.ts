// The clock of the server, which all services on the store share, as it is known here from one look at it to the next.
// In between it goes on with the steady clock of this machine: setting the time of the machine changes nothing.

/** Milliseconds since 1970 on the server's clock. */
export const clockSql = '(extract(epoch from clock_timestamp()) * 1000)::bigint'

/** After so many milliseconds it is looked at again, when something is written. */
const freshFor = 1000

/** A value that lies between two others, moved as little as possible from what it was taken for. */
export const between = (value: number, low: number, high: number): number =>
  Math.min(Math.max(value, low), high)

export class StoreClock {
  readonly #steady: () => number
  /** What is to be added to the steady clock. */
  #ahead: number | undefined
  #lookedAt = Number.NEGATIVE_INFINITY

  constructor(steady: () => number = () => performance.now()) {
    this.#steady = steady
  }

  /** As far as is known; before the first look, the time of this machine. */
  now(): number {
    return this.#ahead === undefined ? Date.now() : Math.floor(this.#steady() + this.#ahead)
  }

  /** Looks at it, where the last look was long ago. `read` returns the server's time. */
  async look(read: () => Promise<number>): Promise<void> {
    const before = this.#steady()
    if (before - this.#lookedAt < freshFor) return
    const there = await read()
    const after = this.#steady()
    // The server answered at some moment in between: a slow answer says little, and moves nothing that agrees with it.
    const [low, high] = [there - after, there - before]
    this.#ahead = between(this.#ahead ?? (low + high) / 2, low, high)
    this.#lookedAt = after
  }
}
