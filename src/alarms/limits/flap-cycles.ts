// How often alarms were raised and recovered recently. Kept in memory only: after a restart counting begins anew.

const limit = 20_000

export class Cycles {
  readonly #count: number
  readonly #window: number
  readonly #limit: number
  /** When each was recovered, the last few times; those that were recovered longest ago come first. */
  readonly #times = new Map<string, readonly number[]>()

  constructor(count: number, window: number, most = limit) {
    this.#count = count
    this.#window = window
    this.#limit = most
  }

  /** What one transaction adds: visible inside it at once, and to others once it is committed. */
  begin(): CycleChanges {
    const added = new Map<string, number[]>()
    const forgotten = new Set<string>()
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
      isDue: (key, at) => {
        if (this.#count === 0 || isEmpty()) return false
        const recent = timesOf(key).filter((time) => Math.abs(at - time) <= this.#window)
        return recent.length >= this.#count
      },
      forget: (key) => {
        added.delete(key)
        forgotten.add(key)
      },
      committed: () => {
        for (const key of forgotten) this.#times.delete(key)
        forgotten.clear()
        for (const key of added.keys()) {
          const all = timesOf(key).slice(-this.#count)
          this.#times.delete(key)
          if (this.#count > 0) this.#times.set(key, all)
        }
        if (this.#times.size > this.#limit) this.#makeRoom()
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
  /** Whether nothing has been recovered recently. */
  readonly isEmpty: boolean
  add(key: string, at: number): void
  /** Whether it has been recovered recently. */
  has(key: string): boolean
  /** Whether it has gone through so many cycles recently that the next fault is flapping. */
  isDue(key: string, at: number): boolean
  forget(key: string): void
  committed(): void
}
