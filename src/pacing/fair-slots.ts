// Few things at a time, shared fairly by address: an address that wants many at once waits for its own, and others do
// not wait for it.

import { Fault } from '../fault.ts'

interface Limits {
  readonly atOnce: number
  /** Of one address: under way, and waiting. */
  readonly perAddress: number
  readonly waitingPerAddress: number
  readonly waiting: number
}

interface Waiting {
  readonly address: string
  readonly go: () => void
}

export class FairSlots {
  readonly #limits: Limits
  readonly #underWay = new Map<string, number>()
  #running = 0
  #waiting: Waiting[] = []

  constructor(limits: Limits) {
    this.#limits = limits
  }

  async run<T>(address: string, work: () => Promise<T>): Promise<T> {
    await this.#turn(address)
    try {
      return await work()
    } finally {
      this.#count(address, -1)
      this.#next()
    }
  }

  #turn(address: string): Promise<void> | void {
    if (this.#hasRoom(address)) return this.#count(address, 1)
    const own = this.#waiting.filter((one) => one.address === address).length
    const { waiting, waitingPerAddress } = this.#limits
    if (own >= waitingPerAddress || this.#waiting.length >= waiting)
      throw new Fault('unavailable', 'too many people sign in at once: try again')
    return new Promise((go) => {
      this.#waiting.push({ address, go })
    })
  }

  #hasRoom(address: string): boolean {
    const { atOnce, perAddress } = this.#limits
    return this.#running < atOnce && this.#of(address) < perAddress
  }

  /** Of those that wait, one of the address that has fewest under way; the one that came first among these. */
  #next(): void {
    const able = this.#waiting.filter(({ address }) => this.#hasRoom(address))
    const [first, ...others] = able
    if (!first) return
    const next = others.reduce(
      (best, one) => (this.#of(one.address) < this.#of(best.address) ? one : best),
      first,
    )
    this.#waiting = this.#waiting.filter((one) => one !== next)
    this.#count(next.address, 1)
    next.go()
  }

  #of(address: string): number {
    return this.#underWay.get(address) ?? 0
  }

  #count(address: string, change: 1 | -1): void {
    this.#running += change
    const count = this.#of(address) + change
    if (count === 0) this.#underWay.delete(address)
    else this.#underWay.set(address, count)
  }
}
