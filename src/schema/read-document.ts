// Turns a request body, parsed from XML or JSON into a tree of elements, into a validated draft of a record.

import { Fault, shown } from '../fault.ts'
import type {
  AnyRecord,
  DraftOf,
  EchoField,
  Field,
  Fields,
  GroupField,
  Resource,
  ScalarField,
  SetField,
} from './resource.ts'

/** Limits of a document, or of a row of a file, in any format. */
export const elementLimit = 20_000
export const depthLimit = 32

export interface Element {
  readonly name: string
  readonly text: string
  readonly items: readonly Element[]
}

/**
 * modify: absent fields stay as they are. import: a file may contain fields that the service would otherwise assign.
 */
type Purpose = 'create' | 'modify' | 'import'

export function readDraft<F extends Fields>(
  resource: Resource<F>,
  root: Element,
  purpose: Purpose,
): DraftOf<F> {
  if (root.name !== resource.name) {
    const message = `the root element is ${shown(root.name)}: expected "${resource.name}"`
    throw new Fault('invalid', message, { field: root.name })
  }
  return readFields(resource.fields, root, purpose, resource.ignored) as DraftOf<F>
}

function readFields(
  fields: Fields,
  parent: Element,
  purpose: Purpose,
  ignored: readonly string[] = [],
): AnyRecord {
  if (parent.text.trim() !== '') {
    throw new Fault('invalid', `text ${shown(parent.text.trim())} between elements is not accepted`)
  }
  const found = groupByName(parent.items)
  for (const name of found.keys()) {
    if (!Object.hasOwn(fields, name) && !ignored.includes(name)) {
      const known = Object.keys(fields).join(', ')
      throw new Fault('invalid', `unknown element ${shown(name)}: expected ${known}`, { field: name })
    }
  }
  const draft: AnyRecord = Object.create(null)
  for (const [name, field] of entriesOf(fields)) {
    const elements = found.get(name)
    if (elements === undefined || field.kind === 'echo') continue
    const value = namingField(name, () => readField(name, field, elements, purpose))
    if (value !== undefined) draft[name] = value
  }
  for (const [name, field] of entriesOf(fields)) {
    if (field.kind !== 'echo') continue
    const elements = found.get(name)
    if (elements) namingField(name, () => readEcho(fields, field, elements, draft))
  }
  requireMandatory(fields, draft, purpose)
  return draft
}

type Entries = readonly (readonly [string, Field])[]

/** Listing the fields of a resource takes longer than reading a small document. */
const entriesByFields = new WeakMap<Fields, Entries>()

function entriesOf(fields: Fields): Entries {
  let entries = entriesByFields.get(fields)
  if (!entries) {
    entries = Object.entries(fields)
    entriesByFields.set(fields, entries)
  }
  return entries
}

function groupByName(items: readonly Element[]): Map<string, Element[]> {
  const found = new Map<string, Element[]>()
  for (const item of items) {
    const same = found.get(item.name)
    if (same) same.push(item)
    else found.set(item.name, [item])
  }
  return found
}

/** `undefined`: not mentioned. `null` or `[]`: mentioned and empty. */
function readField(
  name: string,
  field: Exclude<Field, EchoField>,
  elements: Element[],
  purpose: Purpose,
): unknown {
  const readOnly = field.origin === 'derived' || (field.origin === 'assigned' && purpose !== 'import')
  if (readOnly) return undefined
  if (field.kind === 'scalar') return readScalar(field, elements)
  return field.kind === 'set' ? readSet(name, field, elements) : readGroup(name, field, elements, purpose)
}

function readScalar(field: ScalarField, elements: readonly Element[]): unknown {
  const [first, second] = elements
  if (first === undefined) return undefined
  if (second !== undefined) throw new Fault('invalid', 'given more than once')
  if (first.items.length > 0) {
    const inside = first.items[0]?.name ?? ''
    throw new Fault('invalid', `contains an element ${shown(inside)}: expected ${field.scalar.accepted}`)
  }
  if (first.text === '') return null
  const trimmed = first.text.trim()
  return trimmed === '' ? undefined : field.scalar.read(trimmed)
}

const isBlank = (element: Element) => element.items.length === 0 && element.text.trim() === ''

/** All blank means mentioned and empty; white space means not mentioned. */
const readBlank = (elements: readonly Element[]) => (elements.every(isEmpty) ? [] : undefined)

const isEmpty = ({ text, items }: Element): boolean =>
  items.length === 0 ? text === '' : items.every(isEmpty)

function readSet(name: string, field: SetField, elements: readonly Element[]): unknown {
  if (elements.every(isBlank)) return readBlank(elements)
  return elements.map((element, index) => {
    try {
      return (
        readScalar({ ...field, kind: 'scalar', keyed: false, absent: 'omit' }, [element]) ??
        refuseBlank(field)
      )
    } catch (error) {
      throw error instanceof Fault ? error.inside(`${name}[${index + 1}]`) : error
    }
  })
}

function refuseBlank(field: SetField): never {
  throw new Fault('invalid', `is empty: expected ${field.scalar.accepted}`)
}

function readGroup(name: string, field: GroupField, elements: Element[], purpose: Purpose): unknown {
  if (elements.every(isBlank)) return readBlank(elements)
  // A group is replaced as a whole: inside it, no field is left "as it was".
  const inner = purpose === 'modify' ? 'create' : purpose
  const members = elements.map((element, index) => {
    try {
      return complete(field.fields, readFields(field.fields, element, inner))
    } catch (error) {
      // `ifInfo[2]/deviceId`: the caller of this function adds the name.
      throw error instanceof Fault ? error.inside(`${name}[${index + 1}]`) : error
    }
  })
  // A member without content cannot be written in either format: drop it.
  const nonEmpty = members.filter((member) => Object.values(member).some(hasContent))
  return nonEmpty.length === 0 ? readBlank(elements) : nonEmpty
}

const hasContent = (value: unknown) => (Array.isArray(value) ? value.length > 0 : value !== null)

function readEcho(fields: Fields, field: EchoField, elements: readonly Element[], draft: AnyRecord): void {
  const original = fields[field.of]
  if (original?.kind !== 'scalar' || elements.length === 0) return
  const value = readScalar(original, elements)
  if (value === undefined) return
  draft[field.of] ??= value
  if (value !== null && draft[field.of] !== value) {
    throw new Fault('invalid', `differs from ${field.of}, of which it is a second spelling`)
  }
}

function requireMandatory(fields: Fields, draft: AnyRecord, purpose: Purpose): void {
  for (const [name, field] of entriesOf(fields)) {
    if (field.kind === 'echo' || field.origin !== 'required') continue
    const value = draft[name]
    const missing = value === undefined || value === null || (Array.isArray(value) && value.length === 0)
    if (!missing) continue
    const expected = field.kind === 'scalar' ? field.scalar.accepted : `at least one ${name}`
    const how = purpose === 'modify' ? 'must be given again' : 'is required'
    throw new Fault('invalid', `${name} ${how}: expected ${expected}`, { field: name })
  }
}

function namingField<T>(name: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    throw error.field?.startsWith(`${name}[`) ? error : error.inside(name)
  }
}

/** A record with every field present: those not mentioned, or cleared, are `null` or `[]`. */
export function complete(fields: Fields, draft: AnyRecord): AnyRecord {
  const record: AnyRecord = {}
  for (const [name, field] of Object.entries(fields)) {
    if (field.kind === 'scalar') record[name] = draft[name] ?? null
    else if (field.kind !== 'echo') record[name] = draft[name] ?? []
  }
  return record
}
