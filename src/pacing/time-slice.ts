// Long work in the main thread yields to others at intervals.

import { yieldThread } from './yield-thread.ts'

/**
 * Milliseconds. A new caller needs a few rounds until it is answered, and they should not add up to a noticeable delay.
 */
const slice = 8

interface TimeSliceParts {
  /** Milliseconds, steady. */
  readonly clock?: () => number
  /** Lets others work, for this long at most. */
  readonly yieldThread?: (milliseconds: number) => Promise<unknown>
  /** Calls back when the event loop has gone round: others have had the thread. */
  readonly onLoopTurn?: (turned: () => void) => void
}

export class TimeSlice {
  readonly #clock: () => number
  readonly #giveWay: (milliseconds: number) => Promise<unknown>
  readonly #onTurn: (turned: () => void) => void
  /**
   * When the work began that has held the thread since the last round of the event loop; undefined when there has been
   * one.
   */
  #since: number | undefined

  constructor({
    clock = () => performance.now(),
    yieldThread: rest = yieldThread,
    onLoopTurn = setImmediate,
  }: TimeSliceParts = {}) {
    this.#clock = clock
    this.#giveWay = rest
    this.#onTurn = onLoopTurn
  }

  /** To be called between small steps: most of the time there is nothing to wait for. */
  step(): Promise<void> | undefined {
    if (this.#since === undefined) {
      this.#begin()
      return undefined
    }
    const held = this.#clock() - this.#since
    return held < slice ? undefined : this.yieldNow(held)
  }

  /** Lets others work now, for this long at most or until they have nothing to do. */
  async yieldNow(milliseconds = slice): Promise<void> {
    await this.#giveWay(milliseconds)
    this.#since = undefined
  }

  #begin(): void {
    this.#since = this.#clock()
    this.#onTurn(() => {
      this.#since = undefined
    })
  }
}
