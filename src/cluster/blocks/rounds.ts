// Repeats work whenever the log signals, and at intervals without a signal.

import type { LogSignal } from '../../alarms/log/log-signal.ts'

/** Milliseconds without a signal until the next round; senders of informs wait for their answers. */
const interval = 200

export class PollingLoop {
  readonly #logSignal: LogSignal
  readonly #round: () => Promise<boolean>
  #isStopping = false
  #running: Promise<void> | undefined

  /** `round` returns whether the next one follows at once. It must not throw. */
  constructor(logSignal: LogSignal, round: () => Promise<boolean>) {
    this.#logSignal = logSignal
    this.#round = round
  }

  start(): void {
    this.#running = this.#run()
  }

  /** Resolves when the current round is over. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.#logSignal.wake()
    await this.#running
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      // Before the round, so that a signal during it is not missed.
      const signalled = this.#logSignal.wait(interval)
      if (!(await this.#round())) await signalled
    }
  }
}
