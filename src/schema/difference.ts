// What a change did to a record, as two JSON texts of bounded length: the fields that differ, before and after.

import { jsonWriter } from './json.ts'
import type { AnyRecord, Field, Fields, Shape } from './resource.ts'

export interface Difference {
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
  readonly secret: boolean
  /** Everything, to compare. */
  whole(record: AnyRecord): unknown
  /** What may be told. */
  told(record: AnyRecord): unknown
}

const partsByShape = new WeakMap<Fields, readonly Part[]>()

function partsOf({ fields }: Shape): readonly Part[] {
  const known = partsByShape.get(fields)
  if (known) return known
  const parts = Object.entries(fields).flatMap(([name, field]): Part[] => {
    // The same value under a second name, and what follows from others, are told with those.
    if (field.kind === 'echo' || field.kind === 'children' || field.origin === 'derived') return []
    const plain = (one: Field) => {
      const write = jsonWriter({ name, fields: { [name]: one } })
      return (record: AnyRecord) => write({ [name]: record[name] ?? [] })[name]
    }
    if (field.kind === 'scalar') {
      const { scalar } = field
      const write = ({ [name]: value }: AnyRecord) =>
        value === null || value === undefined ? undefined : scalar.write(value)
      return [{ name, secret: field.secret ?? false, whole: write, told: write }]
    }
    const whole = plain(field)
    const told = field.kind === 'group' ? plain({ ...field, fields: withoutSecrets(field.fields) }) : whole
    return [{ name, secret: false, whole, told }]
  })
  partsByShape.set(fields, parts)
  return parts
}

function withoutSecrets(fields: Fields): Fields {
  const kept = Object.entries(fields).flatMap(([name, field]): [string, Field][] => {
    if (field.kind === 'scalar' && field.secret) return []
    return [[name, field.kind === 'group' ? { ...field, fields: withoutSecrets(field.fields) } : field]]
  })
  return Object.fromEntries(kept)
}

/** Absent `before`: the record is new. Absent `after`: it is gone. Fields without content are not told then. */
export function difference(
  shape: Shape,
  before: AnyRecord | undefined,
  after: AnyRecord | undefined,
): Difference {
  const was: AnyRecord = {}
  const is: AnyRecord = {}
  let fields = 0
  for (const { name, secret, whole, told } of partsOf(shape)) {
    const [old, now] = [contentOf(whole, before), contentOf(whole, after)]
    if (old === now) continue
    fields += 1
    if (before && old !== '') was[name] = secret ? unsaid : shortened(told(before))
    if (after && now !== '') is[name] = secret ? unsaid : shortened(told(after))
    // A field that was emptied, or filled, is told on both sides.
    if (before && after) {
      was[name] ??= ''
      is[name] ??= ''
    }
  }
  return { before: before ? JSON.stringify(was) : null, after: after ? JSON.stringify(is) : null, fields }
}

function contentOf(whole: Part['whole'], record: AnyRecord | undefined): string {
  const value = record && whole(record)
  if (value === undefined || value === '') return ''
  const text = JSON.stringify(value)
  return text === '[]' ? '' : text
}

/** A repeated thing that is too long becomes the beginning of its text. */
function shortened(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (text.length <= valueLimit) return value
  return `${text.slice(0, valueLimit).toWellFormed()}… (cut, ${text.length} characters in all)`
}
