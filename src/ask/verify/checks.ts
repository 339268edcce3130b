// What a device is asked to find out whether an alarm is still so: the object that says the state of what the alarm is
// about, and the values at which it is over. From a file of definitions, or from the state in the definition of the event.

import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { EventCatalog, EventDefinition } from '../../events/event-catalog.ts'
import { oidPattern } from '../../events/event-file.ts'
import { Fault } from '../../fault.ts'
import { DefinitionEntry } from '../../schema/definition-entry.ts'
import type { Variable } from '../../snmp/variables.ts'

/** What a value says of an alarm. */
export interface Said {
  readonly isOver: boolean
  /** For people. */
  readonly text: string
}

/** A question about one alarm. */
export interface Check {
  /** The object that says the state, with its instance. */
  readonly oid: string
  /** Objects that name the part, with its instance: after a restart, the same instance may be another part. */
  readonly names: readonly string[]
  /** Whether the instance means the same for ever, because it is an address, a name, or there is only one. */
  readonly isLasting: boolean
  readConclusion(value: Variable): Said
}

export interface CheckRule {
  readonly name: string
  readonly events: readonly string[]
  /** The parts of the alarm's resource that make the instance, in this order; none: there is one instance, 0. */
  readonly key: readonly string[]
  readonly state: string
  readonly labels: ReadonlyMap<string, string>
  readonly over: ReadonlySet<string>
  readonly recognisedBy: readonly string[]
  readonly isPort: boolean
  readonly isLasting: boolean
  /** The event whose alarm is raised where one of these states is found that was good before; undefined: none. */
  readonly raises: string | undefined
  readonly broken: ReadonlySet<string>
  /** Only where the administrator wants it to work: a column, and its value then. */
  readonly wanted: { readonly column: string; readonly value: string } | undefined
}

/** By event. */
export type CheckRules = ReadonlyMap<string, CheckRule>

const fields = [
  'name',
  'events',
  'key',
  'state',
  'labels',
  'over',
  'recognisedBy',
  'isPort',
  'isLasting',
  'raises',
  'broken',
  'wanted',
  'note',
]
const wantedPattern = /^[\d.]+=\d+$/
const labelPattern = /^\d+=[^;=]+(;\d+=[^;=]+)*$/

export function readChecks(text: string, name: string): CheckRules {
  const whole = DefinitionEntry.ofFile(text, name, ['about', 'checks'])
  whole.text('about')
  const rules = new Map<string, CheckRule>()
  for (const entry of whole.entries('checks', 'check', fields)) {
    const rule = ruleOf(entry)
    for (const event of rule.events) {
      if (rules.has(event)) throw new Fault('invalid', `${name}: ${event} is checked twice`)
      rules.set(event, rule)
    }
  }
  return rules
}

function ruleOf(entry: DefinitionEntry): CheckRule {
  const { recognisedBy, isPort, isLasting, raises, wanted, note } = entry.fields
  if (note !== undefined) entry.text('note')
  const oids = (field: string) =>
    entry.list(field).map((_, at) => entry.textAt(field, at, oidPattern, 'an OID'))
  const labels = new Map(
    entry
      .text('labels', labelPattern, 'labels such as 1=up;2=down')
      .split(';')
      .map((pair) => pair.split('=') as [string, string]),
  )
  const known = new Set(labels.values())
  const labelsIn = (field: string) => {
    const named = new Set(entry.text(field).split(';'))
    for (const one of named) if (!known.has(one)) entry.refuse(field, `names ${one}, which is no label`)
    return named
  }
  const over = labelsIn('over')
  const events = oids('events')
  if (raises !== undefined && !events.includes(entry.text('raises', oidPattern, 'an OID')))
    entry.refuse('raises', 'is none of the events')
  const [column = '', value = ''] =
    wanted === undefined
      ? []
      : entry.text('wanted', wantedPattern, 'an OID and its value, such as 1.3.6=1').split('=')
  return {
    name: entry.text('name'),
    events,
    key: entry.list('key').map((_, at) => entry.textAt('key', at, /^\w+$/, 'a name')),
    state: entry.text('state', oidPattern, 'an OID'),
    ...{ labels, over },
    recognisedBy: recognisedBy === undefined ? [] : oids('recognisedBy'),
    isPort: isPort !== undefined && entry.oneOf('isPort', [true] as const),
    isLasting: isLasting !== undefined && entry.oneOf('isLasting', [true] as const),
    raises: raises === undefined ? undefined : String(raises),
    broken: raises === undefined ? new Set() : labelsIn('broken'),
    wanted: wanted === undefined ? undefined : { column, value },
  }
}

const longestInstance = 500
const isInstance = (text: string) =>
  text.length <= longestInstance && text.split('.').every((part) => /^\d{1,10}$/.test(part))

/** The values of these keys in a resource such as `ifIndex=7;unit=1`, as an instance; undefined where one is missing. */
export function instanceOf(resource: string, keys: readonly string[]): string | undefined {
  if (keys.length === 0) return '0'
  const parts = partsOf(resource)
  const values = keys.map((key) => parts.get(key))
  const instance = values.join('.')
  return !values.includes(undefined) && isInstance(instance) ? instance : undefined
}

export const partsOf = (resource: string): ReadonlyMap<string, string> =>
  new Map(
    resource.split(';').map((part) => {
      const at = part.indexOf('=')
      return [part.slice(0, at), part.slice(at + 1)]
    }),
  )

/** The question that a rule asks about an instance. */
export const checkByRule = (rule: CheckRule, instance: string): Check => ({
  oid: `${rule.state}.${instance}`,
  names: rule.recognisedBy.map((oid) => `${oid}.${instance}`),
  isLasting: rule.isLasting,
  readConclusion({ value }) {
    const label = rule.labels.get(value)
    return { isOver: label !== undefined && rule.over.has(label), text: `${rule.name} ${label ?? value}` }
  },
})

export const entPhysicalName = '1.3.6.1.2.1.47.1.1.1.1.7'

/** The question that follows from the states in the definition of an event; undefined where none does. */
export function checkByStates(
  event: EventDefinition,
  resource: string,
  catalog: EventCatalog,
): Check | undefined {
  const column = event.stateColumn
  const instance = column && instanceOf(resource, [column.key])
  if (!column || instance === undefined) return undefined
  const oid = `${column.oid}.${instance}`
  return {
    oid,
    names: column.key === 'entPhysicalIndex' ? [`${entPhysicalName}.${instance}`] : [],
    isLasting: false,
    readConclusion(variable) {
      const values = catalog.read(event, [variable])
      const value = values.find(({ name }) => name === column.name)?.value ?? variable.value
      return { isOver: event.effectOf(values).ends === 'own', text: `${column.name} ${value}` }
    },
  }
}

const file = new URL('../../../definitions/checks/standard.json', import.meta.url)

/** Those that come with the program. */
export const shippedChecks: CheckRules = readChecks(readFileSync(file, 'utf8'), basename(fileURLToPath(file)))
