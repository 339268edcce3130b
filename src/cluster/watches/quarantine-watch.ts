// The alarm about datagrams that were put aside ends by itself when none has followed for a while; the datagrams stay.

import type { Raising } from '../../alarms/engine/engine.ts'
import { openOwn, recoverOwn } from '../../alarms/service/service-alarms.ts'
import { lastAside } from '../blocks/block-table.ts'
import type { Database } from '../../store/database.ts'

const quiet = 3_600_000

/** Called periodically by the settling node. */
export async function endAsideAlarms(database: Database, settler: Raising, now: number): Promise<void> {
  const open = await openOwn(database, 'datagramsAside')
  if (open.size === 0) return
  const last = await lastAside(database)
  for (const resource of open) {
    const node = resource.slice('node='.length)
    // Also where the clock was set back meanwhile.
    if (Math.abs(now - (last.get(node) ?? 0)) < quiet) continue
    const text = `For an hour no datagram that node ${node} received was put aside`
    await recoverOwn(settler, 'datagramsAside', resource, text)
  }
}
