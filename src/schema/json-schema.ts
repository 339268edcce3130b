// Schemas of documents in the JSON Schema dialect of OpenAPI. One schema describes requests and responses, JSON and
// XML: in JSON, every scalar is a string.

import type { Field, Fields, Shape } from './resource.ts'
import type { Scalar } from './scalar.ts'

export type JsonObject = { readonly [key: string]: unknown }

export const reference = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })

export function shapeSchema({ name, fields }: Shape): JsonObject {
  return { ...objectSchema(fields, name), xml: { name } }
}

/** A page of rows: `<list><zone/>…</list>`, `{"zone":[…]}`. */
export function listSchema(name: string): JsonObject {
  const rows = { type: 'array', items: reference(name) }
  return { type: 'object', properties: { [name]: rows }, xml: { name: 'list' } }
}

function objectSchema(fields: Fields, owner: string): JsonObject {
  const entries = Object.entries(fields)
  // OpenAPI applies "required" to read-only properties in responses only.
  const required = entries.filter(
    ([, field]) =>
      field.kind !== 'echo' &&
      field.origin !== 'optional' &&
      field.origin !== 'secret' &&
      !(field.kind === 'scalar' && field.mayBeAbsent),
  )
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, field]) => [name, fieldSchema(field, fields, owner)])),
    ...(required.length > 0 && { required: required.map(([name]) => name) }),
  }
}

function fieldSchema(field: Field, fields: Fields, owner: string): JsonObject {
  switch (field.kind) {
    case 'children':
      return { type: 'array', items: reference(owner), readOnly: true }
    case 'set': {
      const readOnly = field.origin === 'assigned'
      return { type: 'array', items: scalarSchema(field.scalar), ...(readOnly && { readOnly }) }
    }
    case 'group': {
      const items = objectSchema(field.fields, owner)
      return { type: 'array', items, ...(field.origin === 'required' && { minItems: 1 }) }
    }
    case 'echo': {
      const original = fields[field.of]
      const schema = original ? fieldSchema(original, fields, owner) : {}
      return { ...schema, description: `A second spelling of ${field.of}` }
    }
    case 'scalar': {
      const readOnly = field.origin === 'assigned' || field.origin === 'derived'
      const writeOnly = field.origin === 'secret'
      const schema = field.absent === 'empty' ? orEmpty(field.scalar) : scalarSchema(field.scalar)
      return { ...schema, ...(readOnly && { readOnly }), ...(writeOnly && { writeOnly }) }
    }
  }
}

/** Plain text already accepts the empty string. */
function orEmpty<T>(scalar: Scalar<T>): JsonObject {
  const schema = scalarSchema(scalar)
  const isPlain = scalar.facets.base === 'string' && !('enum' in schema || 'pattern' in schema)
  return isPlain ? schema : { anyOf: [schema, { const: '' }] }
}

const formats = { int: 'int32', long: 'int64' } as const

export function scalarSchema<T>({ facets, accepted }: Scalar<T>): JsonObject {
  const { base, values, pattern, maxLength } = facets
  const description = accepted.charAt(0).toUpperCase() + accepted.slice(1)
  const type = 'string'
  if (values !== undefined) return { type, enum: values.map(String), description }
  if (base === 'boolean') return { type, enum: ['true', 'false'] }
  if (base !== 'string') return { type, format: formats[base], description }
  const whole = pattern === undefined ? {} : { pattern: `^(?:${pattern})$` }
  return { type, ...whole, ...(maxLength !== undefined && { maxLength }), description }
}
