// Wakes readers when the alarm log has grown.

/** Carries no data, and a signal may be lost: readers also poll. */
export class LogSignal {
  readonly #waiting = new Set<() => void>()
  readonly #notifyOtherNodes: () => void

  constructor(notifyOtherNodes: () => void = () => undefined) {
    this.#notifyOtherNodes = notifyOtherNodes
  }

  notify(): void {
    this.wake()
    this.#notifyOtherNodes()
  }

  /** Wakes the readers in this process. */
  wake(): void {
    const sleepers = [...this.#waiting]
    this.#waiting.clear()
    for (const wake of sleepers) wake()
  }

  /** Resolves at the next signal, or after this time. */
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
