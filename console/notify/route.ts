// A route as the service sends it, and as the form holds it.

import { ageText } from '../core/time-text.ts'
import type { Values } from '../parts/form.tsx'
import { routeTexts as words } from '../texts/notify-texts.ts'
import { ruleTexts } from '../texts/trap-texts.ts'

export interface Step {
  readonly after?: string
  /** `contact:3,team:7` */
  readonly target: string
}

export interface Route {
  readonly id: string
  readonly name: string
  readonly position: string
  readonly enabled: string
  readonly goOn: string
  readonly filter: string
  readonly timeZone?: string
  readonly weekDays?: string
  readonly fromTime?: string
  readonly toTime?: string
  readonly delay: string
  readonly repeatAfter: string
  readonly step: readonly Step[]
  readonly atEnd: string
  readonly hourlyLimit: string
}

export const routePath = '/notify/route'

/** The parts of a filter, each with a field of its own in the form. */
const filterParts = [
  ...['alarmLevel', 'zoneId', 'customView', 'alarmCategory'],
  ...['deviceIp', 'ipSegment', 'eventOid'],
] as const

const plainFields = [
  ...['name', 'position', 'enabled', 'goOn', 'timeZone', 'weekDays', 'fromTime', 'toTime'],
  ...['delay', 'repeatAfter', 'atEnd', 'hourlyLimit'],
] as const

export function toForm(route: Route): Values {
  const filter = new URLSearchParams(route.filter)
  const record = route as unknown as Readonly<Record<string, string | undefined>>
  return {
    ...Object.fromEntries(plainFields.map((name) => [name, record[name] ?? ''])),
    ...Object.fromEntries(filterParts.map((name) => [name, filter.getAll(name).join()])),
    step: JSON.stringify(route.step),
  }
}

export function fromForm(values: Values) {
  const parts = filterParts.map((name) => [name, (values[name] ?? '').trim()] as const)
  const filter = new URLSearchParams(parts.filter(([, value]) => value !== '').map((part) => [...part]))
  const steps: readonly Step[] = JSON.parse(values.step || '[]')
  return {
    ...Object.fromEntries(plainFields.map((name) => [name, values[name] ?? ''])),
    filter: filter.toString(),
    step: steps.map(({ after = '', target }) => (after === '' ? { target } : { after, target })),
  }
}

const daysText = (weekDays: string) =>
  weekDays
    .split(',')
    .map((day) => ruleTexts.short[Number(day)])
    .join(', ')

/** When it applies, in words. */
export function whenText({ weekDays, fromTime, toTime, timeZone }: Route): string {
  const parts = [weekDays && daysText(weekDays), fromTime && toTime && `${fromTime}–${toTime}`].filter(
    Boolean,
  )
  if (parts.length === 0) return words.always
  return [...parts, timeZone].filter(Boolean).join(', ')
}

/** How long after the alarm a step is, for the first one: after the delay of the route. */
export const afterText = (seconds: number) =>
  seconds === 0 ? words.atOnce : words.afterText(seconds < 60 ? `${seconds} s` : ageText(seconds))
