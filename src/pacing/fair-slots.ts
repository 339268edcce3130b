// Runs a few tasks at a time, shared fairly by address: an address that wants many waits for its own tasks, and others do
// not wait for it. Trusted callers, who have no address here, come first.

import { Fault } from '../fault.ts'

interface Limits {
  readonly atOnce: number
  /** Running tasks of one address. */
  readonly perAddress: number
  /** Waiting tasks: of all addresses, and as many again of trusted callers. */
  readonly waiting: number
  readonly waitingPerAddress: number
  /** Addresses of one network share a quarter of the waiting tasks. */
  readonly networkOf?: (address: string) => string
}

interface Waiting {
  /** Undefined for a trusted caller. */
  readonly address: string | undefined
  readonly start: () => void
}

export class FairSlots {
  readonly #limits: Limits
  readonly #runningByAddress = new Map<string | undefined, number>()
  #running = 0
  #waiting: Waiting[] = []

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** Throws if too many wait. */
  async run<T>(address: string | undefined, work: () => Promise<T>): Promise<T> {
    await this.#enter(address)
    try {
      return await work()
    } finally {
      this.#count(address, -1)
      this.#startNext()
    }
  }

  #enter(address: string | undefined): Promise<void> | void {
    if (this.#hasRoom(address)) return this.#count(address, 1)
    if (this.#isCrowded(address)) throw new Fault('unavailable', 'too many people sign in at once: try again')
    return new Promise((start) => {
      this.#waiting.push({ address, start })
    })
  }

  #hasRoom(address: string | undefined): boolean {
    const { atOnce, perAddress } = this.#limits
    return this.#running < atOnce && (address === undefined || this.#of(address) < perAddress)
  }

  #isCrowded(address: string | undefined): boolean {
    const { waiting, waitingPerAddress, networkOf } = this.#limits
    const trusted = this.#waiting.filter((task) => task.address === undefined)
    if (address === undefined) return trusted.length >= waiting
    if (this.#waiting.length - trusted.length >= waiting) return true
    if (this.#waiting.filter((task) => task.address === address).length >= waitingPerAddress) return true
    if (!networkOf) return false
    const network = networkOf(address)
    const near = this.#waiting.filter(
      (task) => task.address !== undefined && networkOf(task.address) === network,
    )
    return near.length >= Math.max(waitingPerAddress, waiting / 4)
  }

  /**
   * Trusted callers first, then the address with the fewest running tasks; of these, the one that has waited longest.
   */
  #startNext(): void {
    const [first, ...others] = this.#waiting.filter(({ address }) => this.#hasRoom(address))
    if (!first) return
    const rank = ({ address }: Waiting) => (address === undefined ? -1 : this.#of(address))
    const next = others.reduce((best, task) => (rank(task) < rank(best) ? task : best), first)
    this.#waiting = this.#waiting.filter((task) => task !== next)
    this.#count(next.address, 1)
    next.start()
  }

  #of(address: string | undefined): number {
    return this.#runningByAddress.get(address) ?? 0
  }

  #count(address: string | undefined, change: 1 | -1): void {
    this.#running += change
    const count = this.#of(address) + change
    if (count === 0) this.#runningByAddress.delete(address)
    else this.#runningByAddress.set(address, count)
  }
}
