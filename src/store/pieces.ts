// Long work on the store, in transactions so short that nobody notices.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Transaction } from './database.ts'

/** Milliseconds that one transaction should take. Others wait for one of them, and for what it flushes. */
const wanted = 10
const fewest = 10
const most = 2000

interface Pace {
  /** Milliseconds, steady. */
  readonly clock?: () => number
  /** Lets others work for so long. */
  readonly rest?: (milliseconds: number) => Promise<unknown>
  /** Whether the rest of the work is for another time. */
  readonly isOver?: () => boolean
}

/**
 * Runs `once` in transaction after transaction until it does less than it was asked to; returns how much was done in all.
 * How many rows fit into a short transaction depends on the disk and on what others do: it is found out on the way.
 * Between two of them, others have the store and this thread for at least as long as the last one took.
 */
export async function inPieces(
  database: Database,
  once: (tx: Transaction, limit: number) => Promise<number>,
  { clock = () => performance.now(), rest = sleep, isOver = () => false }: Pace = {},
): Promise<number> {
  let limit = fewest
  for (let all = 0; ; ) {
    let began = 0
    const done = await database.transaction((tx) => {
      // Only now: it may have waited for others.
      began = clock()
      return once(tx, limit)
    })
    const took = clock() - began
    all += done
    if (done < limit || isOver()) return all
    limit = nextLimit(limit, took)
    await rest(Math.max(1, took))
  }
}

/** Doubles at most: what was quick may have been in memory by chance. */
function nextLimit(limit: number, took: number): number {
  const fits = Math.floor((limit * wanted) / Math.max(took, 0.1))
  return Math.max(fewest, Math.min(most, 2 * limit, fits))
}
