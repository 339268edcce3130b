// A gap told as an alarm of the service, to clients that know nothing but alarms.

import { blankAlarm } from '../alarms/draft.ts'
import { alarmXml } from '../alarms/log.ts'
import { ownDevice } from '../alarms/own-draft.ts'
import { ownEvents } from '../events/own-events.ts'
import { type Alarm, type AlarmWords, fromService } from '../resources/alarm.ts'
import type { Pushed } from './documents.ts'
import type { Gap } from './positions.ts'

/** It belongs to one client and is in no list: its id is 0. */
export async function gapAlarm({ from, to, reason }: Gap, words: AlarmWords, now: number): Promise<Pushed> {
  const { eventOid, alarmLevel, alarmCategory } = ownEvents.entriesMissed
  const missed = to > from ? ` (${(to - from).toLocaleString('en')} entries of the alarm log)` : ''
  const record: Alarm = {
    ...blankAlarm,
    id: 0n,
    OID: eventOid,
    originalType: fromService,
    deviceId: ownDevice.id,
    deviceIp: ownDevice.ip,
    deviceName: ownDevice.name,
    alarmLevel,
    alarmCategory,
    faultTime: now,
    lastTime: now,
    alarmDesc: `Alarms from ${from + 1n} to ${to}${missed} cannot be delivered any more: ${reason}`,
    paras: `from=${from + 1n};to=${to}`,
    eventName: 'entriesMissed',
    alarmType: eventOid,
    resource: '',
  }
  await words.fill([record])
  return { xml: alarmXml(record), action: 'Push', clearedOids: [], position: undefined }
}
