// Derives the parameters, resource and text of a proposed definition from the objects of its notification.

import type { MibNotification } from '../mibs/module-resolver.ts'
import type { MibObject } from '../mibs/oid-tree.ts'
import type { TrapEvent } from '../resources/alarms/trap-event.ts'

type Parameter = TrapEvent['parameter'][number]

export interface KeyParameter {
  /** What it distinguishes: rows that are numbered by the same objects, or a value. */
  readonly id: string
  readonly name: string
  readonly object: MibObject
  readonly fromIndex: boolean
}

interface Keys {
  /** Whether some notification of the group identifies more than all of them can. */
  readonly dropped: boolean
  parameters(one: MibNotification): readonly KeyParameter[]
}

const parameterLimit = 50
const labelLimit = 1000
const textVariables = 10

/** Names by which parts of a device are distinguished, and those of what comes and goes. */
const identifying = /(index|name|slot|port|unit|instance)$/i
const passing = /user|client|process|session|packet|request/i

/** A fault and its end must agree in all keys: those that every member of the group has. */
export function keysOf(members: readonly MibNotification[]): Keys {
  const all = members.map((one) => candidates(one))
  const [first = new Map<string, KeyParameter[]>(), ...others] = all
  const common = [...first.keys()].filter((id) => others.every((other) => other.has(id)))
  const parameters = (one: MibNotification) => {
    const own = candidates(one)
    return common.flatMap((id) => {
      const choices = own.get(id) ?? []
      // By value only where all can: the value and the row of a text are written differently.
      const byValue = all.every((other) => other.get(id)?.some(({ fromIndex }) => !fromIndex))
      return choices.find(({ fromIndex }) => fromIndex !== byValue) ?? []
    })
  }
  return { dropped: members.length > 1 && all.some((one) => one.size > common.length), parameters }
}

function candidates({ objects }: MibNotification): Map<string, KeyParameter[]> {
  const found = new Map<string, KeyParameter[]>()
  for (const object of objects) {
    for (const key of keysFrom(object, objects)) found.set(key.id, [...(found.get(key.id) ?? []), key])
  }
  return found
}

function keysFrom(object: MibObject, objects: readonly MibObject[]): KeyParameter[] {
  const { kind, row, access, oid, name } = object
  if (kind === 'scalar') {
    // It exists in notifications only, in order to identify what they are about.
    const identifies = access === 'accessible-for-notify' && identifying.test(name) && !passing.test(name)
    return identifies ? [{ id: oid, name: plain(name), object, fromIndex: false }] : []
  }
  if (kind !== 'column' || !row) return []
  const { index } = row
  const [only] = index
  const id = index.length > 0 ? index.map((one) => one.oid).join(' ') : row.oid
  const rowName = plain(only && index.length === 1 ? only.name : row.name.replace(/entry$/i, ''))
  const byRow: KeyParameter = { id, name: rowName, object, fromIndex: true }
  if (index.length !== 1 || !only || !objects.includes(only)) return [byRow]
  return [byRow, { id, name: rowName, object: only, fromIndex: false }]
}

export function keyWords(one: MibNotification, keys: Keys): string {
  const own = keys.parameters(one)
  const lost = keys.dropped ? ', though they do not all identify as much' : ''
  if (own.length === 0) return `it names no resource, so a device has one such alarm${lost}`
  const named = own.map(({ name, object, fromIndex }) => (fromIndex ? `the row of ${object.name}` : name))
  return `the resource is named by ${named.join(' and ')}${lost}`
}

export function parametersOf({ objects }: MibNotification, keys: readonly KeyParameter[]): Parameter[] {
  const rows = keys.filter(({ fromIndex }) => fromIndex)
  const byRow = rows.map(
    ({ object, name }): Parameter => ({ oid: object.oid, name, isKey: true, fromIndex: true, labels: null }),
  )
  const shown = [...new Set(objects)]
    .filter((object) => !rows.some(({ name }) => name === plain(object.name)))
    .map((object): Parameter => {
      const isKey = keys.some((key) => !key.fromIndex && key.object === object)
      const { oid, name } = object
      return {
        oid,
        name: plain(name),
        isKey: isKey || null,
        fromIndex: null,
        labels: isKey ? null : labels(object),
      }
    })
  return [...byRow, ...shown].slice(0, parameterLimit)
}

/** Names in a text are between braces, where only these characters are read. */
const plain = (name: string) => name.replace(/\W/g, '_').slice(0, 100)

function labels({ base, values }: MibObject): string | null {
  if (values.size === 0 || base === 'BITS') return null
  const text = [...values].map(([number, name]) => `${number}=${name}`).join(';')
  return text.length > labelLimit ? null : text
}

/** What happened, in the words of its name, and what it carries. */
export function textOf({ name, objects }: MibNotification, parameters: readonly Parameter[]): string {
  const spaced = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/[-_]/g, ' ')
  const said = spaced.replace(/(?<=\w )(Trap|Notification|Notify|Event)\b */g, '').trim()
  const words = said.replace(/\b([A-Z])(?=[a-z])/g, (letter) => letter.toLowerCase())
  const unitOf = (oid: string) => {
    const units = objects.find((object) => object.oid === oid)?.units ?? ''
    return /^[\w%° ./-]{1,20}$/.test(units) ? ` ${units}` : ''
  }
  const variables = parameters
    .slice(0, textVariables)
    .map((one) => `${one.name} {${one.name}}${one.fromIndex ? '' : unitOf(one.oid)}`)
  const title = `${words.charAt(0).toUpperCase()}${words.slice(1)}`
  return `${title}${variables.length > 0 ? `: ${variables.join(', ')}` : ''}`.slice(0, 1000)
}
