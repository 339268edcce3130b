// A sender as the receiving thread knows it: its waiting datagrams, its rate, and what was not accepted.

import type { Datagram } from './datagram-block.ts'

/** Datagrams of one source that were not handed over. */
export interface Tally {
  readonly sourceIp: string
  readonly outcome: 'refused' | 'collapsed'
  readonly reason: 'overload' | 'storm' | 'duplicate'
  /** Of a storm: the resource of the alarm that stands for them. */
  readonly storm: string | undefined
  times: number
  readonly firstAt: number
  lastAt: number
}

/** Datagrams wait in the order they came, each with the memory of the bookkeeping around it. */
const overhead = 200
const costOf = ({ bytes }: Datagram) => bytes.length + overhead

export class Source {
  readonly ip: string
  /** When something came last, on the steady clock. */
  seenAt = 0
  /** What its waiting datagrams take in memory. */
  bytes = 0
  /** Whether it is in the queue of sources that are served in turn. */
  inTurn = false
  /** Since the last tick. */
  arrived = 0
  /** How much more came recently than the level at which a storm begins: drains at that level. */
  pressure = { amount: 0, at: 0 }
  /** Set while it storms. */
  storm: { readonly about: string; calmSince: number | undefined } | undefined
  /** What it may still have handed over while it is held back. */
  readonly #budget = { amount: Number.POSITIVE_INFINITY, at: 0 }
  #waiting: Datagram[] = []
  #next = 0
  #tallies: Tally[] = []

  constructor(ip: string) {
    this.ip = ip
  }

  get waiting(): number {
    return this.#waiting.length - this.#next
  }

  push(datagram: Datagram): number {
    this.#waiting.push(datagram)
    this.bytes += costOf(datagram)
    return costOf(datagram)
  }

  shift(): Datagram | undefined {
    const datagram = this.#waiting[this.#next]
    if (!datagram) return undefined
    this.#next += 1
    this.bytes -= costOf(datagram)
    // What was taken is removed now and then, not each time: moving the rest is the cost.
    if (this.#next * 2 >= this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#next)
      this.#next = 0
    }
    return datagram
  }

  /** Whether one more may pass at this rate a second, with a burst of this size. */
  spend(perSecond: number, burst: number, now: number): boolean {
    const budget = this.#budget
    budget.amount = Math.min(burst, budget.amount + ((now - budget.at) * perSecond) / 1000)
    budget.at = now
    if (budget.amount < 1) return false
    budget.amount -= 1
    return true
  }

  count(reason: Tally['reason'], storm: string | undefined, at: number): void {
    const tally = this.#tallies.find((one) => one.reason === reason && one.storm === storm)
    if (tally) {
      tally.times += 1
      tally.lastAt = at
      return
    }
    const outcome = reason === 'overload' ? 'refused' : 'collapsed'
    this.#tallies.push({ sourceIp: this.ip, outcome, reason, storm, times: 1, firstAt: at, lastAt: at })
  }

  takeTallies(): Tally[] {
    const tallies = this.#tallies
    if (tallies.length > 0) this.#tallies = []
    return tallies
  }

  get isIdle(): boolean {
    return this.waiting === 0 && !this.storm && this.#tallies.length === 0
  }
}

/** The limit of senders that are kept apart: they may forge as many addresses as they like. */
const limit = 10_000
/** Milliseconds of silence after which a sender is forgotten. */
const silence = 60_000

export class Sources {
  readonly #known = new Map<string, Source>()
  readonly #limit: number
  /** All beyond the limit, as one. */
  readonly others = new Source('0.0.0.0')

  constructor(most = limit) {
    this.#limit = most
  }

  get size(): number {
    return this.#known.size
  }

  find(ip: string, now: number): Source {
    let source = this.#known.get(ip)
    if (!source) {
      if (this.#known.size >= this.#limit) source = this.others
      else {
        source = new Source(ip)
        this.#known.set(ip, source)
      }
    }
    source.seenAt = now
    return source
  }

  *[Symbol.iterator](): Generator<Source> {
    yield* this.#known.values()
    yield this.others
  }

  forgetSilent(now: number): void {
    for (const [ip, source] of this.#known) {
      if (now - source.seenAt > silence && source.isIdle) this.#known.delete(ip)
    }
  }
}
