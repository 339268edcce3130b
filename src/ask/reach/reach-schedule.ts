// Which devices are due: a wheel of short periods, so that neither adding one nor finding the due ones takes longer when
// there are many.

/** Milliseconds. */
const period = 100

export class ReachSchedule<T> {
  readonly #wheel = new Map<number, T[]>()
  #done: number

  constructor(now: number) {
    this.#done = Math.floor(now / period)
  }

  /** `at` and `now`, here and below: milliseconds on the clock of this process. */
  add(entry: T, at: number): void {
    // Never early: whoever is asked before its moment would be asked again at it.
    const slot = Math.max(Math.ceil(at / period), this.#done + 1)
    const others = this.#wheel.get(slot)
    if (others) others.push(entry)
    else this.#wheel.set(slot, [entry])
  }

  /** Takes those whose time has come. */
  takeDue(now: number): T[] {
    const until = Math.floor(now / period)
    const due: T[] = []
    // After a long sleep, the slots are fewer than the periods.
    const slots =
      until - this.#done > this.#wheel.size
        ? [...this.#wheel.keys()].filter((slot) => slot <= until).toSorted((a, b) => a - b)
        : Array.from({ length: until - this.#done }, (_, index) => this.#done + 1 + index)
    for (const slot of slots) {
      due.push(...(this.#wheel.get(slot) ?? []))
      this.#wheel.delete(slot)
    }
    this.#done = Math.max(this.#done, until)
    return due
  }
}
