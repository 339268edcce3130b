// Reads the alarm log for streams: new entries for those that wait, older ones for those that catch up. Entries may
// have been removed before anyone read them, so every read checks that it continues where the last one ended.

import { type LogEntry, readEntriesAfter } from '../alarms/log/alarm-log.ts'
import { lastEntryNumber } from '../alarms/log/epochs.ts'
import type { Database } from '../store/database.ts'
import type { Hole, Positions } from './positions.ts'
import { carriesPosition, encode, pushedOf, type Variant } from './stream-documents.ts'

/** The result of a read: a hole, or consecutive entries. */
interface Following {
  readonly hole?: Hole
  readonly items: readonly RecentEntry[]
  /** Whether there may be more after it. */
  readonly more: boolean
}

/** How many entries are read at once. */
const readLimit = { live: 200, behind: 256 }

/** Characters that a document has around the element of the alarm. */
const documentOverhead = 90

export class Feed {
  readonly #database: Database
  readonly #tail = new RecentEntries()
  /**
   * The last entries read for a stream that catches up, often the next ones for it or for another at the same point.
   */
  #page = new RecentEntries()
  /** The average length of a document, from the entries read last. */
  #averageBytes = 1024
  #head = 0n
  /** The last hole found: all waiting streams reach it at the same time. */
  #hole: Hole | undefined

  /** See Positions. */
  readonly #jumpFrom: (cursor: bigint) => Promise<bigint | undefined>

  constructor(database: Database, jumpFrom: (cursor: bigint) => Promise<bigint | undefined>) {
    this.#database = database
    this.#jumpFrom = jumpFrom
  }

  async start(): Promise<void> {
    this.#head = await lastEntryNumber(this.#database)
  }

  /** The number of the last entry that was offered to waiting streams. */
  get head(): bigint {
    return this.#head
  }

  /** The next new entries, up to a limit. */
  next(): Promise<Following> {
    return this.#read(this.#head, readLimit.live)
  }

  /** Moves the head after entries that were offered to waiting streams. */
  offered({ hole, items }: Following): void {
    if (hole) {
      this.#hole = hole
      this.skipTo(hole.to)
      return
    }
    this.#tail.add(items)
    this.#head = items.at(-1)?.entry.number ?? this.#head
  }

  /** Forgets everything read, because the store has another history. */
  restart(last: bigint): void {
    this.#hole = undefined
    this.skipTo(last)
  }

  /** Skips entries while nobody reads; clients that register later find them in the log. */
  skipTo(last: bigint): void {
    this.#head = last
    this.#tail.clear()
    this.#page = new RecentEntries()
  }

  /** Reads after a cursor that lies before the head: about as many entries as fill this many bytes of documents. */
  async after(cursor: bigint, bytes: number): Promise<Following> {
    const count = Math.max(
      8,
      Math.min(readLimit.behind, 2 ** Math.round(Math.log2(bytes / this.#averageBytes))),
    )
    const known = this.#tail.after(cursor, count) ?? this.#page.after(cursor, count)
    if (known) return { items: known, more: true }
    if (cursor === this.#hole?.from) return { hole: this.#hole, items: [], more: true }
    const page = this.#page
    const following = await this.#read(cursor, count)
    if (following.hole) return following
    // Entries after the head have not been offered to waiting streams, and one that catches up must not be ahead of
    // them.
    const items = following.items.filter(({ entry }) => entry.number <= this.#head)
    // Not `this.#page`: it may have been replaced meanwhile, and this read belong to another history.
    page.clear()
    page.add(items)
    const length = items.reduce((sum, { entry }) => sum + entry.xml.length + documentOverhead, 0)
    if (items.length > 0) this.#averageBytes = length / items.length
    return { items, more: following.more }
  }

  async #read(cursor: bigint, count: number): Promise<Following> {
    let entries = await readEntriesAfter(this.#database, cursor, count)
    let last = this.#head
    if (entries.length === 0 && last <= cursor) {
      last = await lastEntryNumber(this.#database)
      if (last <= cursor) return { items: [], more: false }
      // Entries were written since the first read, or removed.
      entries = await readEntriesAfter(this.#database, cursor, count)
    }
    const first = entries[0]?.number ?? last + 1n
    const isHole = first !== cursor + 1n && first - 1n !== (await this.#jumpFrom(cursor))
    if (isHole) return { hole: { from: cursor, to: first - 1n }, items: [], more: true }
    const end = entries.findIndex(({ number }, index) => number !== first + BigInt(index))
    const consecutive = end < 0 ? entries : entries.slice(0, end)
    return {
      items: consecutive.map((entry) => new RecentEntry(entry)),
      more: end >= 0 || entries.length === count,
    }
  }
}

/** An entry kept in memory with the forms it was encoded in, so that each form is encoded once. */
export class RecentEntry {
  readonly entry: LogEntry
  /** Most entries are needed in one form only. */
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

// Senders determine how long the text of a trap is, and every form that clients ask for is another copy.
const keptLimit = { entries: 2000, characters: 4 * 1024 * 1024 }

/** Consecutive entries. */
export class RecentEntries {
  readonly #entries: RecentEntry[] = []
  #characters = 0

  add(entries: readonly RecentEntry[]): void {
    for (const item of entries) {
      this.#entries.push(item)
      this.#characters += item.entry.xml.length
    }
    let surplus = 0
    while (this.#entries.length - surplus > keptLimit.entries || this.#characters > keptLimit.characters) {
      this.#characters -= this.#entries[surplus++]?.entry.xml.length ?? 0
    }
    this.#entries.splice(0, surplus)
  }

  clear(): void {
    this.#entries.length = 0
    this.#characters = 0
  }

  /** The entries after a cursor; undefined if they are not kept here. */
  after(cursor: bigint, count: number): RecentEntry[] | undefined {
    const first = this.#entries[0]?.entry.number
    if (first === undefined || first > cursor + 1n) return undefined
    const start = Number(cursor + 1n - first)
    return start < this.#entries.length ? this.#entries.slice(start, start + count) : undefined
  }
}
