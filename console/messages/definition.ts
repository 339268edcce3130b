// A definition of messages as the service and the form have it.

import type { Values } from '../parts/form.tsx'
import { type Row, readBack, written } from '../parts/row-values.ts'

export interface MessageDefinition {
  readonly id: string
  readonly name: string
  readonly code?: readonly string[]
  readonly word?: readonly string[]
  readonly network?: readonly string[]
  readonly device?: readonly string[]
  readonly typeName?: readonly string[]
  readonly zone?: readonly string[]
  readonly message: readonly Row[]
  readonly unless?: string
  readonly key?: readonly string[]
  readonly raises?: readonly string[]
  readonly clears?: readonly string[]
  readonly eventOid?: string
  readonly alarmLevel?: string
  readonly alarmCategory?: string
  readonly alarmDesc?: string
  readonly description?: string
}

/** Below it are events that definitions of messages have for themselves. */
const ownArc = '1.3.6.1.4.1.32473.514.4.'
const otherCategory = '15'
const byState = '3'
const noAlarm = '0'
/** The choice of no level. */
export const bySeverity = ''

const lists = ['code', 'word', 'network', 'device', 'typeName', 'zone', 'key', 'raises', 'clears'] as const

export const valuesOf = (definition: Partial<MessageDefinition>): Values => {
  const { eventOid = '', id } = definition
  return {
    name: definition.name ?? '',
    description: definition.description ?? '',
    ...Object.fromEntries(lists.map((field) => [field, (definition[field] ?? []).join(', ')])),
    message: written(definition.message ?? [{ handling: '1' }]),
    unless: definition.unless ?? '',
    eventOid: eventOid === `${ownArc}${id}` ? '' : eventOid,
    alarmLevel: definition.alarmLevel ?? bySeverity,
    alarmCategory: definition.alarmCategory ?? otherCategory,
    alarmDesc: definition.alarmDesc ?? '',
  }
}

export const listed = (text = '') =>
  text
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')

export const makesAlarms = ({ message }: Values) =>
  readBack(message).some(({ handling }) => handling !== noAlarm)
export const hasState = ({ message }: Values) =>
  readBack(message).some(({ handling }) => handling === byState)
export const hasOwnAlarm = (values: Values) => makesAlarms(values) && values.eventOid?.trim() === ''

/** What does not go with the rest is left out. */
export function bodyOf(values: Values) {
  const { name = '', description = '', unless = '', eventOid = '', alarmDesc = '' } = values
  const some = (text: string) => (text.trim() === '' ? null : text.trim())
  const isOwn = hasOwnAlarm(values)
  const states = hasState(values) ? {} : { raises: [], clears: [] }
  return {
    ...Object.fromEntries(lists.map((field) => [field, listed(values[field])])),
    ...states,
    ...{ name: name.trim(), description, unless: some(unless), message: readBack(values.message) },
    eventOid: makesAlarms(values) ? some(eventOid) : null,
    alarmLevel: isOwn && values.alarmLevel !== bySeverity ? (values.alarmLevel ?? null) : null,
    alarmCategory: isOwn ? (values.alarmCategory ?? null) : null,
    alarmDesc: isOwn ? some(alarmDesc) : null,
  }
}
