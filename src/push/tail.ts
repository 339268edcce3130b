// The newest entries of the log, kept in memory: read once for all who follow, encoded once per form.

import type { Entry } from '../alarms/log.ts'
import { encode, pushedOf, type Variant } from './documents.ts'
import type { Positions } from './positions.ts'

/** An entry with the forms it was encoded in. */
export class TailEntry {
  readonly entry: Entry
  #encoded: Map<Variant, Buffer> | undefined

  constructor(entry: Entry) {
    this.entry = entry
  }

  as(variant: Variant, positions: Positions): Buffer {
    this.#encoded ??= new Map()
    let bytes = this.#encoded.get(variant)
    if (!bytes) {
      bytes = Buffer.from(encode(pushedOf(this.entry, positions.of(this.entry.number)), variant))
      this.#encoded.set(variant, bytes)
    }
    return bytes
  }
}

// The text of a trap is as long as its sender likes, and each form that clients ask for keeps it once more.
const limit = { entries: 2000, characters: 4 * 1024 * 1024 }

/** Entries without a hole between them. */
export class Tail {
  readonly #entries: TailEntry[] = []
  #characters = 0

  add(entries: readonly TailEntry[]): void {
    for (const item of entries) {
      this.#entries.push(item)
      this.#characters += item.entry.xml.length
    }
    let surplus = 0
    while (this.#entries.length - surplus > limit.entries || this.#characters > limit.characters) {
      this.#characters -= this.#entries[surplus++]?.entry.xml.length ?? 0
    }
    this.#entries.splice(0, surplus)
  }

  clear(): void {
    this.#entries.length = 0
    this.#characters = 0
  }

  /** What follows a cursor; undefined where it begins before the tail does. */
  after(cursor: bigint, count: number): TailEntry[] | undefined {
    const first = this.#entries[0]?.entry.number
    if (first === undefined || first > cursor + 1n) return undefined
    const start = Number(cursor + 1n - first)
    return this.#entries.slice(start, start + count)
  }
}
