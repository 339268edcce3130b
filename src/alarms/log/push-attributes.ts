// Records the attributes with which an alarm was pushed: those that client filters match, as they were at the time. They
// are stored with the alarm, so that its recovery reaches every client that may have received it, whatever changed since.

import type { Alarm } from '../../resources/alarms/alarm.ts'

/** The custom views and the zone of a device; `any` if they are unknown, or too many to store with every push. */
export type Views = ReadonlySet<string> | 'any'

/** Which clients a push goes to: those that asked for all alarms, those that asked for causes only, or both. */
export const audiences = { nobody: 0, everything: 1, causes: 2, all: 3 } as const

/** Which clients an open alarm goes to: a consequence of another alarm does not go to clients that asked for causes. */
export function currentAudience({
  suppressed,
  causeId,
  causeUntil,
}: Pick<Alarm, 'suppressed' | 'causeId' | 'causeUntil'>): number {
  if (suppressed) return audiences.nobody
  return causeId === 0n && causeUntil === 0 ? audiences.all : audiences.everything
}

/** The attributes that filters match. */
export interface PushAttributes {
  readonly OID: string
  readonly deviceIp: string
  /** Undefined if unknown. */
  readonly alarmLevel: number | undefined
  readonly views: Views
  /** Which clients it went to; absent: all. */
  readonly audience?: number
}

/** A stored push. Without an audience it went to all clients; without a time it happened when the alarm was raised. */
type Push = readonly [alarmLevel: number | null, views: string, audience?: number, at?: number]

const anyView = '*'
/** Beyond these limits no details are stored, and the recovery of the alarm goes to all clients. */
const limits = { views: 1000, characters: 20_000 }

export const neverPushed = '[]'

/** Views in stored form, followed by the zone unless it is the default one. */
export function viewsText(views: readonly bigint[], zoneId = 1n): string {
  if (views.length > limits.views) return anyView
  const zone = zoneId === 1n ? [] : [zoneMark(zoneId)]
  return [...views, ...zone].join(',')
}

/** How a zone is written in a list of views. */
export const zoneMark = (zoneId: bigint | string) => `z${zoneId}`

/** The zone in a list of views; the default one if none is named. */
export function zoneIn(views: ReadonlySet<string>): string {
  for (const one of views) if (one.startsWith('z')) return one
  return zoneMark(1n)
}

export const isInZone = (views: Views, zones: ReadonlySet<string>): boolean =>
  views === 'any' || zones.has(zoneIn(views))

/** The stored record of an alarm that is pushed when it is raised. */
export const pushedFirst = (alarmLevel: number, views: string, to: number): string =>
  JSON.stringify([to === audiences.all ? [alarmLevel, views] : [alarmLevel, views, to]])

/** The stored record after another push. Of pushes that differ only in time, the last is kept. */
export function pushedAgain(
  pushed: string,
  alarmLevel: number,
  views: string,
  to: number = audiences.all,
  at = 0,
): string {
  const one: Push = [alarmLevel, views, to, at]
  const others = readPushes(pushed).filter(
    ([level, pushedViews, audience = audiences.all]) =>
      level !== alarmLevel || pushedViews !== views || audience !== to,
  )
  const more = JSON.stringify([...others, one])
  return more.length > limits.characters ? JSON.stringify([[null, anyView]]) : more
}

const readPushes = (pushed: string): Push[] => JSON.parse(pushed)

/** Which clients have received it. */
export function audienceOf(pushed: string): number {
  if (pushed === neverPushed) return audiences.nobody
  let sum: number = audiences.nobody
  for (const [, , to = audiences.all] of readPushes(pushed)) sum |= to
  return sum
}

/** The attributes of every push of an alarm. */
export const attributesOf = (pushed: string, OID: string, deviceIp: string): PushAttributes[] =>
  readPushes(pushed).map(([alarmLevel, views, to = audiences.all]) => ({
    OID,
    deviceIp,
    alarmLevel: alarmLevel ?? undefined,
    views: readViews(views),
    ...audienceAttribute(to),
  }))

export const audienceAttribute = (to: number): Pick<PushAttributes, 'audience'> =>
  to === audiences.all ? {} : { audience: to }

/** When each of them was pushed, in the order of `attributesOf`. */
export const pushTimes = (pushed: string, raisedAt: number): number[] =>
  readPushes(pushed).map(([, , , at]) => at ?? raisedAt)

/** The common case: a device in no view. */
const noViews: Views = new Set([''])

export function readViews(text: string): Views {
  if (text === '') return noViews
  return text === anyView ? 'any' : new Set(text.split(','))
}
