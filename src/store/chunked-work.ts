// Runs long work on the store in short transactions, so that it delays nobody else.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Transaction } from './database.ts'

/** Milliseconds that one transaction should take. Others wait for one of them, and for its flush. */
const targetTime = 10

interface ChunkOptions {
  /** A monotonic clock, in milliseconds. */
  readonly clock?: () => number
  /** Waits, so that others can use the store. */
  readonly pause?: (milliseconds: number) => Promise<unknown>
  /** Whether to stop, and leave the rest for later. */
  readonly isOver?: () => boolean
  /** Limits of the rows in one transaction. */
  readonly minRows?: number
  readonly maxRows?: number
}

/** Runs `once` in one transaction after the other until it processes fewer rows than allowed; returns the total. */
export const inChunks = (
  database: Database,
  once: (tx: Transaction, limit: number) => Promise<number>,
  pace?: ChunkOptions,
): Promise<number> =>
  chunkByChunk(
    (limit, begin) =>
      database.transaction(
        (tx) => {
          begin()
          return once(tx, limit)
        },
        undefined,
        { isLong: true },
      ),
    pace,
  )

/**
 * The same for transactions that are begun elsewhere: `once` calls `begin` when it is its turn, so that waiting is not
 * measured. The number of rows that fit into a short transaction depends on the disk and on other load, and is adapted.
 * Between two transactions, others have the store and this thread for at least as long as the last one took.
 */
export async function chunkByChunk(
  once: (limit: number, begin: () => void) => Promise<number>,
  {
    clock = () => performance.now(),
    pause = sleep,
    isOver = () => false,
    minRows = 10,
    maxRows = 2000,
  }: ChunkOptions = {},
): Promise<number> {
  let limit = minRows
  for (let total = 0; ; ) {
    let began = clock()
    const done = await once(limit, () => {
      began = clock()
    })
    const took = clock() - began
    total += done
    if (done < limit || isOver()) return total
    limit = Math.max(minRows, Math.min(maxRows, nextLimit(limit, took)))
    await pause(Math.max(1, took))
  }
}

/** At most doubles: the last chunk may have been fast only because it was cached. */
function nextLimit(limit: number, took: number): number {
  const fits = Math.floor((limit * targetTime) / Math.max(took, 0.1))
  return Math.min(2 * limit, fits)
}
