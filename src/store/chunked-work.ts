// Long work on the store, in transactions so short that nobody notices.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Transaction } from './database.ts'

/** Milliseconds that one transaction should take. Others wait for one of them, and for what it flushes. */
const wanted = 10

interface ChunkOptions {
  /** Milliseconds, steady. */
  readonly clock?: () => number
  /** Lets others work for this long. */
  readonly rest?: (milliseconds: number) => Promise<unknown>
  /** Whether the rest of the work is left for later. */
  readonly isOver?: () => boolean
  /** Rows in one transaction: at least, however long that takes, and at most. */
  readonly fewest?: number
  readonly most?: number
}

/** Runs `once` in transaction after transaction until it does less than it was asked to; returns how much was done in all. */
export const inChunks = (
  database: Database,
  once: (tx: Transaction, limit: number) => Promise<number>,
  pace?: ChunkOptions,
): Promise<number> =>
  chunkByChunk(
    (limit, begin) =>
      database.transaction((tx) => {
        begin()
        return once(tx, limit)
      }),
    pace,
  )

/**
 * The same for transactions that are begun elsewhere: `once` calls `begin` when it has the store, for it may have
 * waited for others. How many rows fit into a short transaction depends on the disk and on other work: it is measured
 * on the way. Between two of them, others have the store and this thread for at least as long as the last one took.
 */
export async function chunkByChunk(
  once: (limit: number, begin: () => void) => Promise<number>,
  {
    clock = () => performance.now(),
    rest = sleep,
    isOver = () => false,
    fewest = 10,
    most = 2000,
  }: ChunkOptions = {},
): Promise<number> {
  let limit = fewest
  for (let all = 0; ; ) {
    let began = clock()
    const done = await once(limit, () => {
      began = clock()
    })
    const took = clock() - began
    all += done
    if (done < limit || isOver()) return all
    limit = Math.max(fewest, Math.min(most, nextLimit(limit, took)))
    await rest(Math.max(1, took))
  }
}

/** Doubles at most: what was quick may have been in memory by chance. */
function nextLimit(limit: number, took: number): number {
  const fits = Math.floor((limit * wanted) / Math.max(took, 0.1))
  return Math.min(2 * limit, fits)
}
