// How often alarms were raised and recovered lately. Only in memory: after a restart the count begins anew.

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

  /** What one transaction adds: it counts within it at once, and for others once it is committed. */
  begin(): CyclePart {
    const added = new Map<string, number[]>()
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
      isDue: (key, at) => {
        if (this.#count === 0) return false
        const recent = (time: number) => Math.abs(at - time) <= this.#window
        const here = added.get(key)?.filter(recent).length ?? 0
        return here + (this.#times.get(key)?.filter(recent).length ?? 0) >= this.#count
      },
      forget: (key) => {
        added.delete(key)
        this.#times.delete(key)
      },
      committed: () => {
        for (const [key, times] of added) {
          const all = [...(this.#times.get(key) ?? []), ...times].slice(-this.#count)
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

export interface CyclePart {
  readonly isEmpty: boolean
  add(key: string, at: number): void
  /** Whether it has gone through so many cycles lately that the next fault is flapping. */
  isDue(key: string, at: number): boolean
  forget(key: string): void
  committed(): void
}
