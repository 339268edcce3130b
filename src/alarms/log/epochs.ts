// Manages the epochs of the alarm log. Within an epoch, entry numbers are consecutive. A position names its epoch, so that
// a position from another history, such as before a restore, is detected.

import { randomInt } from 'node:crypto'
import { readCounter, setCounter } from '../../store/counter.ts'
import type { Database, Reader, Row, SqlValue, Transaction } from '../../store/database.ts'
import { idsText, readIds } from '../../store/mark-file.ts'

export const logCounter = 'alarm log'
/** When entries were last lost, or may have been: clients may have registered that the store does not know. */
export const lostAtCounter = 'entries lost at'

/** The number of the last entry ever written, whether it is still stored or not. */
export async function lastEntryNumber(reader: Reader): Promise<bigint> {
  return (await readCounter(reader, logCounter)) ?? 0n
}

export interface Epoch {
  readonly number: bigint
  /** The number of its first entry, written or to come. */
  readonly first: bigint
  /** The last number of the previous epoch: one less than `first`, unless numbers were skipped. */
  readonly lastBefore: bigint
  /** Whether entries before it are lost, or may be: clients that read past the jump are told. */
  readonly isReported: boolean
  /** The last entry known to be lost; undefined if none is. */
  readonly lostTo: bigint | undefined
  /** If it was opened with a jump: the ids from which each table continues. */
  readonly ids: ReadonlyMap<string, bigint> | undefined
}

type OpenedEpoch = Pick<Epoch, 'number' | 'first'>

/** Random, so that a copy of the store on another machine with a wrong clock does not get the same epoch number. */
const randomStep = () => BigInt(1 + randomInt(1_000_000))

/** Every start opens an epoch, named by the time of the start: a restored older copy must not issue its number again. */
export function openEpoch(database: Database, step?: () => bigint): Promise<OpenedEpoch> {
  return database.transaction((tx) => openEpochIn(tx, step))
}

/** The same inside a transaction: with several nodes, whenever another one becomes the leader. */
export function openEpochIn(tx: Transaction, step?: () => bigint): Promise<OpenedEpoch> {
  return insertEpoch(tx, 0n, [noJump, 0, nothingLost, ''], step)
}

async function insertEpoch(
  tx: Transaction,
  above: bigint,
  more: readonly SqlValue[],
  step: () => bigint = randomStep,
): Promise<OpenedEpoch> {
  const [last] = await tx.all('select max(number) as number from epoch')
  const previous = max((last?.number as bigint | null | undefined) ?? 0n, above)
  const now = BigInt(tx.now)
  const number = now > previous ? now : previous + step()
  const first = (await lastEntryNumber(tx)) + 1n
  await tx.run(
    'insert into epoch (number, first_entry, started_at, last_before, told, lost_to, ids) values (?, ?, ?, ?, ?, ?, ?)',
    [number, first, tx.now, ...more],
  )
  return { number, first }
}

/** `last_before` of an epoch that continues without skipping numbers. */
const noJump = -1n
const nothingLost = -1n
/** How many numbers are skipped after a loss: more than can have been issued unnoticed. */
export const entriesAhead = 1_000_000n

/** What is known about entries and ids that the store has issued but lost. */
export interface Jump {
  /** The ids from which to continue, by table. */
  readonly ids: ReadonlyMap<string, bigint>
  /** Whether clients that read past the jump are told. */
  readonly isReported: boolean
  /** The highest epoch and entry that anyone has seen. */
  readonly seen?: { readonly epoch: bigint; readonly number: bigint } | undefined
}

/**
 * Opens the epoch of a store that may lack commits which clients have seen: another server serves it, or it was restored
 * to an older state. Skips numbers and ids so that none is issued twice.
 */
export async function openEpochAhead(tx: Transaction, { ids, isReported, seen }: Jump): Promise<OpenedEpoch> {
  const lastBefore = await lastEntryNumber(tx)
  await setCounter(tx, logCounter, max(lastBefore, seen?.number ?? 0n) + entriesAhead)
  for (const [name, id] of ids) await setCounter(tx, name, id)
  if (isReported) await setCounter(tx, lostAtCounter, tx.now)
  const lostTo = seen && seen.number > lastBefore ? seen.number : nothingLost
  const idsJson = JSON.stringify(idsText(ids))
  return insertEpoch(tx, seen?.epoch ?? 0n, [lastBefore, isReported ? 1 : 0, lostTo, idsJson])
}

const max = (a: bigint, b: bigint) => (a > b ? a : b)

/** Called if a node that was away has seen lost entries that were not known when the epoch was opened. */
export async function recordLostEntries(tx: Transaction, epoch: bigint, number: bigint): Promise<void> {
  await tx.run('update epoch set lost_to = ? where number = ? and last_before < ? and lost_to < ?', [
    number,
    epoch,
    number,
    number,
  ])
}

/** When the newest epoch began; 0 if there is none. */
export async function lastEpochAt(reader: Reader): Promise<number> {
  const [row] = await reader.all('select max(started_at) as at from epoch')
  return Number(row?.at ?? 0)
}

/** In order, beginning with `from`. */
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
  ...startOf(row),
  isReported: row.told === 1n,
  lostTo: row.lost_to === nothingLost ? undefined : (row.lost_to as bigint),
  ids: row.ids === '' ? undefined : readIds(JSON.parse(String(row.ids))),
})

/** Where numbers have jumped. */
export async function readJumps(reader: Reader): Promise<EpochStart[]> {
  const rows = await reader.all('select first_entry, last_before from epoch where last_before <> ?', [noJump])
  return rows.map(startOf)
}

type EpochStart = Pick<Epoch, 'first' | 'lastBefore'>

function startOf(row: Row): EpochStart {
  const first = row.first_entry as bigint
  return { first, lastBefore: row.last_before === noJump ? first - 1n : (row.last_before as bigint) }
}

/** How many entries lie after a number, up to and including `last`; skipped numbers do not count. */
export function entriesBetween(epochs: readonly EpochStart[], number: bigint, last: bigint): bigint {
  let entries = last > number ? last - number : 0n
  for (const { first, lastBefore } of epochs) {
    const from = lastBefore > number ? lastBefore : number
    const to = first <= last ? first - 1n : last
    if (to > from) entries -= to - from
  }
  return entries
}
