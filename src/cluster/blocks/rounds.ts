// Work that is done in rounds: whenever the bell rings, and now and then without a ring.

import type { LogSignal } from '../../alarms/log/log-signal.ts'

/** Milliseconds between two rounds where the bell is not rung: a sender of an inform waits for its answer. */
const every = 200

export class PollingLoop {
  readonly #logSignal: LogSignal
  readonly #round: () => Promise<boolean>
  #isStopping = false
  #running: Promise<void> | undefined

  /** `round` returns whether the next one is to follow at once. It does not throw. */
  constructor(logSignal: LogSignal, round: () => Promise<boolean>) {
    this.#logSignal = logSignal
    this.#round = round
  }

  start(): void {
    this.#running = this.#run()
  }

  /** Resolves when the round under way is done. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.#logSignal.wake()
    await this.#running
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      // Before the round: a ring for what comes meanwhile is not missed.
      const rung = this.#logSignal.wait(every)
      if (!(await this.#round())) await rung
    }
  }
}
