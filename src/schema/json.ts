// Reads and writes records as JSON: an object has no wrapper, every scalar is a string, a repeated element is an array.

import { Fault } from '../fault.ts'
import { type Json, readJson, readJsonInSteps } from './json-text.ts'
import { depthLimit, type Element } from './read-document.ts'
import { type AnyRecord, type Field, type Fields, isSecret, type SetField, type Shape } from './resource.ts'
import { decodeUtf8 } from './xml.ts'

export function parseJson(bytes: Uint8Array, rootName: string): Element {
  return jsonElement(decodeUtf8(bytes), rootName)
}

/** The same in steps, so that a document of a megabyte does not block the thread. */
export async function parseJsonInSteps(
  bytes: Uint8Array,
  rootName: string,
  yieldThread: () => Promise<void> | undefined,
): Promise<Element> {
  return rootOf(rootName, await readJsonInSteps(decodeUtf8(bytes), yieldThread))
}

export const jsonElement = (text: string, rootName: string): Element => rootOf(rootName, readJson(text))

function rootOf(rootName: string, value: Json): Element {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Fault('invalid', `expected a JSON object with the fields of ${rootName}`)
  }
  return elementOf(rootName, value, 0)
}

function itemsOf(object: object, depth: number): Element[] {
  if (depth > depthLimit) throw new Fault('invalid', `objects nested deeper than ${depthLimit}`)
  return Object.entries(object).flatMap(([name, value]: [string, Json]): Element[] => {
    if (value === null) return []
    if (!Array.isArray(value)) return [elementOf(name, value, depth)]
    // An empty array counts as mentioned and empty, like an empty element.
    if (value.length === 0) return [{ name, text: '', items: [] }]
    return value.map((item) => elementOf(name, item, depth))
  })
}

function elementOf(name: string, value: Json, depth: number): Element {
  if (value === null || Array.isArray(value)) {
    throw new Fault('invalid', 'an array holds objects or strings, nothing else', { field: name })
  }
  if (typeof value === 'object') return { name, text: '', items: itemsOf(value, depth + 1) }
  return { name, text: String(value), items: [] }
}

/** A record as a plain object of strings and arrays, ready for JSON.stringify. */
export function jsonWriter(shape: Shape): (record: AnyRecord) => AnyRecord {
  const whole: Plain = plainWriter(shape.fields, (child) => whole(child))
  return whole
}

/** The rows of a group as text for one column, and back. */
export function groupWriter(fields: Fields): (rows: readonly AnyRecord[]) => string {
  const plain = plainWriter(fields, (child) => child, 'column')
  return (rows) => (rows.length === 0 ? '[]' : JSON.stringify(rows.map(plain)))
}

export function groupReader(fields: Fields): (json: string) => AnyRecord[] {
  const fromPlain = plainReader(fields)
  return (json) => (json === '[]' ? [] : JSON.parse(json).map(fromPlain))
}

/** The values of a set as text for one column, and back. */
export const setToJson = ({ scalar }: SetField, values: readonly unknown[]): string =>
  values.length === 0 ? '[]' : JSON.stringify(values.map((value) => scalar.write(value)))

export const setFromJson = (field: SetField, json: string): unknown[] =>
  json === '[]' ? [] : setFrom(field, JSON.parse(json))

const setFrom = ({ scalar }: SetField, values: readonly string[]) => values.map((value) => scalar.read(value))

/** Prepared once for each field: a record may have thousands of members. */
function plainReader(fields: Fields): Plain {
  const readers = Object.entries(fields).flatMap(([name, field]) => {
    const read = valueReader(field)
    return read ? [{ name, read }] : []
  })
  return (row) => {
    const record: AnyRecord = {}
    for (const { name, read } of readers) record[name] = read(row[name])
    return record
  }
}

function valueReader(field: Field): ((value: unknown) => unknown) | undefined {
  if (field.kind === 'scalar') {
    const { scalar } = field
    return (value) => (value === undefined ? null : scalar.read(value as string))
  }
  if (field.kind === 'set') return (value) => setFrom(field, value as string[])
  if (field.kind !== 'group') return undefined
  const fromPlain = plainReader(field.fields)
  return (value) => (value as AnyRecord[]).map(fromPlain)
}

type Plain = (record: AnyRecord) => AnyRecord

/**
 * Prepared once for each field: alarms and traps are written by the thousand. In a column, an absent value is left out.
 */
function plainWriter(fields: Fields, nested: Plain, use: 'output' | 'column' = 'output'): Plain {
  const shown = Object.entries(fields).filter(([, field]) => !isSecret(field))
  const writers = shown.map(([name, field]) => {
    const from = field.kind === 'echo' ? field.of : name
    const source = field.kind === 'echo' ? fields[field.of] : field
    return { name, from, write: valueWriter(source, nested, use) }
  })
  return (record) => {
    const object: AnyRecord = {}
    for (const { name, from, write } of writers) {
      const value = write(record[from])
      if (value !== undefined) object[name] = value
    }
    return object
  }
}

function valueWriter(
  source: Field | undefined,
  nested: Plain,
  use: 'output' | 'column',
): (value: unknown) => unknown {
  if (source?.kind === 'scalar') {
    const { scalar } = source
    const absent = use === 'output' && source.absent === 'empty' ? '' : undefined
    return (value) => (value === null || value === undefined ? absent : scalar.write(value))
  }
  if (source?.kind === 'set') {
    const { scalar } = source
    return (value) => ((value as unknown[] | undefined) ?? []).map((member) => scalar.write(member))
  }
  const inner = source?.kind === 'group' ? plainWriter(source.fields, nested, use) : nested
  return (value) => ((value as AnyRecord[] | undefined) ?? []).map(inner)
}
