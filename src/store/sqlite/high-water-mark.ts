// Beside the store: what the store must at least hold. A store whose journal lost its end to damage, or that is an older
// copy, opens like any other; only something outside it can show.
//
// After every commit all counters are written here, without waiting for the disk; about once a second they are flushed.
// So after a crash of the service it knows all that was committed, after a power cut all but the last second or two. It
// may know less than the store, never more: what it has seen was committed and flushed before.
//
// A folder that was copied whole has a witness that agrees with its store, however old both are. So it also remembers when
// its own file was made: that is not copied along.

import { SlotFile } from '../slot-file.ts'

export type Counters = ReadonlyMap<string, bigint>

/** Milliseconds. Commits that follow each other are recorded together: a record takes as long as four inserts. */
const noteAfter = 5

interface Recorded {
  readonly counters: Readonly<Record<string, string>>
  readonly born?: string | undefined
}

export class HighWaterMark {
  /** What it had recorded before it was opened now; undefined where it is new. */
  readonly seen: Counters
  /** The file is a copy of the one that recorded it. The other may have recorded more since. */
  readonly isCopy: boolean
  readonly #file: SlotFile<Recorded>
  readonly #highest: Map<string, bigint>
  /** When the file was made; undefined as long as that is not known. */
  #born: string | undefined
  #unread: (() => Iterable<readonly [string, bigint]>) | undefined
  #noting: NodeJS.Timeout | undefined

  constructor(file: string) {
    this.#file = new SlotFile(file)
    const { found, isWhole } = this.#file
    this.seen = new Map(Object.entries(found?.counters ?? {}).map(([name, value]) => [name, BigInt(value)]))
    this.#highest = new Map(this.seen)
    // All of its space is allocated now, so that a full disk does not stop it later. Where it was allocated before, its
    // content is written once more: only a file that is older than its last change shows when it was made.
    for (const _ of isWhole ? [0] : [0, 1]) this.#write()
    this.#born ??= this.#file.bornAt
    this.isCopy = found?.born !== undefined && this.#born !== undefined && found.born !== this.#born
  }

  /** Called after a commit that counted something; `read` returns the counters as they are committed by then. */
  note(read: () => Iterable<readonly [string, bigint]>): void {
    this.#unread = read
    this.#noting ??= setTimeout(() => this.#note(), noteAfter)
  }

  /** Begins anew with what is recorded next: the store has gone on beyond all of this, or is another one. */
  forget(): void {
    this.#highest.clear()
  }

  #note(): void {
    this.#noting = undefined
    try {
      for (const [name, value] of this.#unread?.() ?? []) {
        // What was recorded once is not taken back by a store that has less.
        if (value > (this.#highest.get(name) ?? 0n)) this.#highest.set(name, value)
      }
    } catch {
      // A store that cannot be read says so elsewhere.
    }
    this.#unread = undefined
    this.#write()
  }

  #write(): void {
    this.#born ??= this.#file.bornAt
    const counters = Object.fromEntries([...this.#highest].map(([name, value]) => [name, String(value)]))
    this.#file.write({ born: this.#born, counters })
  }

  close(): void {
    clearTimeout(this.#noting)
    if (this.#unread) this.#note()
    this.#file.close()
  }
}
