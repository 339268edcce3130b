// A sender in the receiving thread: its waiting datagrams, its rate, and tallies of datagrams that were not kept.

import type { Datagram } from './datagram-block.ts'

/** What becomes of datagrams that are not handed over, by reason. */
const outcomeOf = {
  overload: 'refused',
  sender: 'refused',
  'too many connections': 'refused',
  'TLS handshake': 'refused',
  storm: 'collapsed',
  duplicate: 'collapsed',
  'message below a threshold': 'filtered',
  'message without a definition': 'filtered',
  'message without an alarm': 'filtered',
} as const

/** Datagrams of one source that were not handed over. */
export interface Tally {
  readonly sourceIp: string
  readonly outcome: 'refused' | 'collapsed' | 'filtered'
  readonly reason: keyof typeof outcomeOf
  /** For a storm: the resource of the alarm that represents it. */
  readonly storm: string | undefined
  times: number
  readonly firstAt: number
  lastAt: number
}

/** Bytes of bookkeeping per waiting datagram. */
const overhead = 200
const costOf = ({ bytes }: Datagram) => bytes.length + overhead

export class Source {
  readonly ip: string
  /** When it last sent something, on the monotonic clock. */
  seenAt = 0
  /** Memory that its waiting datagrams take. */
  bytes = 0
  /** Whether it is in the list of sources that are served in turn. */
  isQueued = false
  /** Datagrams since the last tick. */
  arrived = 0
  /** A leaky bucket that fills with datagrams and drains at the level at which a storm begins. */
  pressure = { amount: 0, at: 0 }
  /** Set while it is in a storm. */
  storm: { readonly about: string; calmSince: number | undefined } | undefined
  /** A token bucket: datagrams that may still pass while it is limited. */
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
    // Shifted datagrams are removed now and then, not each time, because that moves the rest.
    if (this.#next * 2 >= this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#next)
      this.#next = 0
    }
    return datagram
  }

  /** Takes a token, if there is one, at this rate per second and with bursts of this size. */
  spend(perSecond: number, burst: number, now: number): boolean {
    const budget = this.#budget
    budget.amount = Math.min(burst, budget.amount + ((now - budget.at) * perSecond) / 1000)
    budget.at = now
    if (budget.amount < 1) return false
    budget.amount -= 1
    return true
  }

  count(reason: Tally['reason'], storm: string | undefined, at: number): void {
    const tally = this.#tallies.find((known) => known.reason === reason && known.storm === storm)
    if (tally) {
      tally.times += 1
      tally.lastAt = at
      return
    }
    const outcome = outcomeOf[reason]
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

/** The most senders that are distinguished: source addresses can be forged in any number. */
const limit = 10_000
/** Milliseconds of silence after which a sender is forgotten. */
const silence = 60_000

export class Sources {
  readonly #known = new Map<string, Source>()
  readonly #limit: number
  /** Represents all senders beyond the limit. */
  readonly others = new Source('0.0.0.0')

  constructor(sources = limit) {
    this.#limit = sources
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
