// Where a client is in the log: `epoch:number`. A position is valid when its epoch is known and the number lies in it.

import { oldestEntry } from '../alarms/log/alarm-log.ts'
import {
  type Epoch,
  entriesAhead,
  entriesBetween,
  lastEntryNumber,
  readEpochs,
} from '../alarms/log/epochs.ts'
import { Fault, shown } from '../fault.ts'
import type { Database } from '../store/database.ts'
import { TableCache } from '../store/table-cache.ts'

export interface Position {
  readonly epoch: bigint
  readonly number: bigint
}

export function readPosition(text: string, field: string): Position {
  const match = /^(\d{1,19}):(\d{1,19})$/.exec(text.trim())
  if (!match) {
    throw new Fault(
      'invalid',
      `${field}: ${shown(text)} is not a position: expected epoch:number as it was given`,
      {
        field,
      },
    )
  }
  return { epoch: BigInt(match[1] ?? 0), number: BigInt(match[2] ?? 0) }
}

/** Missing entries: those behind `from`, up to `to`. */
export interface Hole {
  readonly from: bigint
  readonly to: bigint
}

export interface Gap {
  readonly from: bigint
  /** The last entry that is missing. */
  readonly to: bigint
  readonly reason: string
  /** Where numbers have jumped: what is known to be gone of all these numbers. Nothing is, where `last` lies before. */
  readonly lost?: Lost | undefined
  /** Whether the client may have lost nothing at all. */
  readonly isPossible?: boolean
  /** Entries that were written after the loss, up to this one, may be missing, too. */
  readonly since?: bigint | undefined
}

export interface Lost {
  readonly first: bigint
  readonly last: bigint
}

/** What is missing, and why, for people. */
export function gapText({
  from,
  to,
  reason,
  lost = { first: from + 1n, last: to },
  isPossible,
  since,
}: Gap): string {
  const { first, last } = lost
  const entries = last - first + 1n
  // After a second loss the numbers that were skipped after the first lie in between: how many is not known any more.
  const count =
    entries > entriesAhead
      ? 'not all of these numbers were given to entries'
      : `${entries.toLocaleString('en')} ${entries === 1n ? 'entry' : 'entries'} of the alarm log`
  const which = last < first ? '' : ` from ${first} to ${last} (${count})`
  const later = which === '' || since === undefined ? '' : `, and those written since then, up to ${since},`
  if (isPossible) return `Alarms${which}${later} may be missing: ${reason}`
  return last < first
    ? `Alarms after ${first - 1n} may be missing: ${reason}`
    : `Alarms${which} cannot be delivered any more: ${reason}`
}

export interface Start {
  /** Reading goes on behind this number. */
  readonly cursor: bigint
  readonly gap: Gap | undefined
}

const removed = 'older entries are no longer kept'
const putBack = 'the store was put back to an older state, and they are gone'
const moved =
  'the store was restored or moved, or another server serves it than before: it may lack what had been written last'

export class Positions {
  readonly #database: Database
  readonly #cache: TableCache<readonly Epoch[]>

  private constructor(database: Database) {
    this.#database = database
    this.#cache = new TableCache(database, 'epoch')
  }

  /** The store has an epoch by now. */
  static async open(database: Database): Promise<Positions> {
    const positions = new Positions(database)
    await positions.refresh()
    return positions
  }

  /**
   * Reads epochs that other nodes have opened. To be called after every read of entries whose positions are sent out,
   * and after every read of the head: an epoch is opened before the first entry in it is written.
   */
  async refresh(): Promise<void> {
    await this.#database.refresh()
    await this.#cache.get(this.#database, readEpochs)
  }

  get epochs(): readonly Epoch[] {
    return this.#cache.last ?? []
  }

  /** The position of an entry, written in the epoch it belongs to. */
  of(number: bigint): string {
    const index = this.epochs.findLastIndex(({ first }) => first <= number)
    const next = this.epochs[index + 1]
    // A place inside a jump, where a reader goes on behind it, belongs to what follows.
    const epoch = next && next.lastBefore < number ? next : (this.epochs[index] ?? next)
    return `${epoch?.number ?? 0n}:${number}`
  }

