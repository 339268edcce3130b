// The alarm log as streams read it: new entries for all that wait, older ones for those that catch up. Entries may have
// been removed before anyone read them; every read checks that it continues where the last one ended.

import { readEntriesAfter } from '../alarms/log/alarm-log.ts'
import { lastEntryNumber } from '../alarms/log/epochs.ts'
import type { Database } from '../store/database.ts'
import type { Hole } from './positions.ts'
import { RecentEntries, RecentEntry } from './recent-entries.ts'

/** What follows a place in the log: a hole, or entries without a hole between them. */
export interface Following {
  readonly hole?: Hole
  readonly items: readonly RecentEntry[]
  /** Whether there may be more behind it. */
  readonly more: boolean
}

/** How many entries are read at once. */
const limit = { live: 200, behind: 256 }

/** What is written around the element of an alarm. */
const aroundXml = 90

export class Feed {
  readonly #database: Database
  readonly #tail = new RecentEntries()
  /**
   * What was read last for a stream that catches up: its next entries are in it, or those of another that is as far.
   */
  #page = new RecentEntries()
  /** The length of an entry as a document, by what was read last. */
  #usualBytes = 1024
  #head = 0n
  /** The last one found: all that wait get it at the same time. */
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

  /** The number of the last entry that was offered to streams that wait. */
  get head(): bigint {
    return this.#head
  }

  /** What is new, a part of it where it is much. */
  next(): Promise<Following> {
    return this.#read(this.#head, limit.live)
  }

  /** Moves the head behind what was offered to streams that wait. */
  offered({ hole, items }: Following): void {
    if (hole) {
      this.#hole = hole
      this.skipTo(hole.to)
      return
    }
    this.#tail.add(items)
    this.#head = items.at(-1)?.entry.number ?? this.#head
  }

  /** The store has another history: nothing that was read of it is valid. */
  restart(last: bigint): void {
    this.#hole = undefined
    this.skipTo(last)
  }

  /** While nobody reads, new entries are skipped: they are in the log for clients that come later. */
  skipTo(last: bigint): void {
    this.#head = last
    this.#tail.clear()
    this.#page = new RecentEntries()
  }

  /** What follows a cursor that lies before the head: about as many entries as fill this many bytes of documents. */
  async after(cursor: bigint, bytes: number): Promise<Following> {
    const count = Math.max(8, Math.min(limit.behind, 2 ** Math.round(Math.log2(bytes / this.#usualBytes))))
    const known = this.#tail.after(cursor, count) ?? this.#page.after(cursor, count)
    if (known) return { items: known, more: true }
    if (cursor === this.#hole?.from) return { hole: this.#hole, items: [], more: true }
    const page = this.#page
    const following = await this.#read(cursor, count)
    if (following.hole) return following
    // What lies behind the head has not been offered to streams that wait: one that catches up must not be ahead of
    // them.
    const items = following.items.filter(({ entry }) => entry.number <= this.#head)
    // One that was replaced meanwhile may belong to another history.
    page.clear()
    page.add(items)
    const length = items.reduce((sum, { entry }) => sum + entry.xml.length + aroundXml, 0)
    if (items.length > 0) this.#usualBytes = length / items.length
    return { items, more: following.more }
  }

  async #read(cursor: bigint, count: number): Promise<Following> {
    let entries = await readEntriesAfter(this.#database, cursor, count)
    let last = this.#head
    if (entries.length === 0 && last <= cursor) {
      last = await lastEntryNumber(this.#database)
      if (last <= cursor) return { items: [], more: false }
      // They were written in between, or removed.
      entries = await readEntriesAfter(this.#database, cursor, count)
    }
    const first = entries[0]?.number ?? last + 1n
    const isHole = first !== cursor + 1n && first - 1n !== (await this.#jumpFrom(cursor))
    if (isHole) return { hole: { from: cursor, to: first - 1n }, items: [], more: true }
    const end = entries.findIndex(({ number }, index) => number !== first + BigInt(index))
    const whole = end < 0 ? entries : entries.slice(0, end)
    return { items: whole.map((entry) => new RecentEntry(entry)), more: end >= 0 || entries.length === count }
  }
}
