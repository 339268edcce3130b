// Beside the store: what the store must at least hold. A store whose journal lost its end to damage, or that is an older
// copy, opens like any other; only something outside it can show.
//
// After every commit all counters are written here, without waiting for the disk; about once a second they are flushed.
// So after a crash of the service it knows all that was committed, after a power cut all but the last second or two. It
// may know less than the store, never more: what it has seen was committed and flushed before.
//
// A folder that was copied whole has a witness that agrees with its store, however old both are. So it also remembers when
// its own file was made: that is not copied along.

import { closeSync, constants, fdatasync, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { Fault } from '../../fault.ts'

export type Counters = ReadonlyMap<string, bigint>

/** Written in turn: one that is torn by a power cut leaves the other. */
const slots = 2
const slotSize = 16_384
/** Milliseconds. Commits that follow each other are recorded together: a record takes as long as four inserts. */
const noteAfter = 5
const flushEvery = 1000

interface Slot {
  readonly sequence: number
  readonly counters: Counters
  readonly born?: string | undefined
}

export class Witness {
  /** What it had recorded before it was opened now; undefined where it is new. */
  readonly seen: Counters
  /** The file is a copy of the one that recorded it. The other may have recorded more since. */
  readonly isCopy: boolean
  readonly #fd: number
  readonly #highest: Map<string, bigint>
  #sequence: number
  /** When the file was made; undefined as long as that is not known. */
  #born: string | undefined
  #unread: (() => Iterable<readonly [string, bigint]>) | undefined
  #noting: NodeJS.Timeout | undefined
  #flushing: NodeJS.Timeout | undefined

  constructor(file: string) {
    this.#fd = open(file)
    const found = [...Array(slots).keys()].map((slot) => this.#read(slot)).filter((one) => one !== undefined)
    const nothing: Slot = { sequence: 0, counters: new Map() }
    const newest = found.reduce((a, b) => (a.sequence > b.sequence ? a : b), nothing)
    this.seen = newest.counters
    this.#highest = new Map(newest.counters)
    this.#sequence = newest.sequence
    // All of its space is allocated now, so that a full disk does not stop it later. Where it was allocated before, its
    // content is written once more: only a file that is older than its last change shows when it was made.
    for (const _ of found.length < slots ? Array(slots) : [0]) this.#write()
    this.#born ??= bornAt(this.#fd)
    this.isCopy = newest.born !== undefined && this.#born !== undefined && newest.born !== this.#born
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
    this.#flushing ??= setTimeout(() => {
      this.#flushing = undefined
      fdatasync(this.#fd, () => undefined)
    }, flushEvery).unref()
  }

  #write(): void {
    this.#sequence += 1
    this.#born ??= bornAt(this.#fd)
    const counters = Object.fromEntries([...this.#highest].map(([name, value]) => [name, String(value)]))
    const text = JSON.stringify({ sequence: this.#sequence, born: this.#born, counters })
    const slot = Buffer.alloc(slotSize, ' ')
    slot.write(`${crc32(text)} ${text}\n`)
    try {
      writeSync(this.#fd, slot, 0, slotSize, (this.#sequence % slots) * slotSize)
    } catch {
      // It then proves less than it could. The store's own writes show when the disk fails.
    }
  }

  #read(index: number): Slot | undefined {
    const bytes = Buffer.alloc(slotSize)
    readSync(this.#fd, bytes, 0, slotSize, index * slotSize)
    const [line = ''] = bytes.toString().split('\n', 1)
    const [sum = '', text = ''] = [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]
    if (sum === '' || Number(sum) !== crc32(text)) return undefined
    const { sequence, born, counters } = JSON.parse(text) as {
      sequence: number
      born?: string
      counters: Record<string, string>
    }
    return {
      sequence,
      born,
      counters: new Map(Object.entries(counters).map(([name, value]) => [name, BigInt(value)])),
    }
  }

  close(): void {
    clearTimeout(this.#noting)
    if (this.#unread) this.#note()
    clearTimeout(this.#flushing)
    fsyncSync(this.#fd)
    closeSync(this.#fd)
  }
}

function open(file: string): number {
  const { O_RDWR, O_CREAT, O_NOFOLLOW = 0 } = constants
  try {
    return openSync(file, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600)
  } catch (cause) {
    throw new Fault('unavailable', `${file} cannot be opened: ${(cause as Error).message}`, { cause })
  }
}

/** When a file was made. File systems that do not store it return the last change instead. */
function bornAt(fd: number): string | undefined {
  const { birthtimeNs, ctimeNs } = fstatSync(fd, { bigint: true })
  return birthtimeNs > 0n && birthtimeNs !== ctimeNs ? String(birthtimeNs) : undefined
}
