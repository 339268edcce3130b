// The difference between two versions of a record, for the audit log: two JSON texts of bounded length with the fields
// that differ, before and after.

import { jsonWriter } from './json.ts'
import { type AnyRecord, type Field, type Fields, isSecret, type Shape } from './resource.ts'

interface Difference {
  readonly before: string | null
  readonly after: string | null
  /** How many fields differ. */
  readonly fields: number
}

/** In characters; a record has a few dozen values. */
const maxValueLength = 1000
const hiddenValue = '(not shown)'

interface FieldReader {
  readonly name: string
  /** The value as JSON; undefined if the record has none. */
  value(record: AnyRecord): unknown
}

const readersByFields = new WeakMap<Fields, readonly FieldReader[]>()

function readersOf({ fields }: Shape): readonly FieldReader[] {
  let parts = readersByFields.get(fields)
  if (!parts) {
    parts = Object.entries(fields).flatMap(([name, field]) => readersOfField(name, field))
    readersByFields.set(fields, parts)
  }
  return parts
}

/** Aliases of other fields and derived fields are left out. */
function readersOfField(name: string, field: Field): FieldReader[] {
  if (field.kind === 'echo' || field.kind === 'children' || field.origin === 'derived') return []
  if (field.kind === 'scalar') {
    // A secret is not stored with its record: if one is present, it is being set.
    const text = isSecret(field) ? () => hiddenValue : field.scalar.write
    const value = (record: AnyRecord) => {
      const content = record[name]
      return content === null || content === undefined ? undefined : text(content)
    }
    return [{ name, value }]
  }
  const write = jsonWriter({ name, fields: { [name]: field } })
  return [{ name, value: (record) => write({ [name]: record[name] })[name] }]
}

/** Without `before` the record is new, without `after` it was deleted; empty fields are then left out. */
export function difference(
  shape: Shape,
  before: AnyRecord | undefined,
  after: AnyRecord | undefined,
): Difference {
  const was: AnyRecord = {}
  const is: AnyRecord = {}
  let fields = 0
  for (const { name, value } of readersOf(shape)) {
    const [old, now] = [contentOf(value, before), contentOf(value, after)]
    if (isSame(old, now)) continue
    fields += 1
    if (old !== nothing) was[name] = truncated(old)
    if (now !== nothing) is[name] = truncated(now)
    // A field that was cleared, or set for the first time, is listed on both sides.
    if (before && after) {
      was[name] ??= ''
      is[name] ??= ''
    }
  }
  return { before: before ? JSON.stringify(was) : null, after: after ? JSON.stringify(is) : null, fields }
}

const nothing = ''

/** The value as JSON; absent, empty text and empty list are equal. */
function contentOf(value: FieldReader['value'], record: AnyRecord | undefined): unknown {
  const content = record && value(record)
  return content === undefined || (Array.isArray(content) && content.length === 0) ? nothing : content
}

const isSame = (one: unknown, other: unknown): boolean =>
  one === other ||
  (typeof one === 'object' && typeof other === 'object' && JSON.stringify(one) === JSON.stringify(other))

/** A value that is too long is cut; a list becomes the beginning of its JSON text. */
function truncated(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (text.length <= maxValueLength) return value
  return `${text.slice(0, maxValueLength).toWellFormed()}… (cut, ${text.length} characters in total)`
}
