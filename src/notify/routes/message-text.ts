// What messages say: the alarm as they show it, title and text.

import type { Alarm, AlarmTexts } from '../../resources/alarms/alarm.ts'
import {
  type Message,
  type MessageAlarm,
  type MessageLink,
  readable,
  readableLine,
  shortened,
} from '../message.ts'
import type { Incident } from './incident.ts'
import { isLimitNotice, type LedgerRow, limitDetail } from './ledger.ts'

/** Of texts that devices send. */
const longest = 1000

const cut = (text: string | null) => shortened(text ?? '', longest)

/** Kept with the incident, so that a message can be made however late, and after the alarm is gone. */
export function describeAlarm(alarm: Alarm, texts: AlarmTexts): string {
  texts.describe([alarm])
  const seconds = (time: number) => Math.floor(time / 1000)
  const described: MessageAlarm = {
    id: String(alarm.id),
    OID: alarm.OID,
    eventName: alarm.eventName,
    alarmLevel: alarm.alarmLevel,
    alarmLevelDesc: String(alarm.alarmLevelDesc ?? ''),
    alarmCategoryDesc: String(alarm.alarmCategoryDesc ?? ''),
    deviceId: String(alarm.deviceId ?? 0n),
    deviceName: cut(alarm.deviceName),
    deviceIp: alarm.deviceIp ?? '',
    resource: cut(alarm.resource),
    ifDesc: cut(alarm.ifDesc),
    alarmDesc: cut(alarm.alarmDesc),
    faultTime: seconds(alarm.faultTime),
    faultTimeDesc: String(alarm.faultTimeDesc ?? ''),
    recTime: seconds(alarm.recTime),
    recTimeDesc: String(alarm.recTimeDesc ?? ''),
    ackUserName: alarm.ackUserName ?? '',
    owner: alarm.owner ?? '',
    note: cut(alarm.note),
  }
  return JSON.stringify(described)
}

export interface MessageParts {
  readonly row: LedgerRow
  readonly incident: Incident
  readonly routeName: string
  /** The identity of the store: receivers may get messages of several installations. */
  readonly store: string
  readonly earlier: string | undefined
  readonly links: readonly MessageLink[]
  /** How many alarms of a storm or a summary are acknowledged. */
  readonly acknowledged: number
}

export function messageOf(parts: MessageParts): Message {
  const { row, incident, store, earlier, links } = parts
  const alarm = JSON.parse(incident.alarm) as MessageAlarm
  const children = Math.max(0, incident.alarms - 1)
  const isLimit = isLimitNotice(row)
  const title = isLimit
    ? `More messages than the hourly limit of ${limitedBy(parts)}`
    : titleOf(row, incident, alarm)
  const text = isLimit ? limitText : textOf(parts, alarm)
  const isAboutMany = isLimit || (incident.rootId === 0n && row.change === 'summary')
  return {
    id: row.messageId,
    incident: `${store}-${incident.id}`,
    change: row.change,
    title: readableLine(title),
    text: readable(text),
    alarm: isAboutMany ? undefined : alarm,
    children,
    links,
    earlier,
  }
}

/** What has the limit: its name in the ledger is for machines. */
function limitedBy({ row, routeName }: MessageParts): string {
  const [kind] = row.detail.slice(limitDetail.length).split(' ')
  return kind === 'route' ? `route ${routeName}` : kind === 'contact' ? 'one person' : 'one channel'
}

const limitText =
  'Further messages within this hour are not sent. The notification log lists them as limited. That an alarm got worse, was acknowledged or is over is told as usual.'

const words: Readonly<Record<string, string>> = {
  worse: 'Worse',
  acknowledged: 'Acknowledged',
  note: 'Note',
  recovered: 'Recovered',
  repeat: 'Still open',
  escalated: 'Escalated',
}

function titleOf({ change }: LedgerRow, incident: Incident, alarm: MessageAlarm): string {
  const word = words[change]
  const count = alarmsOf(incident.alarms)
  if (incident.kind !== 'alarm') {
    if (change === 'recovered') return `Recovered: ${count}`
    const isStorm = incident.kind === 'storm'
    if (word === undefined) return `${isStorm ? 'Storm' : 'Summary after an outage'}: ${count}`
    return `${word}: ${isStorm ? `storm of ${count}` : `${count} after an outage`}`
  }
  const device = alarm.deviceName || alarm.deviceIp
  const what = firstLine(alarm.alarmDesc) || alarm.eventName
  return `${word === undefined ? '' : `${word}: `}[${alarm.alarmLevelDesc}] ${device}: ${what}`
}

const alarmsOf = (count: number) => (count === 1 ? '1 alarm' : `${count} alarms`)

const titleLength = 150
function firstLine(text: string): string {
  const [line = ''] = text.split(/[\r\n]/, 1)
  return shortened(line, titleLength)
}

function textOf({ row, incident, routeName, acknowledged }: MessageParts, alarm: MessageAlarm): string {
  const lines: string[] = []
  if (incident.kind !== 'alarm') {
    const open = Math.max(0, incident.alarms - incident.ended)
    const taken = acknowledged > 0 ? ` (${acknowledged} acknowledged)` : ''
    const why = incident.kind === 'outage' ? 'While notifications were not sent, ' : ''
    lines.push(
      `${why}${alarmsOf(incident.alarms)} came in: ${open} open${taken}, ${incident.ended} over.`,
      'The most severe of them:',
    )
  }
  if (row.change === 'acknowledged') lines.push(`Acknowledged by ${row.detail || 'somebody'}.`)
  else if (row.change === 'recovered' && row.detail !== '') lines.push('The alarm was deleted.')
  else if (row.detail !== '') lines.push(row.detail)
  lines.push(cut(alarm.alarmDesc))
  // A device that nobody has named has its address as its name.
  const device = new Set([alarm.deviceName, alarm.deviceIp].filter((one) => one !== ''))
  lines.push(`Device: ${[...device].join(', ')}`)
  if (alarm.ifDesc !== '') lines.push(`Interface: ${alarm.ifDesc}`)
  lines.push(`Level: ${alarm.alarmLevelDesc}`, `Since: ${alarm.faultTimeDesc}`)
  if (alarm.recTimeDesc !== '') lines.push(`Over since: ${alarm.recTimeDesc}`)
  if (incident.kind === 'alarm' && incident.alarms > 1) {
    const others = incident.alarms - 1
    const open = incident.alarms - incident.ended
    const isOpen = row.change === 'recovered' && open > 0
    const left = isOpen ? ` ${open} of them ${open === 1 ? 'is' : 'are'} still open.` : ''
    lines.push(`${alarmsOf(others)} ${others === 1 ? 'follows' : 'follow'} from it.${left}`)
  }
  lines.push(`Alarm ${alarm.id}, route ${routeName}`)
  return lines.join('\n')
}
