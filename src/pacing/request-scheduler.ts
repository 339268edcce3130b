// Decides which request begins next. An address that sends many requests at once must not delay others: requests that
// were read together begin a few at a time, the addresses in turn, and new connections are accepted in between.

/** The number of requests that begin before new connections are accepted. */
const perTurn = 8
/** A turn that took longer, in milliseconds, is followed by one request alone. */
const longTurn = 20
/** New connections are accepted one in each round of the event loop: after a long turn there are more rounds. */
const rounds = 5

export class RequestScheduler {
  readonly #waiting = new Map<string, (() => void)[]>()
  #begun = 0
  #scheduled = false
  readonly #clock: () => number
  #lastRound: number
  #roundsToWait = 0
  #allowed = perTurn

  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock
    this.#lastRound = clock()
  }

  /** Begins the request at once if nobody waits. */
  take(address: string, begin: () => void): void {
    this.#schedule()
    if (this.#begun < this.#allowed && this.#waiting.size === 0) {
      this.#begun += 1
      begin()
      return
    }
    const line = this.#waiting.get(address)
    if (line) line.push(begin)
    else this.#waiting.set(address, [begin])
  }

  /** After the sockets have been polled again. */
  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    if (this.#begun === 0) this.#lastRound = this.#clock()
    setImmediate(() => this.#next())
  }

  #next(): void {
    this.#scheduled = false
    this.#adjust()
    if (this.#roundsToWait > 0) this.#roundsToWait -= 1
    else this.#beginSome()
    if (this.#waiting.size > 0 || this.#begun > 0) this.#schedule()
  }

  /** Sets how many may begin by how long the last round took. */
  #adjust(): void {
    const now = this.#clock()
    if (this.#begun > 0) {
      const isLong = now - this.#lastRound > longTurn
      this.#allowed = isLong ? 1 : perTurn
      this.#roundsToWait = isLong && this.#waiting.size > 0 ? rounds : 0
    }
    this.#lastRound = now
    this.#begun = 0
  }

  /** After its turn, an address goes to the end of the queue. */
  #beginSome(): void {
    for (const [address, line] of this.#waiting) {
      this.#waiting.delete(address)
      const begin = line.shift()
      if (line.length > 0) this.#waiting.set(address, line)
      this.#begun += 1
      begin?.()
      if (this.#begun >= this.#allowed) break
    }
  }
}
