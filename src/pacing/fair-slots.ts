// Few things at a time, shared fairly by address: an address that wants many at once waits for its own, and others do
// not wait for it.

import { Fault } from '../fault.ts'

interface Limits {
  readonly atOnce: number
  /** Of one address: under way, and waiting. */
  readonly ofPlace: number
  readonly waitingOfPlace: number
  readonly waiting: number
}

interface Waiting {
  readonly place: string
  readonly go: () => void
}

export class FairPlaces {
  readonly #limits: Limits
  readonly #underWay = new Map<string, number>()
  #running = 0
  #waiting: Waiting[] = []

  constructor(limits: Limits) {
    this.#limits = limits
  }

  async run<T>(place: string, work: () => Promise<T>): Promise<T> {
    await this.#turn(place)
    try {
      return await work()
    } finally {
      this.#count(place, -1)
      this.#next()
    }
  }

  #turn(place: string): Promise<void> | void {
    if (this.#hasRoom(place)) return this.#count(place, 1)
    const own = this.#waiting.filter((one) => one.place === place).length
    const { waiting, waitingOfPlace } = this.#limits
    if (own >= waitingOfPlace || this.#waiting.length >= waiting)
      throw new Fault('unavailable', 'too many people sign in at once: try again')
    return new Promise((go) => {
      this.#waiting.push({ place, go })
    })
  }

  #hasRoom(place: string): boolean {
    const { atOnce, ofPlace } = this.#limits
    return this.#running < atOnce && this.#of(place) < ofPlace
  }

  /** Of those that wait, one of the address that has fewest under way; the one that came first among these. */
  #next(): void {
    const able = this.#waiting.filter(({ place }) => this.#hasRoom(place))
    const [first, ...others] = able
    if (!first) return
    const next = others.reduce(
      (best, one) => (this.#of(one.place) < this.#of(best.place) ? one : best),
      first,
    )
    this.#waiting = this.#waiting.filter((one) => one !== next)
    this.#count(next.place, 1)
    next.go()
  }

  #of(place: string): number {
    return this.#underWay.get(place) ?? 0
  }

  #count(place: string, change: 1 | -1): void {
    this.#running += change
    const count = this.#of(place) + change
    if (count === 0) this.#underWay.delete(place)
    else this.#underWay.set(place, count)
  }
}