  /** Where a client that knows its position goes on. */
  async resume({ epoch, number }: Position): Promise<Start> {
    const last = await lastEntryNumber(this.#database)
    // Another node may have opened it since.
    await this.refresh()
    const index = this.epochs.findIndex((known) => known.number === epoch)
    if (index < 0) {
      // Another history: whatever this store has written since that epoch began is new to the client.
      // One that was named while a clock was ahead may be higher than all: histories have parted at the last loss.
      const later =
        this.epochs.find((known) => known.number > epoch) ??
        this.epochs.findLast(({ isReported }) => isReported)
      const cursor = later ? later.first - 1n : last
      const lost = later?.isReported ? lostIn(this.epochs, later, number) : undefined
      const reason = lost ? putBack : 'the position belongs to another history of the store'
      return this.#after(cursor, { from: number, to: cursor, reason, lost })
    }
    const next = this.epochs[index + 1]
    const end = next ? next.lastBefore : last
    const begin = (this.epochs[index]?.first ?? 1n) - 1n
    if (number > end || number < begin) {
      if (number > end && next?.isReported) {
        const to = next.first - 1n
        return this.#after(to, {
          from: number,
          to,
          reason: putBack,
          lost: lostIn(this.epochs, next, number),
        })
      }
      const reason =
        'the position lies outside its epoch: the store may have been restored from an older copy'
      return this.#after(number > end ? end : begin, { from: number, to: end, reason })
    }
    return this.covered(number)
  }

  /** The number of the entry after one, written or to come. */
  after(number: bigint): bigint {
    return this.#jumpAt(number)?.first ?? number + 1n
  }

  /** How many entries follow a number, up to another one. */
  entriesBetween(number: bigint, last: bigint): bigint {
    return entriesBetween(this.epochs, number, last)
  }

  #jumpAt(number: bigint): Epoch | undefined {
    return this.epochs.find(({ first, lastBefore }) => lastBefore === number && first > number + 1n)
  }

  /** The last number of a jump that begins behind a cursor, where there are no entries and none are missing. */
  async jumpFrom(cursor: bigint): Promise<bigint | undefined> {
    await this.refresh()
    const jump = this.#jumpAt(cursor)
    return jump && !jump.isReported ? jump.first - 1n : undefined
  }

  /** What a reader has been sent that is no longer there, or may not be: its place lies inside a jump. */
  async lostAfter(cursor: bigint): Promise<Gap | undefined> {
    const epoch = this.epochs.find(
      ({ first, lastBefore, isReported }) =>
        cursor < first - 1n && (lastBefore < cursor || (isReported && lastBefore === cursor)),
    )
    return epoch && this.gapIn({ from: cursor, to: epoch.first - 1n })
  }

  /** For a client that begins here and may have registered before: what it may lack since the last loss. */
  possibleGap(at: bigint, reason: string): Gap {
    const epoch = this.epochs.findLast(({ isReported }) => isReported)
    const { end, known } = epoch ? removedBefore(this.epochs, epoch) : { end: at, known: at }
    const lost = { first: end + 1n, last: known }
    return {
      from: at,
      to: at,
      reason,
      lost,
      isPossible: true,
      ...(epoch && at >= epoch.first && { since: at }),
    }
  }

  /** What retention has removed is reported. */
  async covered(cursor: bigint): Promise<Start> {
    const first = await oldestEntry(this.#database)
    if (cursor + 1n >= first) return { cursor, gap: undefined }
    return {
      cursor: first - 1n,
      gap: { from: cursor, to: first - 1n, reason: removed },
    }
  }

  /** Why entries that a reader has reached are missing, and which of them there ever were. */
  async gapIn({ from, to }: Hole): Promise<Gap> {
    const jump = this.epochs.find(({ first }) => from < first - 1n && to === first - 1n)
    if (jump?.isReported) {
      const lost = lostIn(this.epochs, jump, from)
      return { from, to, reason: lost.last < lost.first ? moved : putBack, lost }
    }
    const first = await oldestEntry(this.#database)
    const reason =
      to < first
        ? removed
        : 'they are not in the store: it is another copy than the one that gave them out, or was damaged'
    return { from, to, reason }
  }

  async #after(cursor: bigint, gap: Gap): Promise<Start> {
    const { cursor: kept } = await this.covered(cursor)
    return { cursor: kept, gap: { ...gap, to: kept } }
  }
}

/** What is known to be gone before an epoch: a reader may have been sent more of it than was known when that began. */
function lostIn(epochs: readonly Epoch[], epoch: Epoch, seen: bigint): Lost {
  const { end, known } = removedBefore(epochs, epoch, seen)
  return { first: (seen < end ? seen : end) + 1n, last: highest(seen, known) }
}

/**
 * Where entries ended before an epoch, and the last that is known to be gone. Jumps right before it, in which nothing was
 * written, count as one with it, unless the reader has passed them.
 */
function removedBefore(epochs: readonly Epoch[], epoch: Epoch, seen = 0n): { end: bigint; known: bigint } {
  let end = epoch.lastBefore
  let known = epoch.lostTo ?? 0n
  for (;;) {
    const before = epochs.find(({ first, lastBefore }) => first - 1n === end && lastBefore < end)
    if (!before || seen >= end) return { end, known: highest(known, end) }
    end = before.lastBefore
    known = highest(known, before.lostTo ?? 0n)
  }
}

const highest = (a: bigint, b: bigint) => (a > b ? a : b)
