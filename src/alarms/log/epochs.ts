// Epochs of the alarm log: each is a history in which numbers follow each other. A position names its epoch, so that one
// from another history is noticed.

import { randomInt } from 'node:crypto'
import { readCounter, setCounter } from '../../store/counter.ts'
import type { Database, Reader, Row, SqlValue, Transaction } from '../../store/database.ts'
import { idsText, readIds } from '../../store/mark-file.ts'

export const logCounter = 'alarm log'
/** When entries were lost last, or may have been: clients may have registered whom the store does not know. */
export const lostAtCounter = 'entries lost at'

/** The number of the last entry ever written, kept or not. */
export async function head(reader: Reader): Promise<bigint> {
  return (await readCounter(reader, logCounter)) ?? 0n
}

export interface Epoch {
  readonly number: bigint
  /** The number of its first entry, written or to come. */
  readonly first: bigint
  /**
   * The last number of the epoch before: one less, except after a jump that skips numbers which others may have been
   * given.
   */
  readonly lastBefore: bigint
  /** Whether entries before it are gone, or may be: readers that pass the jump are told. */
  readonly isTold: boolean
  /** The last entry that is known to be gone; undefined where none is. */
  readonly lostTo: bigint | undefined
  /** The ids from which it goes on, where it was opened with a jump. */
  readonly ids: ReadonlyMap<string, bigint> | undefined
}

type Opened = Pick<Epoch, 'number' | 'first'>

/**
 * Ahead of the last epoch by a random amount: a copy of the store on another machine with a wrong clock must not get
 * the same name.
 */
const beyond = () => BigInt(1 + randomInt(1_000_000))

/**
 * Every start opens an epoch at the log's head, so that a position says which history it belongs to. It is named by the
 * time of the start: a restored older copy must not issue a number again.
 */
export function openEpoch(database: Database, step?: () => bigint): Promise<Opened> {
  return database.transaction((tx) => openEpochIn(tx, step))
}

/** The same inside a transaction: where several services use the store, whenever another one begins to process. */
export function openEpochIn(tx: Transaction, step?: () => bigint): Promise<Opened> {
  return insertEpoch(tx, 0n, [noJump, 0, nothingLost, ''], step)
}

async function insertEpoch(
  tx: Transaction,
  above: bigint,
  more: readonly SqlValue[],
  step: () => bigint = beyond,
): Promise<Opened> {
  const [last] = await tx.all('select max(number) as number from epoch')
  const previous = highest((last?.number as bigint | null | undefined) ?? 0n, above)
  const now = BigInt(tx.now)
  const number = now > previous ? now : previous + step()
  const first = (await head(tx)) + 1n
  await tx.run(
    'insert into epoch (number, first_entry, started_at, last_before, told, lost_to, ids) values (?, ?, ?, ?, ?, ?, ?)',
    [number, first, tx.now, ...more],
  )
  return { number, first }
}

/** `last_before` of an epoch that begins right after the one before it. */
const noJump = -1n
const nothingLost = -1n
/** More entries than a store can have issued that nobody knows of: as many numbers are skipped after a loss. */
export const entriesAhead = 1_000_000n

/** What is known about the entries and ids that a store has issued and lacks. */
export interface Jump {
  /** The ids from which to go on, by table. */
  readonly ids: ReadonlyMap<string, bigint>
  /** Whether readers that pass the jump are told. */
  readonly isTold: boolean
  /** Epochs and entries up to these have been seen by somebody. */
  readonly seen?: { readonly epoch: bigint; readonly number: bigint } | undefined
}

/**
 * The epoch of a store that may lack commits that clients have seen: another server serves it than before, or it was put
 * back to an older state. Numbers and ids are not used again, and a client that has seen some of them is at a position
 * where nothing is.
 */
export async function openEpochAhead(tx: Transaction, { ids, isTold, seen }: Jump): Promise<Opened> {
  const lastBefore = await head(tx)
  await setCounter(tx, logCounter, highest(lastBefore, seen?.number ?? 0n) + entriesAhead)
  for (const [name, id] of ids) await setCounter(tx, name, id)
  if (isTold) await setCounter(tx, lostAtCounter, tx.now)
  const lostTo = seen && seen.number > lastBefore ? seen.number : nothingLost
  const idsJson = JSON.stringify(idsText(ids))
  return insertEpoch(tx, seen?.epoch ?? 0n, [lastBefore, isTold ? 1 : 0, lostTo, idsJson])
}

const highest = (a: bigint, b: bigint) => (a > b ? a : b)

/** A node that was away has seen more of what is gone than was known when the epoch was opened. */
export async function noteLost(tx: Transaction, epoch: bigint, number: bigint): Promise<void> {
  await tx.run('update epoch set lost_to = ? where number = ? and last_before < ? and lost_to < ?', [
    number,
    epoch,
    number,
    number,
  ])
}

/** When the newest epoch began; 0 where there is none. */
export async function lastEpochAt(reader: Reader): Promise<number> {
  const [row] = await reader.all('select max(started_at) as at from epoch')
  return Number(row?.at ?? 0)
}

/** In their order, from this one on. */
export async function readEpochs(reader: Reader, from = 0n): Promise<Epoch[]> {
  const rows = await reader.all(
    'select number, first_entry, last_before, told, lost_to, ids from epoch where number >= ? order by number',
    [from],
  )
  return rows.map(epochOf)
}

/** The last epoch that was opened with a jump. */
export async function lastJump(reader: Reader): Promise<Epoch | undefined> {
  const [row] = await reader.all(
    'select number, first_entry, last_before, told, lost_to, ids from epoch where last_before <> ? order by number desc limit 1',
    [noJump],
  )
  return row && epochOf(row)
}

const epochOf = (row: Row): Epoch => ({
  number: row.number as bigint,
  ...reachOf(row),
  isTold: row.told === 1n,
  lostTo: row.lost_to === nothingLost ? undefined : (row.lost_to as bigint),
  ids: row.ids === '' ? undefined : readIds(JSON.parse(String(row.ids))),
})

/** Where numbers have jumped. */
export async function readJumps(reader: Reader): Promise<Reach[]> {
  const rows = await reader.all('select first_entry, last_before from epoch where last_before <> ?', [noJump])
  return rows.map(reachOf)
}

/** Where its numbers begin, and where those of the epoch before it have ended. */
type Reach = Pick<Epoch, 'first' | 'lastBefore'>

function reachOf(row: Row): Reach {
  const first = row.first_entry as bigint
  return { first, lastBefore: row.last_before === noJump ? first - 1n : (row.last_before as bigint) }
}

/** How many entries follow a number, up to another one: what a jump has skipped does not count. */
export function entriesBetween(epochs: readonly Reach[], number: bigint, last: bigint): bigint {
  let entries = last > number ? last - number : 0n
  for (const { first, lastBefore } of epochs) {
    const from = lastBefore > number ? lastBefore : number
    const to = first <= last ? first - 1n : last
    if (to > from) entries -= to - from
  }
  return entries
}
