// The states of a device that are looked at to find faults that nobody has reported: those of the file of checks that say
// which event is raised, and those that the definitions of the store name.

import type { EventCatalog, EventDefinition } from '../../events/event-catalog.ts'
import type { Variable } from '../../snmp/variables.ts'
import { type CheckRule, type CheckRules, entPhysicalName } from './checks.ts'

export type Condition = 'good' | 'broken' | 'other'

export interface WatchedState {
  readonly condition: Condition
  /** For people. */
  readonly text: string
}

/** A column of states, and the event that tells of a bad one. */
export interface Watch {
  readonly name: string
  /** The event that is raised, and all whose alarms are about the same. */
  readonly raises: string
  readonly events: readonly string[]
  /** The parts of an alarm's resource that make the instance. */
  readonly key: readonly string[]
  readonly column: string
  /** Columns that name the part. */
  readonly names: readonly string[]
  readonly isLasting: boolean
  readonly wanted: CheckRule['wanted']
  /** What a report of the event carries. */
  readonly carried: readonly string[]
  read(variable: Variable): WatchedState
}

/** Of the store's definitions, so many are looked at: each is a table that a device may have. */
const maxDefinitions = 40

export function watchesOf(rules: CheckRules, catalog: EventCatalog): readonly Watch[] {
  const byRule = [...new Set(rules.values())].flatMap((rule) => ruleWatch(rule, catalog) ?? [])
  const byDefinition = catalog.askable
    .filter(({ oid }) => !rules.has(oid))
    .slice(0, maxDefinitions)
    .flatMap((event) => definitionWatch(event, catalog) ?? [])
  return [...byRule, ...byDefinition]
}

function ruleWatch(rule: CheckRule, catalog: EventCatalog): Watch | undefined {
  const { name, raises, events, key, state, recognisedBy, isLasting, wanted, labels, over, broken } = rule
  const event = raises === undefined ? undefined : catalog.find(raises)
  if (raises === undefined || !event) return undefined
  return {
    ...{ name, raises, events, key, column: state, names: recognisedBy, isLasting, wanted },
    carried: event.carried,
    read({ value }) {
      const label = labels.get(value) ?? value
      const condition = over.has(label) ? 'good' : broken.has(label) ? 'broken' : 'other'
      return { condition, text: `${name} ${label}` }
    },
  }
}

function definitionWatch(event: EventDefinition, catalog: EventCatalog): Watch | undefined {
  const column = event.stateColumn
  if (!column) return undefined
  return {
    ...{ name: event.oid, raises: event.oid, events: [event.oid], key: [column.key], column: column.oid },
    names: column.key === 'entPhysicalIndex' ? [entPhysicalName] : [],
    isLasting: false,
    wanted: undefined,
    carried: event.carried,
    read(variable) {
      const values = catalog.read(event, [variable])
      const shown = values.find(({ name }) => name === column.name)?.value ?? variable.value
      const { ends, kind } = event.effectOf(values)
      const condition = ends === 'own' ? 'good' : kind === 'alarm' ? 'broken' : 'other'
      return { condition, text: `${column.name} ${shown}` }
    },
  }
}
