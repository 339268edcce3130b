// Sees a clock jump, by comparing it from look to look with clocks of this machine that nobody sets.

import { uptime } from 'node:os'

/** In milliseconds: one that stands still while the machine sleeps, and one that does not. */
export interface SteadyClocks {
  awake(): number
  always(): number
}

const ofMachine: SteadyClocks = { awake: () => performance.now(), always: () => uptime() * 1000 }

const minute = 60_000

export class ClockJumps {
  readonly #limit: number
  readonly #steady: SteadyClocks
  #last: { readonly shown: number; readonly awake: number; readonly always: number } | undefined
  /** Milliseconds. The clock of a server is seen to have gone on only some time after this machine woke up. */
  #slept = 0

  /** Below the limit, in milliseconds, nothing is a jump. */
  constructor(limit: number, steady: SteadyClocks = ofMachine) {
    this.#limit = limit
    this.#steady = steady
  }

  /**
   * By how many milliseconds the clock, which shows this now, has jumped since the last look. That it went on while the
   * machine slept is no jump.
   */
  look(shown: number): number {
    const [awake, always] = [this.#steady.awake(), this.#steady.always()]
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
