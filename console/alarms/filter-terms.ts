// What the alarms can be filtered by besides words, as the filter field offers it: a term, such as the level, and its
// values.

import { texts } from '../texts/shared-texts.ts'
import type { AlarmRow } from './row.ts'
import { levels, states } from './view.ts'

const words = texts.alarms

/** Each is a parameter of the address. */
export const termNames = ['level', 'state', 'device', 'event', 'zone', 'view', 'within'] as const
export type TermName = (typeof termNames)[number]

/** All that a filter consists of; `q` are the words. */
export const filterNames = [...termNames, 'q'] as const

const queryNames = [...filterNames, 'sort', 'desc']

/** What a filter consists of, in one order: equal filters have equal texts. */
export function queryText(query: URLSearchParams): string {
  const given = queryNames.flatMap((name) => {
    const value = query.get(name) ?? ''
    return value === '' ? [] : [[name, value]]
  })
  return new URLSearchParams(given).toString()
}

export const termLabel = (name: TermName) => words.terms[name]

/** Of these, several may be chosen: one of them must be met. */
export const takesSeveral = (name: TermName) => name === 'level' || name === 'state'

/** Of these, a part of a name will do. */
export const takesText = (name: TermName) => name === 'device' || name === 'event'

export interface Value {
  readonly value: string
  readonly label: string
  readonly note?: string
  readonly level?: number
}

const levelValues: readonly Value[] = levels.map((level) => ({
  ...{ value: String(level), label: texts.levels[level] ?? '', level },
}))
const stateValues: readonly Value[] = states.map((state) => ({ value: state, label: words.states[state] }))
const ageValues: readonly Value[] = Object.entries(words.ages).map(([value, label]) => ({ value, label }))

/** The most that is offered of one term. */
const maxTerms = 8

/** What open alarms name, the most frequent first. */
function valuesIn(rows: Iterable<AlarmRow>, read: (row: AlarmRow) => Value): readonly Value[] {
  const found = new Map<string, { readonly value: Value; count: number }>()
  for (const row of rows) {
    const value = read(row)
    if (value.value === '') continue
    const known = found.get(value.value) ?? { value, count: 0 }
    known.count += 1
    found.set(value.value, known)
  }
  return [...found.values()].sort((a, b) => b.count - a.count).map(({ value }) => value)
}

const deviceOf = ({ deviceId, device, ip }: AlarmRow): Value => ({
  ...{ value: deviceId === '0' || deviceId === '' ? device : deviceId, label: device },
  ...(ip !== device && { note: ip }),
})

const eventOf = ({ event, oid }: AlarmRow): Value => ({ value: oid, label: event || oid, note: oid })

/** Those of the zone and the view are found by the service. */
export function valuesOf(name: TermName, rows: Iterable<AlarmRow>): readonly Value[] {
  if (name === 'level') return levelValues
  if (name === 'state') return stateValues
  if (name === 'within') return ageValues.filter(({ value }) => value !== '0')
  if (name === 'device') return valuesIn(rows, deviceOf)
  if (name === 'event') return valuesIn(rows, eventOf)
  return []
}

export function like(values: readonly Value[], text: string): readonly Value[] {
  const wanted = text.trim().toLowerCase()
  return values
    .filter(({ label, note = '' }) => `${label} ${note}`.toLowerCase().includes(wanted))
    .slice(0, maxTerms)
}

interface Begun {
  readonly name: TermName
  /** What was typed behind the colon. */
  readonly text: string
  /** The words before it. */
  readonly before: string
}

/** A term that is typed at the end of the text, such as `device:ham`. */
export function begunIn(text: string): Begun | undefined {
  const [whole = '', word = '', typed = ''] = /(?:^|\s)(\p{L}+):(\S*)$/u.exec(text) ?? []
  const wanted = word.toLowerCase()
  const name = termNames.find((one) => one === wanted || termLabel(one).toLowerCase() === wanted)
  return wanted === '' || !name
    ? undefined
    : { name, text: typed, before: text.slice(0, text.length - whole.length) }
}

/** The word that is being typed, and those before it. */
export function lastWord(text: string): { readonly word: string; readonly before: string } {
  const [word = ''] = /\S*$/.exec(text) ?? []
  return { word, before: text.slice(0, text.length - word.length) }
}
