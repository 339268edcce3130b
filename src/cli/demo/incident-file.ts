// Reads the incidents of the demo from definitions/demo, and checks that every name they refer to has been chosen before.

import { readFileSync } from 'node:fs'
import { DefinitionEntry } from '../../schema/definition-entry.ts'

const roles = ['rtr', 'fw', 'core', 'dist', 'acc', 'ups'] as const
export type Role = (typeof roles)[number]

/** A choice that is made when an incident begins, under the name by which its steps refer to it. */
export type Choice = { readonly name: string } & (
  | {
      readonly kind: 'device'
      readonly role: Role
      readonly sameSiteAs?: string
      readonly otherThan?: string
      /** Whether it may take part in another incident meanwhile. */
      readonly isOnlyNamed: boolean
    }
  /** The device above another, and the port by which it reaches it. */
  | { readonly kind: 'parent'; readonly of: string; readonly port: string }
  /** Any port of a device, one of its first, or the one with an index, from 1. */
  | { readonly kind: 'port'; readonly of: string; readonly first?: number; readonly index?: number }
  /** The first ports of a device, as many as chance decides. */
  | { readonly kind: 'ports'; readonly of: string; readonly from: number; readonly to: number }
  | { readonly kind: 'choice'; readonly texts: readonly string[] }
  | { readonly kind: 'number'; readonly from: number; readonly to: number }
  | { readonly kind: 'chance'; readonly percent: number }
)

export type IncidentStep = {
  readonly at: string
  /** The name of a `chance` without which the step is left out. */
  readonly condition?: string
} & (
  | { readonly kind: 'down'; readonly port: string; readonly because: string }
  | { readonly kind: 'up'; readonly port: string }
  | {
      readonly kind: 'event'
      readonly event: string
      readonly text: string
      readonly variables: Readonly<Record<string, string>>
    }
  | { readonly kind: 'work'; readonly work: 'begins' | 'ends'; readonly text: string }
)

export interface IncidentDefinition {
  readonly cast: readonly Choice[]
  readonly steps: readonly IncidentStep[]
  /** The name of a number: how often the steps are repeated. */
  readonly repeat?: string
}

type Kind = Choice['kind']
/** What has been chosen so far, by name. */
type Names = ReadonlyMap<string, Kind>

/** `{name}` or `{name.property}` in a text. */
export const reference = /\{(\w+)(?:\.(\w+))?\}/g
/** What texts can show of a choice besides the choice itself. */
const properties: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  device: ['address'],
  parent: ['address'],
  port: ['ifIndex'],
  number: ['octets'],
}

export function readIncidents(text: string, file: string): IncidentDefinition[] {
  const whole = DefinitionEntry.ofFile(text, file, ['about', 'incidents'])
  whole.text('about')
  return whole
    .entries('incidents', 'incident', ['name', 'note', 'cast', 'steps', 'repeat'])
    .map((incident) => {
      incident.text('name')
      const names = new Map<string, Kind>()
      const cast = incident.entries('cast', 'choice', choiceFields).map((entry) => {
        const choice = choiceOf(entry, names)
        names.set(choice.name, choice.kind)
        if (choice.kind === 'parent') names.set(choice.port, 'port')
        return choice
      })
      const steps = incident.entries('steps', 'step', stepFields).map((entry) => stepOf(entry, names))
      const { repeat } = incident.fields
      return {
        cast,
        steps,
        ...(repeat !== undefined && { repeat: chosen(incident, 'repeat', names, 'number') }),
      }
    })
}

/** A field that refers to an earlier choice. */
function chosen(entry: DefinitionEntry, field: string, names: Names, ...kinds: readonly Kind[]): string {
  const name = entry.text(field)
  const kind = names.get(name)
  if (kind && kinds.includes(kind)) return name
  return entry.refuse(field, `is ${name}, and no ${kinds.join(' or ')} was chosen by that name`)
}

