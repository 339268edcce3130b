// Measures how late timers of this process are, which shows whether it gets too little processor time.

import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Milliseconds. The process's own work delays timers by some tens of them. */
const late = 250
const every = 50
const remembered = 10_000

export class ProcessorDelay {
  readonly #delays = monitorEventLoopDelay({ resolution: every })
  readonly #timer: NodeJS.Timeout
  /** The longest delay of the previous period. */
  #before = 0

  constructor() {
    this.#delays.enable()
    this.#timer = setInterval(() => {
      this.#before = this.#longest
      this.#delays.reset()
    }, remembered / 2).unref()
  }

  get #longest(): number {
    return this.#delays.max / 1e6 - every
  }

  /** Whether a timer was late in the last seconds. */
  get isDelayed(): boolean {
    return Math.max(this.#before, this.#longest) > late
  }

  end(): void {
    clearInterval(this.#timer)
    this.#delays.disable()
  }
}
