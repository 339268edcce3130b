// JSON answers held against the published OpenAPI document: as much of JSON Schema as that document uses.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly anyOf?: readonly Schema[]
  readonly const?: string
  readonly enum?: readonly string[]
  readonly pattern?: string
  readonly maxLength?: number
  readonly format?: string
  readonly items?: Schema
  readonly minItems?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

const file = new URL('../../docs/generated/openapi.json', import.meta.url)
const { components } = JSON.parse(readFileSync(file, 'utf8')) as {
  components: { schemas: Record<string, Schema> }
}

/** Fails where a value is not what the schema of that name describes. */
export function requireJson(name: string, value: unknown): void {
  const schema = components.schemas[name]
  assert.ok(schema, `no schema ${name}`)
  const wrong = mistake(schema, value, name)
  assert.equal(wrong, undefined, wrong)
}

function mistake(schema: Schema, value: unknown, at: string): string | undefined {
  if (schema.$ref) {
    const known = components.schemas[schema.$ref.split('/').at(-1) ?? '']
    return known ? mistake(known, value, at) : `${at}: ${schema.$ref} is not there`
  }
  if (schema.anyOf) {
    const all = schema.anyOf.map((one) => mistake(one, value, at))
    return all.includes(undefined) ? undefined : all.join(', ')
  }
  if (schema.type === 'array') {
    if (!Array.isArray(value)) return `${at} is no array`
    if (value.length < (schema.minItems ?? 0)) return `${at} has ${value.length} items`
    return value.map((one, index) => mistake(schema.items ?? {}, one, `${at}[${index}]`)).find(Boolean)
  }
  return schema.type === 'object' ? objectMistake(schema, value, at) : textMistake(schema, value, at)
}

function objectMistake(schema: Schema, value: unknown, at: string): string | undefined {
  if (typeof value !== 'object' || value === null) return `${at} is no object`
  const { properties = {}, required = [] } = schema
  const missing = required.find((name) => !Object.hasOwn(value, name))
  if (missing) return `${at}/${missing} is missing`
  return Object.entries(value)
    .map(([name, inner]) => {
      const known = properties[name]
      return known ? mistake(known, inner, `${at}/${name}`) : `${at}/${name} is not published`
    })
    .find(Boolean)
}

const numbers = ['int32', 'int64']

function textMistake(schema: Schema, value: unknown, at: string): string | undefined {
  if (typeof value !== 'string') return `${at} is no text`
  const fits =
    (schema.const === undefined || value === schema.const) &&
    (schema.enum?.includes(value) ?? true) &&
    (schema.pattern === undefined || new RegExp(schema.pattern, 'u').test(value)) &&
    [...value].length <= (schema.maxLength ?? value.length) &&
    (!numbers.includes(schema.format ?? '') || /^-?\d+$/.test(value))
  return fits ? undefined : `${at}: ${JSON.stringify(value)} is not as published`
}
