// The alarm about datagrams that were quarantined ends by itself when none has followed for a while; the datagrams stay.

import type { AlarmChanger } from '../../alarms/engine/engine.ts'
import { openServiceAlarms, recoverServiceAlarm } from '../../alarms/service/service-alarms.ts'
import type { Database } from '../../store/database.ts'
import { lastQuarantined } from '../blocks/block-table.ts'

const quiet = 3_600_000

/** Called periodically by the leader. */
export async function endQuarantineAlarms(
  database: Database,
  alarms: AlarmChanger,
  now: number,
): Promise<void> {
  const open = await openServiceAlarms(database, 'datagramsAside')
  if (open.size === 0) return
  const last = await lastQuarantined(database)
  for (const resource of open) {
    const node = resource.slice('node='.length)
    // Also where the clock was set back meanwhile.
    if (Math.abs(now - (last.get(node) ?? 0)) < quiet) continue
    const text = `For an hour no datagram that node ${node} received was quarantined`
    await recoverServiceAlarm(alarms, 'datagramsAside', resource, text)
  }
}
