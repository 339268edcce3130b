/**
 * Wakes sleeping readers when the log has grown. It carries no data and a ring may be lost: readers also look by
 * themselves.
 */
export class Bell {
  readonly #sleepers = new Set<() => void>()
  readonly #ringOthers: () => void

  /** `ringOthers` rings at other nodes. */
  constructor(ringOthers: () => void = () => undefined) {
    this.#ringOthers = ringOthers
  }

  ring(): void {
    this.wake()
    this.#ringOthers()
  }

  /** Wakes those who sleep here. */
  wake(): void {
    const sleepers = [...this.#sleepers]
    this.#sleepers.clear()
    for (const wake of sleepers) wake()
  }

  /** Resolves at the next ring, or after the given time. */
  wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        this.#sleepers.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, milliseconds)
      timer.unref()
      this.#sleepers.add(wake)
    })
  }
}
