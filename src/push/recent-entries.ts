// Entries of the log that follow each other, kept in memory: read once for all who want them, encoded once per form.

import type { LogEntry } from '../alarms/log/alarm-log.ts'
import type { Positions } from './positions.ts'
import { carriesPosition, encode, pushedOf, type Variant } from './stream-documents.ts'

/** An entry with the forms it was encoded in. */
export class RecentEntry {
  readonly entry: LogEntry
  /** Most are asked for in one form only. */
  #variant: Variant | undefined
  #bytes: Buffer | undefined
  #others: Map<Variant, Buffer> | undefined

  constructor(entry: LogEntry) {
    this.entry = entry
  }

  as(variant: Variant, positions: Positions): Buffer {
    const known = variant === this.#variant ? this.#bytes : this.#others?.get(variant)
    if (known) return known
    const position = carriesPosition(variant) ? positions.of(this.entry.number) : undefined
    const bytes = Buffer.from(encode(pushedOf(this.entry, position), variant))
    if (this.#variant) {
      this.#others ??= new Map()
      this.#others.set(variant, bytes)
    } else {
      this.#variant = variant
      this.#bytes = bytes
    }
    return bytes
  }
}

// The text of a trap is as long as its sender likes, and each form that clients ask for keeps it once more.
const limit = { entries: 2000, characters: 4 * 1024 * 1024 }

/** Entries without a hole between them. */
export class RecentEntries {
  readonly #entries: RecentEntry[] = []
  #characters = 0

  add(entries: readonly RecentEntry[]): void {
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

  /** What follows a cursor; undefined where that is not in here. */
  after(cursor: bigint, count: number): RecentEntry[] | undefined {
    const first = this.#entries[0]?.entry.number
    if (first === undefined || first > cursor + 1n) return undefined
    const start = Number(cursor + 1n - first)
    return start < this.#entries.length ? this.#entries.slice(start, start + count) : undefined
  }
}
