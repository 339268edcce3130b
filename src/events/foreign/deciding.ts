// Events of one OID that differ by the values of variables, as states of one definition: one variable decides what a trap
// does, the others tell apart what it is about.

import type { EventState } from '../event-file.ts'
import type { ForeignEvent } from './foreign-event.ts'

export interface Decided {
  readonly states: EventState[]
  /** Variables that the events ask for besides the one that decides. */
  readonly keys: readonly string[]
  readonly changes: readonly string[]
}

/** Events of one OID, each of which is compared with the others. */
const maxEvents = 500

/** Or why it cannot be said so. */
export function decide(events: readonly ForeignEvent[]): Decided | string {
  const conditional = events.filter(({ conditions }) => conditions.length > 0)
  if (conditional.length > maxEvents) return `more than ${maxEvents} events have its OID`
  const candidates = [
    ...new Set(conditional.flatMap((one) => one.conditions.map(({ variable }) => variable))),
  ]
  let reason = ''
  for (const variable of candidates) {
    const found = decideBy(variable, events, conditional)
    if (typeof found !== 'string') return found
    reason ||= found
  }
  return reason
}

interface Effect {
  readonly event: ForeignEvent
  readonly values: readonly string[]
}

function decideBy(
  variable: string,
  events: readonly ForeignEvent[],
  conditional: readonly ForeignEvent[],
): Decided | string {
  const effects: Effect[] = []
  const doesBy = new Map<string, ForeignEvent['does']>()
  for (const event of conditional) {
    const values = event.conditions.find((one) => one.variable === variable)?.values
    if (!values) return `some of its events do not ask for ${variable}, and others do`
    if (values.some((value) => (doesBy.get(value) ?? event.does) !== event.does))
      return 'what it does depends on several variables at a time'
    for (const value of values) doesBy.set(value, event.does)
    effects.push({ event, values })
  }
  const others = conditional.flatMap((one) => one.conditions.map((condition) => condition.variable))
  const keys = [...new Set(others.filter((one) => one !== variable))]
  const raised = new Set(
    effects.filter(({ event }) => event.does === 'raise').map(({ event }) => event.alarm),
  )
  const isEnded = effects.some(({ event }) => event.does === 'end')
  if (raised.size > 1 && keys.length === 0) {
    if (isEnded) return 'its events raise several alarms, which a definition cannot tell apart'
    keys.push(variable)
  }
  const changes =
    keys.length > 0 && keys[0] !== variable ? [`alarms are told apart by ${keys.join(', ')}`] : []
  return { states: [...statesOf(variable, effects), lastState(variable, events)], keys, changes }
}

/** The worst level first: of values that several events name, it counts. */
function statesOf(variable: string, effects: readonly Effect[]): EventState[] {
  const named = new Set<string>()
  const order = effects.toSorted((a, b) => a.event.level - b.event.level)
  return order.flatMap(({ event, values }) => {
    const own = values.filter((value) => !named.has(value))
    for (const value of own) named.add(value)
    if (own.length === 0) return []
    return [{ parameter: variable, values: own.join(';'), ...effectOf(event) }]
  })
}

/** Other values: as the event says that asks for none, else the trap is only stored. */
function lastState(variable: string, events: readonly ForeignEvent[]): EventState {
  const plain = events.find(({ conditions }) => conditions.length === 0)
  return { parameter: variable, values: '*', ...(plain ? effectOf(plain) : { handling: 0 }) }
}

function effectOf({ does, level }: ForeignEvent): Pick<EventState, 'handling' | 'alarmLevel'> {
  if (does === 'raise') return { handling: 1, alarmLevel: level }
  return { handling: does === 'end' ? 2 : 0 }
}
