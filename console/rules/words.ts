// A rule in a few words, for the list of them.

import { ruleTexts as words } from '../texts/trap-texts.ts'
import { anyDevice, conditionsOf, type Draft, draftOf, type Rule } from './rule.ts'

/** The event that it filters, where it is for one; conditions on variables may be all that names it. */
export function eventOf(rule: Rule): string {
  const draft = draftOf(rule)
  if (draft.kind !== 'event') return ''
  return draft.oid || (conditionsOf(draft).find(({ faultOid }) => faultOid)?.faultOid ?? '')
}

/** What it filters, where that is not one event. */
export const groupText = (rule: Rule): string => words.group[draftOf(rule).kind] ?? words.anyEvent

export function placesText(rule: Rule): string {
  const { devices } = draftOf(rule)
  if (devices.length === 0 || devices.some(({ id }) => id === anyDevice)) return words.anyDevice
  return devices.length <= 2 ? devices.map(({ name }) => name).join(', ') : words.devices(devices.length)
}

/** `Mon–Fri`, `Sat Sun`: the week begins on Monday, and three days in a row make a span. */
function weekdaysText(weekdays: readonly number[]): string {
  const sorted = weekdays.map((day) => (day + 6) % 7).sort()
  const runs: number[][] = []
  for (const day of sorted) {
    const run = runs.at(-1)
    if (run && run.at(-1) === day - 1) run.push(day)
    else runs.push([day])
  }
  const name = (day = 0) => words.short[(day + 1) % 7] ?? ''
  return runs
    .map((run) => (run.length > 2 ? `${name(run[0])}–${name(run.at(-1))}` : run.map(name).join(' ')))
    .join(' ')
}

/** The days between which it is in force; empty where it always is. */
export function spanText({ startDay, endDay }: Pick<Draft, 'startDay' | 'endDay'>): string {
  if (startDay !== '' && endDay !== '') return words.between(startDay, endDay)
  if (startDay !== '') return words.from(startDay)
  return endDay === '' ? '' : words.until(endDay)
}

export function whenText(rule: Rule): string {
  const { startDay, endDay, startTime, endTime, weekdays, isSpan } = draftOf(rule)
  const times = startTime === '' && endTime === '' ? '' : `${startTime || '0:00'}–${endTime || '24:00'}`
  if (isSpan) return `${startDay} ${startTime} – ${endDay} ${endTime}`.trim()
  const days = weekdaysText(weekdays)
  return [days, times, spanText({ startDay, endDay })].filter(Boolean).join(', ') || words.always
}
