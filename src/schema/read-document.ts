// A request body, whether it came as XML or JSON, is a tree of elements; here it becomes a checked draft of a record.

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

/** What a document, or a row of a file, may contain at most, in whatever form it comes. */
export const elementLimit = 20_000
export const depthLimit = 32

export interface Element {
  readonly name: string
  readonly text: string
  readonly items: readonly Element[]
}

/** modify: what is absent stays as it is. import: a file may bring what the service would otherwise assign. */
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
  for (const [name, field] of Object.entries(fields)) {
    if (field.kind === 'echo') continue
    const value = within(name, () => readField(name, field, found.get(name) ?? [], purpose))
    if (value !== undefined) draft[name] = value
  }
  for (const [name, field] of Object.entries(fields)) {
    if (field.kind === 'echo') within(name, () => readEcho(fields, field, found.get(name) ?? [], draft))
  }
  requireNeeded(fields, draft, purpose)
  return draft
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
  given: Element[],
  purpose: Purpose,
): unknown {
  const readOnly = field.origin === 'derived' || (field.origin === 'assigned' && purpose !== 'import')
  if (given.length === 0 || readOnly) return undefined
  if (field.kind === 'scalar') return readScalar(field, given)
  return field.kind === 'set' ? readSet(name, field, given) : readGroup(name, field, given, purpose)
}

function readScalar(field: ScalarField, given: readonly Element[]): unknown {
  const [first, second] = given
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

const blank = (element: Element) => element.items.length === 0 && element.text.trim() === ''

/** All blank: mentioned and empty, unless there is white space, which counts as not given. */
const readBlank = (given: readonly Element[]) => (given.every(isEmpty) ? [] : undefined)

const isEmpty = ({ text, items }: Element): boolean =>
  items.length === 0 ? text === '' : items.every(isEmpty)

function readSet(name: string, field: SetField, given: readonly Element[]): unknown {
  if (given.every(blank)) return readBlank(given)
  return given.map((element, index) => {
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

function readGroup(name: string, field: GroupField, given: Element[], purpose: Purpose): unknown {
  if (given.every(blank)) return readBlank(given)
  // Inside a group there is nothing to leave "as it was": the group is replaced as a whole.
  const inner = purpose === 'modify' ? 'create' : purpose
  const members = given.map((element, index) => {
    try {
      return complete(field.fields, readFields(field.fields, element, inner))
    } catch (error) {
      // `ifInfo[2]/deviceId`: the caller of this function puts the name before it.
      throw error instanceof Fault ? error.inside(`${name}[${index + 1}]`) : error
    }
  })
  // A member without any content could be written in neither form: it is dropped.
  const kept = members.filter((member) => Object.values(member).some(saysSomething))
  return kept.length === 0 ? readBlank(given) : kept
}

const saysSomething = (value: unknown) => (Array.isArray(value) ? value.length > 0 : value !== null)

function readEcho(fields: Fields, field: EchoField, given: readonly Element[], draft: AnyRecord): void {
  const original = fields[field.of]
  if (original?.kind !== 'scalar' || given.length === 0) return
  const value = readScalar(original, given)
  if (value === undefined) return
  draft[field.of] ??= value
  if (value !== null && draft[field.of] !== value) {
    throw new Fault('invalid', `differs from ${field.of}, of which it is a second spelling`)
  }
}

function requireNeeded(fields: Fields, draft: AnyRecord, purpose: Purpose): void {
  for (const [name, field] of Object.entries(fields)) {
    if (field.kind === 'echo' || field.origin !== 'need') continue
    const value = draft[name]
    const missing = value === undefined || value === null || (Array.isArray(value) && value.length === 0)
    if (!missing) continue
    const expected = field.kind === 'scalar' ? field.scalar.accepted : `at least one ${name}`
    const how = purpose === 'modify' ? 'must be given again' : 'is required'
    throw new Fault('invalid', `${name} ${how}: expected ${expected}`, { field: name })
  }
}

function within<T>(name: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    throw error.field?.startsWith(`${name}[`) ? error : error.inside(name)
  }
}

/** A record with every field present: what was not given, or was cleared, is `null` or `[]`. */
export function complete(fields: Fields, draft: AnyRecord): AnyRecord {
  const record: AnyRecord = {}
  for (const [name, field] of Object.entries(fields)) {
    if (field.kind === 'scalar') record[name] = draft[name] ?? null
    else if (field.kind !== 'echo') record[name] = draft[name] ?? []
  }
  return record
}
