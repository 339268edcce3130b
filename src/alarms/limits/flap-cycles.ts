// Counts how often alarms were raised and recovered recently. In memory only: a restart begins at zero.

const defaultLimit = 20_000

export class FlapCycles {
  readonly #count: number
  readonly #window: number
  readonly #limit: number
  /** The last recovery times of each alarm, in order of the last recovery. */
  readonly #times = new Map<string, readonly number[]>()

  constructor(count: number, window: number, limit = defaultLimit) {
    this.#count = count
    this.#window = window
    this.#limit = limit
  }

  /** The changes of one transaction: visible to it at once, and to others after the commit. */
  begin(): CycleChanges {
    const added = new Map<string, number[]>()
    const forgotten = new Set<string>()
    const former = new Map<string, readonly number[] | undefined>()
    const before = (key: string) => (forgotten.has(key) ? undefined : this.#times.get(key)) ?? []
    const timesOf = (key: string) => [...before(key), ...(added.get(key) ?? [])]
    const isEmpty = () => added.size + this.#times.size === 0
    return {
      get isEmpty() {
        return isEmpty()
      },
      add: (key, at) => {
        const known = added.get(key)
        if (known) known.push(at)
        else added.set(key, [at])
      },
      has: (key) => added.has(key) || this.#times.has(key),
      reachesLimit: (key, at) => {
        if (this.#count === 0 || isEmpty()) return false
        const recent = timesOf(key).filter((time) => Math.abs(at - time) <= this.#window)
        return recent.length >= this.#count
      },
      forget: (key) => {
        added.delete(key)
        forgotten.add(key)
      },
      committed: () => {
        for (const key of [...forgotten, ...added.keys()]) former.set(key, this.#times.get(key))
        for (const key of forgotten) this.#times.delete(key)
        forgotten.clear()
        for (const key of added.keys()) {
          const all = timesOf(key).slice(-this.#count)
          this.#times.delete(key)
          if (this.#count > 0) this.#times.set(key, all)
        }
        if (this.#times.size > this.#limit) this.#makeRoom()
      },
      undone: () => {
        for (const [key, times] of former) {
          if (times) this.#times.set(key, times)
          else this.#times.delete(key)
        }
      },
    }
  }

  get size(): number {
    return this.#times.size
  }

  #makeRoom(): void {
    let excess = this.#times.size - this.#limit / 2
    for (const key of this.#times.keys()) {
      if (excess <= 0) return
      this.#times.delete(key)
      excess -= 1
    }
  }
}

export interface CycleChanges {
  /** Whether no alarm has recovered recently. */
  readonly isEmpty: boolean
  add(key: string, at: number): void
  /** Whether this alarm has recovered recently. */
  has(key: string): boolean
  /** Whether it has had so many cycles recently that the next fault is flapping. */
  reachesLimit(key: string, at: number): boolean
  forget(key: string): void
  committed(): void
  /** As before the commit, which has failed. */
  undone(): void
}
