// The drafts of alarms of the service about itself.

import { ownEvents } from '../../events/service-events.ts'
import { fromService } from '../../resources/alarms/alarm.ts'
import { type AlarmDraft, Identity } from '../engine/alarm-draft.ts'

export type OwnEvent = keyof typeof ownEvents

/** The service itself, as the device of its own alarms. */
export const ownDevice = { id: 0n, ip: '127.0.0.1', name: 'Belfry' }

export const ownIdentity = (event: OwnEvent, resource: string): Identity =>
  new Identity(ownDevice.id, ownDevice.ip, resource, ownEvents[event].eventOid)

export function ownDraft(event: OwnEvent, resource: string, alarmDesc: string, at: number): AlarmDraft {
  const { eventOid, alarmLevel, alarmCategory } = ownEvents[event]
  return {
    identity: ownIdentity(event, resource),
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

/** The resource of a storm: `source=10.0.0.1`, or all sources together. */
export const stormingText = (storm: string) =>
  storm.startsWith('source=') ? `${storm.slice('source='.length)} sends` : 'All sources together send'

/** The alarm that stands for traps which are only counted. */
export const stormDraft = (storm: string, at: number): AlarmDraft =>
  ownDraft(
    'trapStorm',
    storm,
    `${stormingText(storm)} too many traps: most of them are counted and not read`,
    at,
  )

/** The resource of an own alarm that stands for alarms of all devices, or of one. */
export const overallResource = 'all devices'
export const deviceResource = (id: bigint) => `device=${id}`
