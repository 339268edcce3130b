// Alarms of the service about itself. They recover by themselves.

import { fromService } from '../resources/alarm.ts'
import { ownEvents } from '../resources/own-events.ts'
import type { Reader } from '../store/database.ts'
import { bySystem, type Fault } from './changes.ts'
import type { AlarmEngine } from './engine.ts'
import { ownDevice } from './operations.ts'

export type OwnEvent = keyof typeof ownEvents

function fault(event: OwnEvent, resource: string, alarmDesc: string, at: number): Fault {
  const { eventOid, alarmLevel, alarmCategory } = ownEvents[event]
  return {
    identity: { deviceId: ownDevice.id, resource, alarmType: eventOid },
    OID: eventOid,
    eventName: event,
    originalType: fromService,
    deviceIp: ownDevice.ip,
    deviceName: ownDevice.name,
    alarmLevel,
    alarmCategory,
    alarmDesc,
    paras: resource,
    at,
  }
}

export function raiseOwn(
  engine: AlarmEngine,
  event: OwnEvent,
  resource: string,
  text: string,
): Promise<void> {
  return engine.change(async (changes, tx) => {
    const wanted = fault(event, resource, text, tx.now)
    if (await changes.openAlarm(wanted.identity))
      await changes.repeat(wanted.identity, wanted.alarmLevel, wanted.at)
    else if (!(await engine.filtersOwn(wanted, tx))) await changes.raise(wanted)
  })
}

/** The resources of which an own alarm is open, raised by this run of the service or an earlier one. */
export async function openOwn(reader: Reader, event: OwnEvent): Promise<Set<string>> {
  const rows = await reader.all(
    'select resource from alarm where device_id = ? and alarm_type = ? and rec_status = 0',
    [ownDevice.id, ownEvents[event].eventOid],
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
    const over = fault(event, resource, text, tx.now)
    if (await changes.openAlarm(over.identity)) await changes.recover([over.identity], over, bySystem)
  })
}
