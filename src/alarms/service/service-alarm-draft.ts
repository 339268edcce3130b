// Drafts alarms of the service about itself.

import { serviceEvents } from '../../events/service-events.ts'
import { fromService } from '../../resources/alarms/alarm.ts'
import { type AlarmDraft, Identity } from '../engine/alarm-draft.ts'

export type ServiceEvent = keyof typeof serviceEvents

/** The service as the device of its alarms. */
export const serviceDevice = { id: 0n, ip: '127.0.0.1', name: 'Belfry' }

export const serviceIdentity = (event: ServiceEvent, resource: string): Identity =>
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

/** `storm` is the resource of the alarm: `source=10.0.0.1`, or all sources together. */
export const stormingText = (storm: string) =>
  storm.startsWith('source=') ? `${storm.slice('source='.length)} sends` : 'All sources together send'

/** The alarm in which the traps of a storm are counted. */
export const stormDraft = (storm: string, at: number): AlarmDraft =>
  serviceDraft(
    'trapStorm',
    storm,
    `${stormingText(storm)} too many traps: most of them are counted and not read`,
    at,
  )

/** The resources of limit alarms: for all devices, or for one. */
export const overallResource = 'all devices'
export const deviceResource = (id: bigint) => `device=${id}`
