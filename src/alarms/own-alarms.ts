// Alarms of the service about itself. They recover by themselves.

import type { Reader } from '../store/database.ts'
import { bySystem } from './changes.ts'
import type { AlarmEngine } from './engine.ts'
import { type OwnEvent, ownDraft, ownIdentity } from './own-draft.ts'

export function raiseOwn(
  engine: AlarmEngine,
  event: OwnEvent,
  resource: string,
  text: string,
): Promise<void> {
  return engine.change(async (changes, tx) => {
    const wanted = ownDraft(event, resource, text, tx.now)
    if (await changes.openAlarm(wanted.identity))
      await changes.repeat(wanted.identity, wanted.alarmLevel, wanted.at)
    else if (!(await engine.filtersOwn(wanted, tx))) await changes.raise(wanted)
  })
}

/** The resources of which an own alarm is open, raised by this run of the service or an earlier one. */
export async function openOwn(reader: Reader, event: OwnEvent): Promise<Set<string>> {
  const { deviceId, alarmType } = ownIdentity(event, '')
  const rows = await reader.all(
    'select resource from alarm where device_id = ? and alarm_type = ? and rec_status = 0',
    [deviceId, alarmType],
  )
  return new Set(rows.map((row) => String(row.resource)))
}

export function recoverOwn(
  engine: AlarmEngine,
  event: OwnEvent,
  resource: string,
  text: string,
): Promise<void> {
  return engine.change(async (changes, tx) => {
    const over = ownDraft(event, resource, text, tx.now)
    if (await changes.openAlarm(over.identity)) await changes.recover([over.identity], over, bySystem)
  })
}
