// One open alarm as the table holds it: small, and ready to be compared. There may be ten thousand of them.

import { timeText } from '../core/time-text.ts'
import { texts } from '../texts/shared-texts.ts'
import type { Alarm } from './alarm-document.ts'
import { suppressorText } from './suppressors.ts'

export interface AlarmRow {
  readonly id: string
  readonly level: number
  readonly deviceId: string
  readonly device: string
  readonly ip: string
  /** The index of the interface that it is about; empty where it is about none. */
  readonly port: string
  readonly oid: string
  readonly category: string
  readonly text: string
  /** Unix seconds. */
  readonly time: number
  readonly acknowledged: boolean
  readonly acknowledgedBy: string
  readonly acknowledgedAt: number
  readonly parentId: string
  /** How often it was reported, and the remark; known once the row has been visible. */
  readonly repeats: number
  readonly lastTime: number
  readonly remark: string
  readonly event: string
  /** What holds its pushes back, such as a maintenance window; empty where nothing does. */
  readonly heldBy: string
  /** Who has taken it on, the last note, and until when it is shelved: Unix seconds, 0 where it is not. */
  readonly owner: string
  readonly note: string
  readonly shelvedUntil: number
  /** When it was found to be over; such a row stays for a moment. */
  readonly endedAt: number
  /** When it came or changed while the page was visible, in milliseconds of the page. */
  readonly changedAt: number
  /** All that the text filter searches, in lower case. */
  readonly search: string
}

/** The work on an alarm, as lists have it, and the stream after an action. */
interface Worked {
  /** Whether it is held back, and by what. */
  readonly suppressed?: string
  readonly suppressedBy?: readonly string[]
  readonly owner?: string
  readonly note?: string
  readonly shelvedUntil?: string
}

/** What lists contain beyond what is pushed. */
export interface ListedAlarm extends Alarm, Worked {
  readonly remark: string
  readonly repeats: string
  readonly lastTime: string
  readonly eventName: string
}

const heldByOf = ({ suppressed, suppressedBy = [] }: Worked) =>
  suppressed === 'true' ? suppressedBy.map(suppressorText).join(', ') || texts.alarms.states.held : ''

const portIn = (paras: string) => /(?:^|;)\*?ifIndex=(\d+)/.exec(paras)?.[1] ?? ''

/** As text, to the minute; a shelf without an end has the last possible second. */
export const shelfEnd = (seconds: number) => (seconds > 2 ** 36 ? '' : timeText(seconds).slice(0, 16))

export function rowOf(
  alarm: (Alarm & Worked) | ListedAlarm,
  before: AlarmRow | undefined,
  changedAt: number,
): AlarmRow {
  const listed = 'repeats' in alarm ? alarm : undefined
  const { deviceName, deviceIp, alarmDesc, alarmLevelDesc, alarmCategoryDesc, OID, paras } = alarm
  const event = listed?.eventName ?? before?.event ?? ''
  const remark = listed?.remark ?? before?.remark ?? ''
  const owner = alarm.owner ?? before?.owner ?? ''
  const note = alarm.note ?? before?.note ?? ''
  return {
    id: alarm.id,
    level: Number(alarm.alarmLevel),
    deviceId: alarm.deviceId,
    device: deviceName === '' ? deviceIp : deviceName,
    ip: deviceIp,
    port: portIn(paras),
    oid: OID,
    category: alarmCategoryDesc,
    text: alarmDesc === '' ? event || OID : alarmDesc,
    time: Number(alarm.faultTime),
    acknowledged: alarm.ackStatus === '1',
    acknowledgedBy: alarm.ackUserName,
    acknowledgedAt: Number(alarm.ackTime),
    parentId: alarm.parentId,
    repeats: listed ? Number(listed.repeats) : (before?.repeats ?? 1),
    lastTime: listed ? Number(listed.lastTime) : (before?.lastTime ?? 0),
    remark,
    event,
    heldBy: heldByOf(alarm),
    owner,
    note,
    shelvedUntil: Number(alarm.shelvedUntil ?? 0),
    endedAt: alarm.recStatus === '1' ? before?.endedAt || changedAt : 0,
    changedAt,
    search: [
      deviceName,
      deviceIp,
      alarmDesc,
      alarmLevelDesc,
      alarmCategoryDesc,
      OID,
      paras,
      event,
      remark,
      owner,
      note,
      alarm.id,
    ]
      .join('\n')
      .toLowerCase(),
  }
}
