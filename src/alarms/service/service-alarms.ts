// Raises and recovers alarms of the service about itself.

import type { Reader } from '../../store/database.ts'
import { systemUser } from '../engine/alarm-draft.ts'
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

/** The resources of open service alarms, raised by this run or an earlier one. `before`: only older ones. */
export async function openServiceAlarms(
  reader: Reader,
  event: ServiceEvent,
  before = Number.MAX_SAFE_INTEGER,
): Promise<Set<string>> {
  const { alarmType } = serviceIdentity(event, '')
  // Phrased like the condition of the index on alarms without a device.
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
    const recovery = serviceDraft(event, resource, text, tx.now)
    const { identity } = recovery
    await changes.gather([{ identity }])
    if (changes.openAlarm(identity)) changes.recover([identity], recovery, systemUser)
  })
}
