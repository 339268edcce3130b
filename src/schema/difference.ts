// What a change did to a record, as two JSON texts of bounded length: the fields that differ, before and after.

import { jsonWriter } from './json.ts'
import { type AnyRecord, type Field, type Fields, isSecret, type Shape } from './resource.ts'

interface Difference {
  readonly before: string | null
  readonly after: string | null
  /** How many fields differ. */
  readonly fields: number
}

/** Of one value; a record has some dozens. */
const valueLimit = 1000
const unsaid = '(not shown)'

interface Part {
  readonly name: string
  /** In its JSON form; undefined where the record has none. */
  value(record: AnyRecord): unknown
}

const partsByFields = new WeakMap<Fields, readonly Part[]>()

function partsOf({ fields }: Shape): readonly Part[] {
  let parts = partsByFields.get(fields)
  if (!parts) {
    parts = Object.entries(fields).flatMap(([name, field]) => partOf(name, field))
    partsByFields.set(fields, parts)
  }
  return parts
}

/** Aliases of other fields, and what is derived from others, are not listed again. */
function partOf(name: string, field: Field): Part[] {
  if (field.kind === 'echo' || field.kind === 'children' || field.origin === 'derived') return []
  if (field.kind === 'scalar') {
    // A secret is not stored with its record: where there is one, it is being set.
    const text = isSecret(field) ? () => unsaid : field.scalar.write
    const value = (record: AnyRecord) => {
      const given = record[name]
      return given === null || given === undefined ? undefined : text(given)
    }
    return [{ name, value }]
  }
  const write = jsonWriter({ name, fields: { [name]: field } })
  return [{ name, value: (record) => write({ [name]: record[name] })[name] }]
}

/** Absent `before`: the record is new. Absent `after`: it is gone. Empty fields are then left out. */
export function difference(
  shape: Shape,
  before: AnyRecord | undefined,
  after: AnyRecord | undefined,
): Difference {
  const was: AnyRecord = {}
  const is: AnyRecord = {}
  let fields = 0
  for (const { name, value } of partsOf(shape)) {
    const [old, now] = [contentOf(value, before), contentOf(value, after)]
    if (old === now) continue
    fields += 1
    if (before && old !== '') was[name] = shortened(value(before))
    if (after && now !== '') is[name] = shortened(value(after))
    // A field that was emptied, or filled, is listed on both sides.
    if (before && after) {
      was[name] ??= ''
      is[name] ??= ''
    }
  }
  return { before: before ? JSON.stringify(was) : null, after: after ? JSON.stringify(is) : null, fields }
}

/** For comparing. Nothing, an empty text and an empty list are the same. */
function contentOf(value: Part['value'], record: AnyRecord | undefined): string {
  const content = record && value(record)
  if (content === undefined || content === '') return ''
  const text = JSON.stringify(content)
  return text === '[]' ? '' : text
}

/** A repeated value that is too long becomes the beginning of its text. */
function shortened(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (text.length <= valueLimit) return value
  return `${text.slice(0, valueLimit).toWellFormed()}… (cut, ${text.length} characters in all)`
}
