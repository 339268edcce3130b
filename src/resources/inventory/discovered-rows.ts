// The rows of what discoveries have found. They belong to their discovery and go with it.

import type { Transaction } from '../../store/database.ts'
import { addToTally } from '../../store/tally.ts'

/** Removes what a discovery has found, so many at most; returns how many. */
export async function forgetDiscovered(
  tx: Transaction,
  discoveryId: bigint,
  limit?: number,
): Promise<number> {
  const some = limit === undefined ? '' : ' limit ?'
  const removed = await tx.run(
    `delete from discovered where id in (select id from discovered where discovery_id = ? order by id${some})`,
    limit === undefined ? [discoveryId] : [discoveryId, limit],
  )
  addToTally(tx, { name: 'discovered' }, '', '', -removed)
  return removed
}
