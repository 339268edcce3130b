// The same datagram of the same source again is the same notification, delivered twice: by the network, or by a sender
// that got no answer to its inform. A fault that comes again after its recovery may look the same, byte for byte: where
// that cannot be distinguished, it is new.

import type { Inform, Trap } from '../snmp/decoder.ts'
import type { Datagram } from './datagrams.ts'

/** A datagram that was seen. */
export interface Sighting {
  readonly at: number
  readonly text: string
  /** Set where it was not accepted after all: then the same again is not a repetition. */
  refused: boolean
}

/** Bytes of memory for what was seen recently. */
const limit = 16 * 1024 * 1024
const overhead = 200
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
  see(
    { sourceIp, port, bytes, receivedAt: at }: Datagram,
    trap: Trap,
    inform?: Pick<Inform, 'requestId'>,
  ): { readonly first: Sighting; readonly isAgain: boolean } | undefined {
    if (this.#window === 0) return undefined
    // A sender that waits for answers distinguishes them by their request number: another inform with the same number
    // shows that this sender does not count. The numbers of traps need not grow: only the very last of the source, of
    // whatever kind, can be the same one.
    const text = `${port} ${bytes.toString('latin1')}`
    // A sender that waits for answers distinguishes them by their request number: another inform with the same number
    // shows that its numbers cannot be relied on. Traps have no such order: only the very last of the source, of
    // whatever kind, can be the same one.
    const key = inform ? `${sourceIp} ${port} ${inform.requestId}` : sourceIp
    const window = inform ? this.#window : Math.min(this.#window, underWay)
    const known = this.#young.get(key) ?? this.#old.get(key)
    const isSame = known?.text === text && Math.abs(at - known.at) < window
    if (isSame && !known.refused && isDistinguishable(trap)) return { first: known, isAgain: true }
    this.#age(at, text.length + overhead)
    const first = { at, text, refused: false }
    this.#young.set(sourceIp, first).set(key, first)
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
 * Version 3 with authentication has its own protection against replays. And a device that does not give its uptime may
 * send the same for two faults: one of them must not be taken for the other.
 */
const isDistinguishable = ({ uptime, usm }: Trap) =>
  Number(uptime) > 0 && (usm === undefined || usm.level === 'noAuthNoPriv')
