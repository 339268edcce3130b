/**
 * Wakes sleeping readers when the log has grown. It carries no data and a ring may be lost: readers also look by
 * themselves.
 */
export class LogSignal {
  readonly #waiting = new Set<() => void>()
  readonly #notifyOthers: () => void

  /** `ringOthers` rings at other nodes. */
  constructor(ringOthers: () => void = () => undefined) {
    this.#notifyOthers = ringOthers
  }

  notify(): void {
    this.wake()
    this.#notifyOthers()
  }

  /** Wakes those who sleep here. */
  wake(): void {
    const sleepers = [...this.#waiting]
    this.#waiting.clear()
    for (const wake of sleepers) wake()
  }

  /** Resolves at the next ring, or after the given time. */
  wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        this.#waiting.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, milliseconds)
      timer.unref()
      this.#waiting.add(wake)
    })
  }
}
