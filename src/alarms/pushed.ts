// As what an alarm was pushed: what the filters of clients look at, as it was when the push was committed. It is kept
// with the alarm, so that its end goes to everyone who could have been given it, whatever has changed since.

/** The custom views a device was in. `any` where they are not known, or too many to be written down each time. */
export type Views = ReadonlySet<string> | 'any'

/** What filters look at. */
export interface Facts {
  readonly OID: string
  readonly deviceIp: string
  /** Absent where it may have been any. */
  readonly alarmLevel: number | undefined
  readonly views: Views
}

/** A level and the text of the views. */
type Push = readonly [alarmLevel: number | null, views: string]

const anyView = '*'
/** More views than this, or a longer story, is not told apart: the end of such an alarm goes to all. */
const limits = { views: 1000, characters: 20_000 }

export const neverPushed = '[]'

/** Views as they are written. */
export const viewsText = (views: readonly bigint[]) =>
  views.length > limits.views ? anyView : views.join(',')

/** What is kept with an alarm, after one more push. */
export function pushedAgain(pushed: string, alarmLevel: number, views: string): string {
  const one = JSON.stringify([alarmLevel, views])
  if (pushed === neverPushed) return `[${one}]`
  if (pushed.includes(one)) return pushed
  const more = `${pushed.slice(0, -1)},${one}]`
  return more.length > limits.characters ? JSON.stringify([[null, anyView]]) : more
}

/** The facts of every push of an alarm. */
export function factsOf(pushed: string, OID: string, deviceIp: string): Facts[] {
  const pushes: Push[] = JSON.parse(pushed)
  return pushes.map(([alarmLevel, views]) => ({
    OID,
    deviceIp,
    alarmLevel: alarmLevel ?? undefined,
    views: readViews(views),
  }))
}

export const readViews = (text: string): Views => (text === anyView ? 'any' : new Set(text.split(',')))
