// What waits to be handed over: a queue per source, served in turn, so that a short queue is never behind a long one. A
// block is processed as a whole and holds up what comes behind it: while several sources send, a long queue fills none.

import type { Datagram } from './datagram-block.ts'
import type { Source, Sources } from './source.ts'

/** The most datagrams of one source in a block while others send too. */
const share = 50
/** A source that has sent within this many milliseconds is expected to go on. */
const recently = 1000

export class SenderQueues {
  readonly #sources: Sources
  readonly #limit: number
  readonly #onDropped: (datagram: Datagram) => void
  #bytes = 0
  /** Sources that have something waiting, in the order in which they are served. */
  #turn: Source[] = []
  /** Which source sent last, and when another one last did. */
  #lastSender: Source | undefined
  #lastSentAt = Number.NEGATIVE_INFINITY
  #othersSentAt = Number.NEGATIVE_INFINITY

  constructor(sources: Sources, limit: number, onDropped: (datagram: Datagram) => void) {
    this.#sources = sources
    this.#limit = limit
    this.#onDropped = onDropped
  }

  get isEmpty(): boolean {
    return this.#bytes === 0
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Times are of a steady clock, in milliseconds. */
  add(source: Source, datagram: Datagram, now: number): void {
    if (this.#lastSender !== source) this.#othersSentAt = this.#lastSentAt
    this.#lastSender = source
    this.#lastSentAt = now
    this.#bytes += source.push(datagram)
    if (!source.inTurn) {
      source.inTurn = true
      this.#turn.push(source)
    }
    while (this.#bytes > this.#limit) this.#makeRoom()
  }

  /** One of each, then again one of each; a source that is alone may have all of it. */
  take(limit: number, now: number): Datagram[] {
    const rounds = this.#severalSend(now) ? share : limit
    const taken: Datagram[] = []
    for (let round = 0; round < rounds && taken.length < limit && this.#turn.length > 0; round += 1) {
      const served = this.#turn.splice(0, limit - taken.length)
      for (const source of served) {
        const before = source.bytes
        const datagram = source.shift()
        if (datagram) taken.push(datagram)
        this.#bytes -= before - source.bytes
        source.inTurn = source.waiting > 0
        if (source.inTurn) this.#turn.push(source)
      }
    }
    return taken
  }

  /** Whether several sources wait, or another one than the one that waits has sent recently. */
  #severalSend(now: number): boolean {
    if (this.#turn.length !== 1) return true
    const [only] = this.#turn
    return now - (only === this.#lastSender ? this.#othersSentAt : this.#lastSentAt) <= recently
  }

  /**
   * The longest queue is shortened, from its front: the latest datagrams describe the current state. It loses half, or
   * a little more than is needed, so that not every datagram has to search for the longest.
   */
  #makeRoom(): void {
    let longest = this.#sources.others
    for (const source of this.#sources) if (source.bytes > longest.bytes) longest = source
    const half = longest.bytes / 2
    const enough = this.#limit - this.#limit / 64
    while (longest.bytes > half && this.#bytes > enough) {
      const before = longest.bytes
      const dropped = longest.shift()
      if (!dropped) return
      this.#bytes -= before - longest.bytes
      longest.count('overload', undefined, dropped.receivedAt)
      this.#onDropped(dropped)
    }
  }
}
