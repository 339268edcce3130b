// Detects notifications that several nodes received, because devices have two receivers configured. The n-th with the
// same content at one node is a copy of the n-th at another. Content alone is not enough: down, up and down within one
// tick of a device's clock are three notifications, of which two look the same.

import type { Fingerprint, Sighting } from './duplicates.ts'

interface Known {
  /** When the first of them was received. */
  readonly at: number
  /** The n-th, at the node where it arrived first. */
  readonly sightings: Sighting[]
  /** How many each node received. */
  readonly counts: Map<string, number>
}

/** The number of contents that are remembered. */
const limit = 100_000

export class OtherNodeCopies {
  readonly #window: number
  readonly #limit: number
  /** By content, the oldest first. */
  readonly #known = new Map<string, Known>()

  /** The window in milliseconds; 0: nothing is a copy. */
  constructor(window: number, contents = limit) {
    this.#window = window
    this.#limit = contents
  }

  /** The sighting that a datagram is a copy of, or its own; undefined where it cannot be determined. */
  see(print: Fingerprint, node: string): { readonly first: Sighting; readonly isAgain: boolean } | undefined {
    if (this.#window === 0 || print.content === '') return undefined
    const known = this.#find(print.content, print.receivedAt)
    const nth = (known.counts.get(node) ?? 0) + 1
    known.counts.set(node, nth)
    const earlier = known.sightings[nth - 1]
    if (earlier && !earlier.refused) return { first: earlier, isAgain: true }
    const first = { print, refused: false }
    known.sightings[nth - 1] = first
    return { first, isAgain: false }
  }

  #find(key: string, at: number): Known {
    const known = this.#known.get(key)
    if (known && Math.abs(at - known.at) < this.#window) return known
    const added = { at, sightings: [], counts: new Map() }
    this.#known.delete(key)
    this.#known.set(key, added)
    this.#forget()
    return added
  }

  #forget(): void {
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= this.#limit) return
      this.#known.delete(oldest)
    }
  }
}
