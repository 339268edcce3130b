// Records as CSV: a column per field, and per field of each member of a group, named by its path.

import { Fault } from '../fault.ts'
import type { AnyRecord, Fields, ScalarField } from './resource.ts'
import type { Scalar } from './scalar.ts'

/** How many members each group has at most, by the path of the group. */
type Sizes = Map<string, number>

/** Finds the columns a file needs from all of its records, then writes them. */
export class CsvForm {
  readonly #fields: Fields
  readonly #sizes: Sizes = new Map()
  #columns: string[] | undefined

  constructor(fields: Fields) {
    this.#fields = fields
  }

  learn(record: AnyRecord): void {
    measure(this.#fields, record, '', this.#sizes)
  }

  header(): string {
    return line(columns(this.#fields, '', this.#sizes))
  }

  row(record: AnyRecord): string {
    const cells = new Map<string, string>()
    flatten(this.#fields, record, '', cells)
    this.#columns ??= columns(this.#fields, '', this.#sizes)
    const known = this.#columns.map((path) => cells.get(path) ?? '')
    // A record that has grown since then must not lose its end silently.
    const said = [...cells.values()].filter((text) => text !== '')
    if (known.filter((text) => text !== '').length < said.length) {
      throw new Fault('conflict', 'records changed while they were written: try again')
    }
    return line(known)
  }
}

function measure(fields: Fields, record: AnyRecord, prefix: string, sizes: Sizes): void {
  for (const [name, field] of Object.entries(fields)) {
    if (field.kind === 'set') {
      const path = prefix + name
      sizes.set(path, Math.max(sizes.get(path) ?? 0, (record[name] as unknown[]).length))
    }
    if (field.kind !== 'group') continue
    const members = record[name] as AnyRecord[]
    const path = prefix + name
    sizes.set(path, Math.max(sizes.get(path) ?? 0, members.length))
    for (const [index, member] of members.entries()) {
      measure(field.fields, member, `${path}[${index + 1}]/`, sizes)
    }
  }
}

function columns(fields: Fields, prefix: string, sizes: Sizes): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.kind === 'scalar') return isKept(field) ? [prefix + name] : []
    if (field.kind !== 'group' && field.kind !== 'set') return []
    const members = Array.from({ length: sizes.get(prefix + name) ?? 0 }, (_, index) => index + 1)
    if (field.kind === 'set') return members.map((index) => `${prefix}${name}[${index}]`)
    return members.flatMap((index) => columns(field.fields, `${prefix}${name}[${index}]/`, sizes))
  })
}

function flatten(fields: Fields, record: AnyRecord, prefix: string, cells: Map<string, string>): void {
  for (const [name, field] of Object.entries(fields)) {
    const value = record[name]
    if (field.kind === 'scalar' && value !== null && value !== undefined && field.origin !== 'secret') {
      cells.set(prefix + name, cellText(field.scalar, value))
    } else if (field.kind === 'set') {
      for (const [index, one] of (value as unknown[]).entries()) {
        cells.set(`${prefix}${name}[${index + 1}]`, cellText(field.scalar, one))
      }
    } else if (field.kind === 'group') {
      for (const [index, member] of (value as AnyRecord[]).entries()) {
        flatten(field.fields, member, `${prefix}${name}[${index + 1}]/`, cells)
      }
    }
  }
}

/** A negative number is no formula. */
const cellText = <T>({ facets, write }: Scalar<T>, value: T) =>
  facets.base === 'string' ? escaped(write(value)) : write(value)

const isKept = ({ origin }: ScalarField) => origin !== 'derived' && origin !== 'secret'

/** What a spreadsheet would take for a formula and run. */
const formula = /^'*[=+\-@\t\r\uff0b\uff0d\uff1d\uff20]/

/** An apostrophe before it makes it plain text to a spreadsheet; text that had some already gets one more. */
const escaped = (text: string) => (formula.test(text) ? `'${text}` : text)

export const unescaped = (text: string) => (text.startsWith("'") && formula.test(text) ? text.slice(1) : text)

/** Texts as a line that a spreadsheet reads as texts and numbers; none of them is run as a formula. */
export const csvLine = (cells: readonly string[]) => line(cells.map(escapedCell))

/** A number is not a formula, whatever its sign. */
const escapedCell = (text: string) => (/^-?\d{1,300}(\.\d{1,20})?$/.test(text) ? text : escaped(text))

const line = (cells: readonly string[]) => `${cells.map(cell).join(',')}\r\n`
const cell = (text: string) => (/[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
