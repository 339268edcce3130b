// The same datagram of the same source again is the same notification, delivered twice: by the network, or by a sender
// that got no answer to its inform. A fault that comes again after its recovery may look the same, byte for byte: where
// that cannot be distinguished, it is new.

import type { Fingerprint } from './fingerprint.ts'

/** A datagram that was seen. */
export interface Sighting {
  readonly print: Fingerprint
  /** Set where it was not accepted after all: then the same again is not a repetition. */
  refused: boolean
}

/** Bytes of memory for what was seen recently, and what one takes, about. */
const limit = 16 * 1024 * 1024
const cost = 400
/** Nobody sends a trap again: its copies come from the network, which does not keep them for long. */
const underWay = 5000

export class Duplicates {
  readonly #window: number
  readonly #limit: number
  /**
   * The last datagram of each source, and of each request of it. Two generations: the older one is dropped as a whole.
   */
  #young = new Map<string, Sighting>()
  #old = new Map<string, Sighting>()
  #youngBytes = 0
  #youngSince = 0

  /** The window in milliseconds; 0: nothing is a duplicate. */
  constructor(window: number, most = limit) {
    this.#window = window
    this.#limit = most
  }

  /** What it repeats, or its own sighting; undefined where repetitions are not looked for. */
  see(print: Fingerprint): { readonly first: Sighting; readonly isAgain: boolean } | undefined {
    if (this.#window === 0) return undefined
    const { sourceIp, port, receivedAt: at, requestId } = print
    // A sender that waits for answers distinguishes them by their request number: another inform with the same number
    // shows that its numbers cannot be relied on. Traps have no such order: only the very last of the source, of
    // whatever kind, can be the same one.
    const isInform = requestId !== undefined
    const key = isInform ? `${sourceIp} ${port} ${requestId}` : sourceIp
    const window = isInform ? this.#window : Math.min(this.#window, underWay)
    const known = this.#young.get(key) ?? this.#old.get(key)
    if (known && isSame(known.print, print) && Math.abs(at - known.print.receivedAt) < window) {
      if (!known.refused) return { first: known, isAgain: true }
    }
    this.#age(at)
    const first = { print, refused: false }
    this.#young.set(sourceIp, first).set(key, first)
    return { first, isAgain: false }
  }

  #age(now: number): void {
    this.#youngBytes += cost
    const isFull = this.#youngBytes > this.#limit / 2
    if (!isFull && Math.abs(now - this.#youngSince) < this.#window) return
    this.#old = this.#young
    this.#young = new Map()
    this.#youngBytes = cost
    this.#youngSince = now
  }
}

const isSame = (one: Fingerprint, other: Fingerprint) =>
  one.bytes !== '' && one.bytes === other.bytes && one.port === other.port
