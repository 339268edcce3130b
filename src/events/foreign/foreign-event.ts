// What a file of another program says of an event, before it becomes a definition.

import { Fault } from '../../fault.ts'
import type { TrapEvent } from '../../resources/alarms/trap-event.ts'

export interface ForeignVariable {
  /** Its OID without the instance, or `#` and its place in the trap. */
  readonly place: string
  readonly name: string
  readonly fromIndex?: boolean
  readonly labels?: string
  readonly pattern?: string
}

/** A variable has one of these values, as in the states of a definition. */
export interface Condition {
  readonly variable: string
  readonly values: readonly string[]
}

export interface ForeignEvent {
  readonly file: string
  readonly line: number
  readonly eventOid: string
  readonly name: string
  readonly does: 'raise' | 'end' | 'store'
  readonly level: Level
  /** With `{names}` of variables. */
  readonly text: string
  readonly variables: readonly ForeignVariable[]
  /** All of them have to hold. */
  readonly conditions: readonly Condition[]
  /** The variables that name the resource, in an order that fault and end share; undefined where the form has none. */
  readonly keys: readonly string[] | undefined
  /** The alarm that it raises or ends, by a name that both use. */
  readonly alarm: string
}

export type Level = 1 | 2 | 3 | 4 | 5

/** What was not taken over, or not as it was. */
export interface Remark {
  readonly file: string
  readonly line: number
  readonly name: string
  /** lost: the event is left out. changed: it is taken over, but differs. */
  readonly kind: 'lost' | 'changed'
  readonly reason: string
}

/** Of one file. */
export interface ReadFile {
  readonly events: ForeignEvent[]
  readonly remarks: Remark[]
}

/** Of one event nobody writes more OIDs, variables or parts of a key. */
export const maxPartsOfEvent = 100

/** Characters of a text or an expression that are read. */
export const maxCharacters = 2000

/** Events of all files together, and remarks on them: they are answered at once. */
const [maxEvents, maxRemarks] = [20_000, 40_000]

export function requireFew(events: number, remarks: number): void {
  if (events > maxEvents || remarks > maxRemarks) {
    const message = `more than ${maxEvents} events, or ${maxRemarks} remarks on them: expected fewer events at a time`
    throw new Fault('invalid', message)
  }
}

export interface SourceFile {
  readonly name: string
  readonly text: string
}

/** What is known by name: from loaded modules, and from definitions. */
export interface Names {
  /** The variable at this place, from 1. */
  variable(eventOid: string, place: number): ForeignVariable
  object(name: string): string | undefined
  event(name: string): string | undefined
  /** The definition that a trap with this OID has now. */
  known(eventOid: string): (Omit<TrapEvent, 'id'> & { readonly id?: bigint }) | undefined
}

/** Braces of a text are for names alone. */
export const withoutBraces = (text: string) => text.replaceAll('{', '(').replaceAll('}', ')')

/** Spaces as people write them, and no more than a text of an alarm may have. */
export function tidied(text: string): string {
  const spaced = text.replaceAll(/\s+/g, ' ').trim()
  let end = spaced.length
  while (end > 0 && ' :,;=-'.includes(spaced[end - 1] ?? '')) end -= 1
  return spaced.slice(0, end).slice(0, 1000)
}

/** A name of a variable, as texts may use it. */
export const wordOf = (name: string) => name.replaceAll(/\W/g, '_').slice(0, 100)
