// Messages from the service to a single client, in the form of an alarm, because many clients understand nothing else.

import { blankAlarm } from '../alarms/engine/alarm-draft.ts'
import { alarmXml } from '../alarms/log/alarm-log.ts'
import { serviceDevice } from '../alarms/service/service-alarms.ts'
import { serviceEvents } from '../events/service-events.ts'
import { type Alarm, type AlarmTexts, fromService } from '../resources/alarms/alarm.ts'
import { type Gap, gapText } from './positions.ts'
import type { Pushed } from './stream-documents.ts'

interface Message {
  readonly event: 'entriesMissed' | 'testAlarm'
  readonly alarmDesc: string
  readonly paras: string
}

/** Its id is 0, because it is in no list. */
async function messageOf(
  { event, alarmDesc, paras }: Message,
  alarmTexts: AlarmTexts,
  now: number,
): Promise<Pushed> {
  const { eventOid, alarmLevel, alarmCategory } = serviceEvents[event]
  const record: Alarm = {
    ...blankAlarm,
    id: 0n,
    OID: eventOid,
    originalType: fromService,
    deviceId: serviceDevice.id,
    deviceIp: serviceDevice.ip,
    deviceName: serviceDevice.name,
    alarmLevel,
    alarmCategory,
    faultTime: now,
    lastTime: now,
    alarmDesc,
    paras,
    eventName: event,
    alarmType: eventOid,
    resource: '',
  }
  await alarmTexts.fill([record])
  return { xml: alarmXml(record), action: 'Push', clearedOids: [], position: undefined }
}

/** Reports entries that can no longer be delivered. */
export function gapAlarm(gap: Gap, alarmTexts: AlarmTexts, now: number): Promise<Pushed> {
  const { first, last } = gap.lost ?? { first: gap.from + 1n, last: gap.to }
  const paras = `from=${first};to=${gap.since ?? last}`
  return messageOf({ event: 'entriesMissed', alarmDesc: gapText(gap), paras }, alarmTexts, now)
}

/** Lets people check whether a client receives what it is sent. */
export const testAlarm = (by: string, alarmTexts: AlarmTexts, now: number): Promise<Pushed> =>
  messageOf(
    { event: 'testAlarm', alarmDesc: `A test alarm, sent by ${by}: nothing is wrong`, paras: '' },
    alarmTexts,
    now,
  )
