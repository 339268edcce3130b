// Long work in the main thread lets others have it, again and again.

import { setImmediate as others } from 'node:timers/promises'

/** Milliseconds. A new caller needs a few turns until it is answered, and they should not add up to what one notices. */
const slice = 8

export class Pace {
  #since = performance.now()

  /** To be called between small steps: most of the time it does nothing. */
  async step(): Promise<void> {
    if (performance.now() - this.#since < slice) return
    await others()
    this.#since = performance.now()
  }
}
