// The same datagram of the same source again is the same notification, delivered twice: by the network, or by a sender
// that got no answer to its inform.

import type { Datagram } from './datagrams.ts'
import type { Trap } from './snmp.ts'

/** A datagram that was seen. */
export interface Sighting {
  readonly at: number
  /** Set where it was not taken after all: then the same again is not a repetition. */
  refused: boolean
}

/** Bytes of memory for what was seen lately. */
const limit = 16 * 1024 * 1024
const overhead = 100

export class Duplicates {
  readonly #window: number
  readonly #limit: number
  /** Two generations: the older one goes as a whole. */
  #young = new Map<string, Sighting>()
  #old = new Map<string, Sighting>()
  #youngBytes = 0
  #youngSince = 0

  /** The window in milliseconds; 0: nothing is a duplicate. */
  constructor(window: number, most = limit) {
    this.#window = window
    this.#limit = most
  }

  /** What it repeats, or its own sighting; undefined where it cannot be told. */
  see(
    { sourceIp, port, bytes, receivedAt: at }: Datagram,
    trap: Trap,
  ): { readonly first: Sighting; readonly isAgain: boolean } | undefined {
    if (this.#window === 0 || !canBeTold(trap)) return undefined
    // The text itself is the key, for a mere hash of it could be met on purpose.
    const key = `${sourceIp} ${port} ${bytes.toString('latin1')}`
    const known = this.#young.get(key) ?? this.#old.get(key)
    if (known && !known.refused && Math.abs(at - known.at) < this.#window) {
      return { first: known, isAgain: true }
    }
    this.#age(at, key.length + overhead)
    const first = { at, refused: false }
    this.#young.set(key, first)
    return { first, isAgain: false }
  }

  #age(now: number, bytes: number): void {
    this.#youngBytes += bytes
    const isFull = this.#youngBytes > this.#limit / 2
    if (!isFull && Math.abs(now - this.#youngSince) < this.#window) return
    this.#old = this.#young
    this.#young = new Map()
    this.#youngBytes = bytes
    this.#youngSince = now
  }
}

/**
 * Version 3 with authentication has its own protection against replays. And a device that does not say how long it has
 * been up may say the same of two faults: one of them must not be taken for the other.
 */
const canBeTold = ({ uptime, usm }: Trap) =>
  Number(uptime) > 0 && (usm === undefined || usm.level === 'noAuthNoPriv')
