// Detects jumps of a clock, by comparing it with clocks of this machine that nobody sets.

import { uptime } from 'node:os'

/** In milliseconds: a clock that stops while the machine sleeps, and one that does not. */
export interface MonotonicClocks {
  awake(): number
  always(): number
}

const ofMachine: MonotonicClocks = { awake: () => performance.now(), always: () => uptime() * 1000 }

const minute = 60_000

export class ClockJumps {
  readonly #limit: number
  readonly #monotonic: MonotonicClocks
  #last: { readonly shown: number; readonly awake: number; readonly always: number } | undefined
  /** Milliseconds. A server's clock is seen to have advanced only some time after this machine woke up. */
  #slept = 0

  /** Smaller differences than `limit`, in milliseconds, are not jumps. */
  constructor(limit: number, monotonic: MonotonicClocks = ofMachine) {
    this.#limit = limit
    this.#monotonic = monotonic
  }

  /**
   * The number of milliseconds by which the clock, which shows `shown` now, has jumped since the last call. Time that
   * passed while the machine slept does not count.
   */
  look(shown: number): number {
    const [awake, always] = [this.#monotonic.awake(), this.#monotonic.always()]
    const last = this.#last ?? { shown, awake, always }
    this.#last = { shown, awake, always }
    const passed = awake - last.awake
    const slept = always - last.always - passed
    if (slept > minute) this.#slept += slept
    const jump = shown - last.shown - passed
    if (Math.abs(jump) <= this.#limit) return 0
    const rest = jump - this.#slept
    this.#slept = 0
    return Math.abs(rest) <= this.#limit ? 0 : rest
  }
}
