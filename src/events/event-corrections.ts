// Corrections of the catalogue of vendors' events. They are kept apart from it, and survive when it is made again.

import { Fault } from '../fault.ts'
import { DefinitionEntry } from '../schema/definition-entry.ts'
import type { ShippedEvent } from './catalogue-file.ts'
import { type EventState, oidPattern, stateFields, stateOf } from './event-file.ts'

/** What is different from the generated definition; the rest stays. */
export interface Correction {
  readonly eventOid: string
  /** As the module has it: it shows that the right event is meant. */
  readonly name: string
  readonly alarmLevel?: 1 | 2 | 3 | 4 | 5
  readonly alarmDesc?: string
  readonly handling?: 0 | 1
  readonly recovers?: readonly string[]
  /** The parameters that name the resource. */
  readonly keys?: readonly string[]
  readonly state?: readonly EventState[]
}

const fields = [
  ...['eventOid', 'name', 'alarmLevel', 'alarmDesc', 'handling', 'recovers', 'keys', 'state', 'note'],
]

export function readCorrections(text: string, file: string): Map<string, Correction> {
  const whole = DefinitionEntry.ofFile(text, file, ['about', 'corrections'])
  whole.text('about')
  const found = new Map<string, Correction>()
  for (const entry of whole.entries('corrections', 'correction', fields)) {
    const correction = correctionOf(entry)
    if (found.has(correction.eventOid))
      throw new Fault('invalid', `${file}: ${correction.eventOid} is corrected twice`)
    found.set(correction.eventOid, correction)
  }
  return found
}

function correctionOf(entry: DefinitionEntry): Correction {
  const { alarmLevel, alarmDesc, handling, recovers, keys, state, note } = entry.fields
  if (note !== undefined) entry.text('note')
  return {
    eventOid: entry.text('eventOid', oidPattern, 'an OID'),
    name: entry.text('name'),
    ...(alarmLevel !== undefined && { alarmLevel: entry.oneOf('alarmLevel', [1, 2, 3, 4, 5] as const) }),
    ...(alarmDesc !== undefined && { alarmDesc: entry.text('alarmDesc') }),
    ...(handling !== undefined && { handling: entry.oneOf('handling', [0, 1] as const) }),
    ...(recovers !== undefined && {
      recovers: entry.list('recovers').map((_, at) => entry.textAt('recovers', at, oidPattern, 'an OID')),
    }),
    ...(keys !== undefined && { keys: entry.list('keys').map((_, at) => entry.textAt('keys', at)) }),
    ...(state !== undefined && { state: entry.entries('state', 'state', stateFields).map(stateOf) }),
  }
}

export function corrected(event: ShippedEvent, correction: Correction | undefined): ShippedEvent {
  if (!correction) return event
  const { alarmLevel, alarmDesc, handling, recovers, keys, state } = correction
  return {
    ...event,
    ...(alarmLevel !== undefined && { alarmLevel }),
    ...(alarmDesc !== undefined && { alarmDesc }),
    ...(handling !== undefined && { handling }),
    ...(recovers !== undefined && { recovers: [...recovers] }),
    ...(keys !== undefined && {
      parameter: event.parameter.map((one) => ({ ...one, isKey: keys.includes(one.name) || null })),
    }),
    ...(state !== undefined && { state: state.map((one) => ({ alarmLevel: null, ...one })) }),
  }
}
