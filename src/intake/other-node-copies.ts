// The same notification received at several nodes: devices have two receivers configured. The n-th with the same
// content at one node is a copy of the n-th at another. The content alone is not enough: down, up and down within one
// tick of a device's clock are three notifications, and the two downs look the same.

import type { Sighting } from './duplicates.ts'
import type { Fingerprint } from './fingerprint.ts'

interface Known {
  /** When the first of them came. */
  readonly at: number
  /** The n-th, wherever it came first. */
  readonly sightings: Sighting[]
  /** How many came at each node. */
  readonly counts: Map<string, number>
}

/** Contents that are remembered. */
const limit = 100_000

export class OtherNodeCopies {
  readonly #window: number
  readonly #limit: number
  /** By content; those that came first are first. */
  readonly #known = new Map<string, Known>()

  /** The window in milliseconds; 0: nothing is a copy. */
  constructor(window: number, most = limit) {
    this.#window = window
    this.#limit = most
  }

  /** What it is a copy of, or its own sighting; undefined where it cannot be determined. */
  see(print: Fingerprint, node: string): { readonly first: Sighting; readonly isAgain: boolean } | undefined {
    if (this.#window === 0 || print.content === '') return undefined
    const known = this.#find(print.content, print.receivedAt)
    const nth = (known.counts.get(node) ?? 0) + 1
    known.counts.set(node, nth)
    const before = known.sightings[nth - 1]
    if (before && !before.refused) return { first: before, isAgain: true }
    const first = { print, refused: false }
    known.sightings[nth - 1] = first
    return { first, isAgain: false }
  }

  #find(key: string, at: number): Known {
    const known = this.#known.get(key)
    if (known && Math.abs(at - known.at) < this.#window) return known
    const begun = { at, sightings: [], counts: new Map() }
    this.#known.delete(key)
    this.#known.set(key, begun)
    this.#forget()
    return begun
  }

  #forget(): void {
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= this.#limit) return
      this.#known.delete(oldest)
    }
  }
}
