// Positions of clients in the log, written `epoch:number`. A position is valid if its epoch is known and contains the
// number.

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

/** Missing entries: those after `from`, up to and including `to`. */
export interface Hole {
  readonly from: bigint
  readonly to: bigint
}

export interface Gap {
  readonly from: bigint
  /** The last entry that is missing. */
  readonly to: bigint
  readonly reason: string
  /**
   * Where numbers have jumped: the entries that are known to be lost, because not all numbers were used. None are if
   * `last` lies before `first`.
   */
  readonly lost?: Lost | undefined
  /** Whether the client may have lost nothing at all. */
  readonly isPossible?: boolean
  /** Entries written after the loss, up to this one, may be missing, too. */
  readonly since?: bigint | undefined
}

export interface Lost {
  readonly first: bigint
  readonly last: bigint
}

/** Describes a gap for people. */
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
  // After a second loss, the range includes numbers that were skipped after the first, so the count is unknown.
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
  /** Reading starts after this number. */
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

  /** The store must have an epoch already. */
  static async open(database: Database): Promise<Positions> {
    const positions = new Positions(database)
    await positions.refresh()
    return positions
  }

  /**
   * Reads epochs that other nodes have opened. Must be called after every read of entries whose positions are sent out,
   * and after every read of the head: an epoch is opened before its first entry is written.
   */
  async refresh(): Promise<void> {
    await this.#database.refresh()
    await this.#cache.get(this.#database, readEpochs)
  }

  get epochs(): readonly Epoch[] {
    return this.#cache.last ?? []
  }

  /** The position of an entry, in the epoch it belongs to. */
  of(number: bigint): string {
    const index = this.epochs.findLastIndex(({ first }) => first <= number)
    const next = this.epochs[index + 1]
    // A number inside a jump belongs to the epoch after it, where its reader continues.
    const epoch = next && next.lastBefore < number ? next : (this.epochs[index] ?? next)
    return `${epoch?.number ?? 0n}:${number}`
  }

  /** Where a client that sent its position resumes. */
  async resume({ epoch, number }: Position): Promise<Start> {
    const last = await lastEntryNumber(this.#database)
    // Another node may have opened it since.
    await this.refresh()
    const index = this.epochs.findIndex((known) => known.number === epoch)
    if (index < 0) {
      // Another history: everything this store has written since that epoch began is new to the client. An epoch that
      // was named while a clock was ahead may be higher than all of ours; the histories diverged at the last loss then.
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

  /** The number of the next entry, whether it is written already or not. */
  after(number: bigint): bigint {
    return this.#jumpAt(number)?.first ?? number + 1n
  }

  /** The number of entries after `number`, up to `last`. */
  entriesBetween(number: bigint, last: bigint): bigint {
    return entriesBetween(this.epochs, number, last)
  }

  #jumpAt(number: bigint): Epoch | undefined {
    return this.epochs.find(({ first, lastBefore }) => lastBefore === number && first > number + 1n)
  }

  /** The last number of a jump that begins after a cursor, if its numbers were never used and nothing is missing. */
  async jumpFrom(cursor: bigint): Promise<bigint | undefined> {
    await this.refresh()
    const jump = this.#jumpAt(cursor)
    return jump && !jump.isReported ? jump.first - 1n : undefined
  }

  /** Entries that a reader was sent and the store has lost, or may have lost: its cursor lies inside a jump. */
  async lostAfter(cursor: bigint): Promise<Gap | undefined> {
    const epoch = this.epochs.find(
      ({ first, lastBefore, isReported }) =>
        cursor < first - 1n && (lastBefore < cursor || (isReported && lastBefore === cursor)),
    )
    return epoch && this.gapIn({ from: cursor, to: epoch.first - 1n })
  }

  /**
   * For a client that starts here and may have registered before: the entries it may have missed since the last loss.
   */
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

  /** Where reading from a cursor starts; entries that retention has removed are reported as a gap. */
  async covered(cursor: bigint): Promise<Start> {
    const first = await oldestEntry(this.#database)
    if (cursor + 1n >= first) return { cursor, gap: undefined }
    return {
      cursor: first - 1n,
      gap: { from: cursor, to: first - 1n, reason: removed },
    }
  }

  /** Why the entries of a hole are missing, and which of them ever existed. */
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

/** Entries known to be lost before an epoch. A reader may have been sent more of them than was known when it began. */
function lostIn(epochs: readonly Epoch[], epoch: Epoch, seen: bigint): Lost {
  const { end, known } = removedBefore(epochs, epoch, seen)
  return { first: (seen < end ? seen : end) + 1n, last: highest(seen, known) }
}

/**
 * The last entry before an epoch, and the last that is known to be lost. Jumps directly before it, with no entries in
 * between, count as part of it, unless the reader has passed them.
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
