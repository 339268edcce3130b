// Raises and recovers alarms of the service about itself.

import { serviceEvents } from '../../events/service-events.ts'
import { fromService } from '../../resources/alarms/alarm.ts'
import type { Reader } from '../../store/database.ts'
import { type AlarmDraft, Identity, systemUser } from '../engine/alarm-draft.ts'
import type { AlarmChanger } from '../engine/engine.ts'

/** Raises an alarm, or counts a repetition of the open one; `times` counts for that many. */
export function raiseServiceAlarm(
  engine: AlarmChanger,
  event: ServiceEvent,
  resource: string,
  text: string,
  times = 1,
): Promise<void> {
  return engine.change(async (changes, tx) => {
    const draft = serviceDraft(event, resource, text, tx.now)
    const { identity, alarmLevel, at } = draft
    await changes.gather([draft])
    let repeats = times
    if (!changes.openAlarm(identity)) {
      if (await engine.filtersServiceAlarm(draft, tx)) return
      changes.raise(draft)
      repeats -= 1
    }
    if (repeats > 0) changes.repeat(identity, alarmLevel, at, repeats)
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

// Drafts alarms of the service about itself.

export type ServiceEvent = keyof typeof serviceEvents

/** The service as the device of its alarms. */
export const serviceDevice = { id: 0n, ip: '127.0.0.1', name: 'Belfry' }

const serviceIdentity = (event: ServiceEvent, resource: string): Identity =>
  new Identity(serviceDevice.id, serviceDevice.ip, resource, serviceEvents[event].eventOid)

export function serviceDraft(
  event: ServiceEvent,
  resource: string,
  alarmDesc: string,
  at: number,
): AlarmDraft {
  const { eventOid, alarmLevel, alarmCategory } = serviceEvents[event]
  return {
    identity: serviceIdentity(event, resource),
    OID: eventOid,
    eventName: event,
    originalType: fromService,
    deviceIp: serviceDevice.ip,
    deviceName: serviceDevice.name,
    alarmLevel,
    alarmCategory,
    alarmDesc,
    paras: resource,
    at,
  }
}

/** Precedes the resource of the alarm about a storm of syslog messages. */
export const messageStorm = 'syslog;'

/** `storm` is the resource of the alarm: `source=10.0.0.1`, or all sources together; of messages, after `syslog;`. */
export function stormingText(storm: string, amount: string): string {
  const isOfMessages = storm.startsWith(messageStorm)
  const about = isOfMessages ? storm.slice(messageStorm.length) : storm
  const who = about.startsWith('source=')
    ? `${about.slice('source='.length)} sends`
    : 'All sources together send'
  return `${who} ${amount} ${isOfMessages ? 'syslog messages' : 'traps'}`
}

/** The alarm in which the traps of a storm are counted. */
export const stormDraft = (storm: string, at: number): AlarmDraft =>
  serviceDraft(
    'trapStorm',
    storm,
    `${stormingText(storm, 'too many')}: most of them are counted and not read`,
    at,
  )

/** The resources of limit alarms: for all devices, or for one. */
export const overallResource = 'all devices'
export const deviceResource = (id: bigint) => `device=${id}`
