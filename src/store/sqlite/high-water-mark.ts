// The high-water mark of a store in SQLite: a file beside the store with the counters it must at least have. A store
// whose journal was truncated, or that is an older copy, opens like any other; only a record outside of it can reveal
// that.
//
// After every commit the counters are written here without waiting for the disk, and flushed about once a second. So
// after a crash of the service the mark is complete, after a power cut it may lack the last second or two. It may be
// behind the store, never ahead: it only records what was committed and flushed.
//
// In a copy of the whole folder, the mark matches the store however old both are. So the mark also records when its
// file was created, which a copy does not preserve.

import { SlotFile } from '../slot-file.ts'

export type Counters = ReadonlyMap<string, bigint>

/** Milliseconds. Commits in quick succession are recorded together: recording takes as long as four inserts. */
const recordDelay = 5

interface RecordedMark {
  readonly counters: Readonly<Record<string, string>>
  readonly born?: string | undefined
}

export class HighWaterMark {
  /** What was recorded when it was opened; empty if it is new. */
  readonly seen: Counters
  /** The file is a copy: the original may have recorded more since. */
  readonly isCopy: boolean
  readonly #file: SlotFile<RecordedMark>
  readonly #highest: Map<string, bigint>
  /** When the file was created; undefined while unknown. */
  #born: string | undefined
  #unread: (() => Iterable<readonly [string, bigint]>) | undefined
  #noting: NodeJS.Timeout | undefined

  constructor(file: string) {
    this.#file = new SlotFile(file)
    const { found, isWhole } = this.#file
    this.seen = new Map(Object.entries(found?.counters ?? {}).map(([name, value]) => [name, BigInt(value)]))
    this.#highest = new Map(this.seen)
    // Allocates all of its space, so that a full disk does not matter later. If it was allocated before, the content is
    // still written once: the time of creation can only be told if it differs from that of the last change.
    for (const _ of isWhole ? [0] : [0, 1]) this.#write()
    this.#born ??= this.#file.createdAt
    this.isCopy = found?.born !== undefined && this.#born !== undefined && found.born !== this.#born
  }

  /** Called after a commit that changed counters; `read` returns the committed ones. */
  note(read: () => Iterable<readonly [string, bigint]>): void {
    this.#unread = read
    this.#noting ??= setTimeout(() => this.#note(), recordDelay)
  }

  /** Starts over with the next record: the store has passed this mark, or was replaced. */
  forget(): void {
    this.#highest.clear()
  }

  #note(): void {
    this.#noting = undefined
    try {
      for (const [name, value] of this.#unread?.() ?? []) {
        // A mark never moves back.
        if (value > (this.#highest.get(name) ?? 0n)) this.#highest.set(name, value)
      }
    } catch {
      // A store that cannot be read is reported elsewhere.
    }
    this.#unread = undefined
    this.#write()
  }

  #write(): void {
    this.#born ??= this.#file.createdAt
    const counters = Object.fromEntries([...this.#highest].map(([name, value]) => [name, String(value)]))
    this.#file.write({ born: this.#born, counters })
  }

  close(): void {
    clearTimeout(this.#noting)
    if (this.#unread) this.#note()
    this.#file.close()
  }
}
