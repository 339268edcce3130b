// Records as CSV: a column per field, and per field of each member of a group, named by its path.

import { Fault } from '../fault.ts'
import type { AnyRecord, Field, Fields, GroupField, ScalarField, SetField } from './resource.ts'
import type { Scalar } from './scalar.ts'

/** Finds the columns a file needs from all of its records, then writes them. */
export class CsvForm {
  readonly #layout: Layout

  constructor(fields: Fields) {
    this.#layout = new Layout(fields)
  }

  learn(record: AnyRecord): void {
    this.#layout.learn(record)
  }

  header(): string {
    return line(this.#layout.names(''))
  }

  row(record: AnyRecord): string {
    return `${this.#layout.cells(record).slice(1)}\r\n`
  }
}

/**
 * Where the values of a record, or of one member of a group, stand in a line. A record may have thousands of members:
 * cells are written one behind the other, without looking up the columns they belong to.
 */
class Layout {
  readonly #parts: readonly Part[]
  #width: number | undefined

  constructor(fields: Fields) {
    this.#parts = Object.entries(fields).flatMap(([name, field]) => partOf(name, field))
  }

  learn(record: AnyRecord): void {
    for (const part of this.#parts) part.learn(record[part.name])
  }

  names(prefix: string): string[] {
    return this.#parts.flatMap((part) => part.names(prefix))
  }

  /** How many columns there are; asked for when all has been learned. */
  get width(): number {
    this.#width ??= this.#parts.reduce((sum, part) => sum + part.width(), 0)
    return this.#width
  }

  /** A comma before each. */
  cells(record: AnyRecord): string {
    let text = ''
    for (const part of this.#parts) text += part.cells(record[part.name])
    return text
  }
}

interface Part {
  readonly name: string
  learn(value: unknown): void
  names(prefix: string): string[]
  width(): number
  cells(value: unknown): string
}

function partOf(name: string, field: Field): Part[] {
  if (field.kind === 'scalar') return isKept(field) ? [scalarPart(name, field)] : []
  if (field.kind === 'set') return [setPart(name, field)]
  return field.kind === 'group' ? [groupPart(name, field)] : []
}

function scalarPart(name: string, { scalar }: ScalarField): Part {
  return {
    name,
    learn: () => undefined,
    names: (prefix) => [prefix + name],
    width: () => 1,
    cells: (value) => (value === null || value === undefined ? ',' : `,${cell(cellText(scalar, value))}`),
  }
}

function setPart(name: string, { scalar }: SetField): Part {
  let size = 0
  return {
    name,
    learn(values) {
      size = Math.max(size, (values as unknown[]).length)
    },
    names: (prefix) => Array.from({ length: size }, (_, index) => `${prefix}${name}[${index + 1}]`),
    width: () => size,
    cells(given) {
      const values = given as unknown[]
      requireRoom(values.length, size)
      let text = ''
      for (const value of values) text += `,${cell(cellText(scalar, value))}`
      return text + ','.repeat(size - values.length)
    },
  }
}

function groupPart(name: string, { fields }: GroupField): Part {
  // Members without groups of their own are all laid out alike.
  const alike = Object.values(fields).every(({ kind }) => kind === 'scalar' || kind === 'echo')
  const one = new Layout(fields)
  const layouts: Layout[] = []
  const widthFrom = (from: number) => layouts.slice(from).reduce((sum, { width }) => sum + width, 0)
  return {
    name,
    learn(given) {
      const members = given as AnyRecord[]
      while (layouts.length < members.length) layouts.push(alike ? one : new Layout(fields))
      if (alike) return
      let index = 0
      for (const member of members) layouts[index++]?.learn(member)
    },
    names: (prefix) => layouts.flatMap((layout, index) => layout.names(`${prefix}${name}[${index + 1}]/`)),
    width: () => widthFrom(0),
    cells(given) {
      const members = given as AnyRecord[]
      requireRoom(members.length, layouts.length)
      let text = ''
      let index = 0
      for (const member of members) text += layouts[index++]?.cells(member)
      return index < layouts.length ? text + ','.repeat(widthFrom(index)) : text
    },
  }
}

/** A record that has grown since its size was learned must not lose its end silently. */
function requireRoom(members: number, size: number): void {
  if (members > size) throw new Fault('conflict', 'records changed while they were written: try again')
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
