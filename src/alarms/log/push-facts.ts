// The facts under which an alarm was pushed: what the filters of clients compare, as it was when the push was
// committed. They are stored with the alarm, so that its end goes to every client that could have been given it,
// whatever has changed since.

import type { Alarm } from '../../resources/alarms/alarm.ts'

/** The custom views a device was in, and its zone. `any` where they are not known, or too many to be written each time. */
export type Views = ReadonlySet<string> | 'any'

/** Which clients something goes to: those that asked for everything, those that asked for causes alone, or both. */
export const audience = { nobody: 0, everything: 1, causes: 2, all: 3 } as const

/** Which clients an open alarm goes to: one that follows from another is not for clients that asked for causes. */
export function audienceNow({
  suppressed,
  causeId,
  causeUntil,
}: Pick<Alarm, 'suppressed' | 'causeId' | 'causeUntil'>): number {
  if (suppressed) return audience.nobody
  return causeId === 0n && causeUntil === 0 ? audience.all : audience.everything
}

/** What filters compare. */
export interface PushFacts {
  readonly OID: string
  readonly deviceIp: string
  /** Absent where it may have been any. */
  readonly alarmLevel: number | undefined
  readonly views: Views
  /** Which clients it went to; absent where to all. */
  readonly audience?: number
}

/**
 * A level, the text of the views, the clients, and the time; absent clients mean all, an absent time is that of
 * raising.
 */
type Push = readonly [alarmLevel: number | null, views: string, audience?: number, at?: number]

const anyView = '*'
/**
 * More views than this, or a longer record of pushes, are not kept one by one: the end of such an alarm goes to all.
 */
const limits = { views: 1000, characters: 20_000 }

export const neverPushed = '[]'

/** Views in their stored form, followed by the zone where it is not the default one. */
export function viewsText(views: readonly bigint[], zoneId = 1n): string {
  if (views.length > limits.views) return anyView
  const zone = zoneId === 1n ? [] : [zoneMark(zoneId)]
  return [...views, ...zone].join(',')
}

/** How a zone is written among views. */
export const zoneMark = (zoneId: bigint | string) => `z${zoneId}`

/** The zone in the stored form; where none is named, the default one. */
export function zoneIn(views: ReadonlySet<string>): string {
  for (const one of views) if (one.startsWith('z')) return one
  return zoneMark(1n)
}

/** Whether something was in one of the zones. */
export const isInZone = (views: Views, zones: ReadonlySet<string>): boolean =>
  views === 'any' || zones.has(zoneIn(views))

/** What is stored with an alarm that is pushed as it is raised. */
export const pushedFirst = (alarmLevel: number, views: string, to: number): string =>
  JSON.stringify([to === audience.all ? [alarmLevel, views] : [alarmLevel, views, to]])

/** What is stored with an alarm after one more push. Of pushes that differ in their time alone, the last is kept. */
export function pushedAgain(
  pushed: string,
  alarmLevel: number,
  views: string,
  to: number = audience.all,
  at = 0,
): string {
  const one: Push = [alarmLevel, views, to, at]
  const others = readPushes(pushed).filter(
    ([level, seen, given = audience.all]) => level !== alarmLevel || seen !== views || given !== to,
  )
  const more = JSON.stringify([...others, one])
  return more.length > limits.characters ? JSON.stringify([[null, anyView]]) : more
}

const readPushes = (pushed: string): Push[] => JSON.parse(pushed)

/** Which clients it was pushed to at any time. */
export function audienceOf(pushed: string): number {
  if (pushed === neverPushed) return audience.nobody
  let sum: number = audience.nobody
  for (const [, , to = audience.all] of readPushes(pushed)) sum |= to
  return sum
}

/** The facts of every push of an alarm. */
export const factsOf = (pushed: string, OID: string, deviceIp: string): PushFacts[] =>
  readPushes(pushed).map(([alarmLevel, views, to = audience.all]) => ({
    OID,
    deviceIp,
    alarmLevel: alarmLevel ?? undefined,
    views: readViews(views),
    ...addressed(to),
  }))

/** The clients in the form that facts use. */
export const addressed = (to: number): Pick<PushFacts, 'audience'> =>
  to === audience.all ? {} : { audience: to }

/** When each of them was pushed, in the order of the facts. */
export const timesOf = (pushed: string, raisedAt: number): number[] =>
  readPushes(pushed).map(([, , , at]) => at ?? raisedAt)

/** Most devices are in no view. */
const noViews: Views = new Set([''])

export function readViews(text: string): Views {
  if (text === '') return noViews
  return text === anyView ? 'any' : new Set(text.split(','))
}
