// Alarms of the service about itself. They recover by themselves.

import type { Reader } from '../../store/database.ts'
import { bySystem } from '../engine/alarm-draft.ts'
import type { AlarmChanger } from '../engine/engine.ts'
import { type ServiceEvent, serviceDraft, serviceIdentity } from './service-alarm-draft.ts'

export function raiseServiceAlarm(
  engine: AlarmChanger,
  event: ServiceEvent,
  resource: string,
  text: string,
): Promise<void> {
  return engine.change(async (changes, tx) => {
    const draft = serviceDraft(event, resource, text, tx.now)
    const { identity, alarmLevel, at } = draft
    await changes.gather([draft])
    if (changes.openAlarm(identity)) changes.repeat(identity, alarmLevel, at)
    else if (!(await engine.filtersServiceAlarm(draft, tx))) changes.raise(draft)
  })
}

/**
 * The resources of which an own alarm is open, raised by this run of the service or an earlier one; with a time, before
 * that.
 */
export async function openServiceAlarms(
  reader: Reader,
  event: ServiceEvent,
  before = Number.MAX_SAFE_INTEGER,
): Promise<Set<string>> {
  const { alarmType } = serviceIdentity(event, '')
  // Those of no device, in the words of the index that holds them.
  const rows = await reader.all(
    'select resource from alarm where device_id < 1 and alarm_type = ? and rec_status = 0 and fault_time < ?',
    [alarmType, before],
  )
  return new Set(rows.map((row) => String(row.resource)))
}

export function recoverServiceAlarm(
  engine: AlarmChanger,
  event: ServiceEvent,
  resource: string,
  text: string,
): Promise<void> {
  return engine.change(async (changes, tx) => {
    const over = serviceDraft(event, resource, text, tx.now)
    const { identity } = over
    await changes.gather([{ identity }])
    if (changes.openAlarm(identity)) changes.recover([identity], over, bySystem)
  })
}