const devices = ['device', 'parent'] as const
const choiceFields = [
  ...['device', 'parent', 'port', 'ports', 'choice', 'number', 'chance'],
  ...[
    'role',
    'sameSiteAs',
    'otherThan',
    'isOnlyNamed',
    'of',
    'first',
    'index',
    'from',
    'to',
    'texts',
    'percent',
  ],
]

function choiceOf(entry: DefinitionEntry, names: Names): Choice {
  const { sameSiteAs, otherThan, isOnlyNamed, first, index } = entry.fields
  const kind = kindOf(entry, ['device', 'parent', 'ports', 'choice', 'number', 'chance', 'port'] as const)
  const name = entry.text(kind)
  const range = () => ({ from: entry.number('from', 0, 100), to: entry.number('to', 0, 100) })
  switch (kind) {
    case 'device':
      return {
        ...{ kind, name, role: entry.oneOf('role', roles), isOnlyNamed: isOnlyNamed === true },
        ...(sameSiteAs !== undefined && { sameSiteAs: chosen(entry, 'sameSiteAs', names, ...devices) }),
        ...(otherThan !== undefined && { otherThan: chosen(entry, 'otherThan', names, ...devices) }),
      }
    case 'parent':
      return { kind, name, of: chosen(entry, 'of', names, ...devices), port: entry.text('port') }
    case 'port':
      return {
        ...{ kind, name, of: chosen(entry, 'of', names, ...devices) },
        ...(first !== undefined && { first: entry.number('first', 1, 1000) }),
        ...(index !== undefined && { index: entry.number('index', 1, 1000) }),
      }
    case 'ports':
      return { kind, name, of: chosen(entry, 'of', names, ...devices), ...range() }
    case 'choice':
      return { kind, name, texts: entry.list('texts').map((_, at) => entry.textAt('texts', at)) }
    case 'number':
      return { kind, name, ...range() }
    case 'chance':
      return { kind, name, percent: entry.number('percent', 0, 100) }
  }
}

const stepFields = ['down', 'up', 'event', 'work', 'at', 'if', 'because', 'text', 'variables']

function stepOf(entry: DefinitionEntry, names: Names): IncidentStep {
  const kind = kindOf(entry, ['down', 'up', 'event', 'work'] as const)
  const common = {
    at: chosen(entry, 'at', names, ...devices),
    ...(entry.fields.if !== undefined && { condition: chosen(entry, 'if', names, 'chance') }),
  }
  const text = (field: string) => template(entry, field, entry.text(field), names)
  const port = () => chosen(entry, kind, names, 'port', 'ports')
  if (kind === 'down') return { ...common, kind, port: port(), because: text('because') }
  if (kind === 'up') return { ...common, kind, port: port() }
  if (kind === 'work')
    return { ...common, kind, work: entry.oneOf('work', ['begins', 'ends'] as const), text: text('text') }
  const variables = Object.entries((entry.fields.variables ?? {}) as Record<string, unknown>)
  return {
    ...{ ...common, kind, event: entry.text('event'), text: text('text') },
    variables: Object.fromEntries(
      variables.map(([name, value]) => [name, template(entry, `variables/${name}`, String(value), names)]),
    ),
  }
}

function template(entry: DefinitionEntry, field: string, text: string, names: Names): string {
  for (const [whole, name = '', property] of text.matchAll(reference)) {
    const kind = names.get(name)
    if (!kind || (property !== undefined && !properties[kind]?.includes(property)))
      entry.refuse(field, `has ${whole}, which was not chosen`)
  }
  return text
}

/** Which of these fields an entry has: it says what the entry is. */
function kindOf<K extends string>(entry: DefinitionEntry, kinds: readonly K[]): K {
  const kind = kinds.find((name) => entry.fields[name] !== undefined)
  return kind ?? entry.refuse(kinds.join(' or '), 'is missing')
}

const file = new URL('../../../definitions/demo/incidents.json', import.meta.url)

export const demoIncidents = (): IncidentDefinition[] =>
  readIncidents(readFileSync(file, 'utf8'), 'incidents.json')
