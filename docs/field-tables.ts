// The tables of fields in docs/interface: names, types and who gives them come from the descriptions of the documents,
// meanings from the page itself, where they are written by hand.

import { taken } from '../src/http/openapi.ts'
import { operations } from '../src/http/operations.ts'
import type { Field, Fields, Shape } from '../src/schema/resource.ts'
import { anyMac, bool, instant, ip, long, mac, oid, type Scalar } from '../src/schema/scalar.ts'
import { documents, rows } from './published.ts'

const shapes = new Map([...documents, ...rows].map((shape) => [shape.name, shape]))
const inRequests = new Set(operations.flatMap(({ takes }) => taken(takes)).map(({ name }) => name))

const mark = /(<!-- fields: (\w+) -->\n)([\s\S]*?)(<!-- end of fields -->)/g

/** The names of the documents whose fields the page lists. */
export const tabledOn = (page: string) => [...page.matchAll(mark)].map(([, , name = '']) => name)

/** The page with its tables written anew; a field that is new has no meaning yet. */
export function withFieldTables(page: string): string {
  return page.replace(mark, (_all, begin: string, name: string, table: string, end: string) => {
    const shape = shapes.get(name)
    if (!shape) throw new Error(`there is no document "${name}": correct the mark <!-- fields: ${name} -->`)
    return `${begin}${fieldTable(shape, meaningsIn(table))}\n${end}`
  })
}

/** Field → the last cell of its row. */
function meaningsIn(table: string): Map<string, string> {
  const cells = table.split('\n').map((row) => row.split(/(?<!\\)\|/).map((cell) => cell.trim()))
  return new Map(cells.map((row) => [row[1]?.replaceAll('`', '') ?? '', row.at(-2) ?? '']))
}

function fieldTable({ name, fields }: Shape, meanings: Map<string, string>): string {
  const head = ['Field', 'Type', 'Given', 'Meaning']
  const body = rowsOf(fields, '').map(({ path, type, given }) => {
    return [`\`${path}\``, type, given, meanings.get(path) ?? '']
  })
  const table = [head, head.map(() => '---'), ...body]
  // What only answers have, nobody gives.
  const shown = inRequests.has(name) ? table : table.map((row) => row.toSpliced(2, 1))
  return shown.map((row) => `|${row.map((cell) => (cell ? ` ${cell} |` : ' |')).join('')}`).join('\n')
}

interface Row {
  readonly path: string
  readonly type: string
  readonly given: string
}

const givers = {
  required: 'required',
  optional: 'optional',
  assigned: 'set by the service',
  derived: 'computed',
  secret: 'optional, never shown',
}

function rowsOf(fields: Fields, prefix: string): Row[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = prefix + name
    const given = field.kind === 'echo' ? `same as \`${field.of}\`` : givers[field.origin]
    const inner =
      field.kind === 'group' && !isTabled(name, field.fields) ? rowsOf(field.fields, `${path}/`) : []
    return [{ path, type: typeOf(field, fields), given }, ...inner]
  })
}

/** The members are records that have a table themselves. */
function isTabled(name: string, fields: Fields): boolean {
  const shape = shapes.get(name)
  return shape !== undefined && Object.keys(fields).every((field) => field in shape.fields)
}

function typeOf(field: Field, fields: Fields): string {
  if (field.kind === 'scalar') return scalarType(field.scalar)
  if (field.kind === 'set') return `${scalarType(field.scalar)}, repeated`
  if (field.kind !== 'echo') return 'repeated'
  const original = fields[field.of]
  return original ? typeOf(original, fields) : ''
}

const known: readonly [Scalar<unknown>, string][] = [
  [long as Scalar<unknown>, 'long'],
  [instant as Scalar<unknown>, 'time'],
  [bool as Scalar<unknown>, 'boolean'],
  [mac as Scalar<unknown>, 'MAC address'],
  [anyMac as Scalar<unknown>, 'MAC address'],
  [oid as Scalar<unknown>, 'OID'],
  [ip as Scalar<unknown>, 'IP address'],
]

function scalarType({ accepted, facets }: Scalar<unknown>): string {
  const found = known.find(([scalar]) => scalar.accepted === accepted)
  if (found) return found[1]
  const { base, values, pattern, min, max, maxLength = 1000 } = facets
  if (values && base === 'int') return accepted.replace(/^one of /, '')
  if (values) return values.map((value) => `\`${value}\``).join(', ')
  if (base === 'int') return [base, ...rangeOf(min, max)].join(', ')
  if (base !== 'string') return base
  return pattern === undefined && maxLength !== 1000 ? `text, ${maxLength} characters at most` : 'text'
}

function rangeOf(min?: number, max?: number): string[] {
  if (min === undefined && max === undefined) return []
  return [max === undefined ? `from ${min}` : `${min ?? ''} to ${max}`.trim()]
}
