// Writes records as CSV: one column for each field, and for each field of each group member, named by its
// path.

import { Fault } from '../fault.ts'
import type { AnyRecord, Field, Fields, GroupField, ScalarField, SetField } from './resource.ts'
import type { Scalar } from './scalar.ts'

/** Call `measure` with every record first: the columns of groups depend on the largest record. */
export class CsvForm {
  readonly #layout: Layout

  constructor(fields: Fields) {
    this.#layout = new Layout(fields)
  }

  measure(record: AnyRecord): void {
    this.#layout.measure(record)
  }

  header(): string {
    return line(this.#layout.names(''))
  }

  row(record: AnyRecord): string {
    return `${this.#layout.cells(record).slice(1)}\r\n`
  }
}

/**
 * The order of cells of a record, or of one member of a group. A record may have thousands of members, so
 * cells are written in sequence, without looking up their columns.
 */
class Layout {
  readonly #fields: readonly Cells[]
  #width: number | undefined

  constructor(fields: Fields) {
    this.#fields = Object.entries(fields).flatMap(([name, field]) => cellsOf(name, field))
  }

  measure(record: AnyRecord): void {
    for (const part of this.#fields) part.measure(record[part.name])
  }

  names(prefix: string): string[] {
    return this.#fields.flatMap((part) => part.names(prefix))
  }

  /** The number of columns; valid when all records have been measured. */
  get width(): number {
    this.#width ??= this.#fields.reduce((sum, part) => sum + part.width(), 0)
    return this.#width
  }

  /** Each cell is preceded by a comma. */
  cells(record: AnyRecord): string {
    let text = ''
    for (const part of this.#fields) text += part.cells(record[part.name])
    return text
  }
}

interface Cells {
  readonly name: string
  measure(value: unknown): void
  names(prefix: string): string[]
  width(): number
  cells(value: unknown): string
}

function cellsOf(name: string, field: Field): Cells[] {
  if (field.kind === 'scalar') return isStored(field) ? [scalarCells(name, field)] : []
  if (field.kind === 'set') return [setCells(name, field)]
  return field.kind === 'group' ? [groupCells(name, field)] : []
}

function scalarCells(name: string, { scalar }: ScalarField): Cells {
  return {
    name,
    measure: () => undefined,
    names: (prefix) => [prefix + name],
    width: () => 1,
    cells: (value) => (value === null || value === undefined ? ',' : `,${cell(cellText(scalar, value))}`),
  }
}

function setCells(name: string, { scalar }: SetField): Cells {
  let size = 0
  return {
    name,
    measure(values) {
      size = Math.max(size, (values as unknown[]).length)
    },
    names: (prefix) => Array.from({ length: size }, (_, index) => `${prefix}${name}[${index + 1}]`),
    width: () => size,
    cells(given) {
      const values = given as unknown[]
      requireUnchangedSize(values.length, size)
      let text = ''
      for (const value of values) text += `,${cell(cellText(scalar, value))}`
      return text + ','.repeat(size - values.length)
    },
  }
}

function groupCells(name: string, { fields }: GroupField): Cells {
  // Members without nested groups all have the same layout.
  const sameLayout = Object.values(fields).every(({ kind }) => kind === 'scalar' || kind === 'echo')
  const sharedLayout = new Layout(fields)
  const layouts: Layout[] = []
  const widthFrom = (from: number) => layouts.slice(from).reduce((sum, { width }) => sum + width, 0)
  return {
    name,
    measure(given) {
      const members = given as AnyRecord[]
      while (layouts.length < members.length) layouts.push(sameLayout ? sharedLayout : new Layout(fields))
      if (sameLayout) return
      let index = 0
      for (const member of members) layouts[index++]?.measure(member)
    },
    names: (prefix) => layouts.flatMap((layout, index) => layout.names(`${prefix}${name}[${index + 1}]/`)),
    width: () => widthFrom(0),
    cells(given) {
      const members = given as AnyRecord[]
      requireUnchangedSize(members.length, layouts.length)
      let text = ''
      let index = 0
      for (const member of members) text += layouts[index++]?.cells(member)
      return index < layouts.length ? text + ','.repeat(widthFrom(index)) : text
    },
  }
}

/** A record that has grown since it was measured must not be truncated silently. */
function requireUnchangedSize(members: number, size: number): void {
  if (members > size) throw new Fault('conflict', 'records changed while they were written: try again')
}

/** A negative number is no formula. */
const cellText = <T>({ facets, write }: Scalar<T>, value: T) =>
  facets.base === 'string' ? escapeFormula(write(value)) : write(value)

const isStored = ({ origin }: ScalarField) => origin !== 'derived' && origin !== 'secret'

/** Text that a spreadsheet would run as a formula. */
const formulaStart = /^'*[=+\-@\t\r\uff0b\uff0d\uff1d\uff20]/

/** Spreadsheets treat text after an apostrophe as plain; text that already has apostrophes gets one more. */
const escapeFormula = (text: string) => (formulaStart.test(text) ? `'${text}` : text)

export const unescapeFormula = (text: string) =>
  text.startsWith("'") && formulaStart.test(text) ? text.slice(1) : text

/** A line that a spreadsheet reads as texts and numbers, none of which it runs as a formula. */
export const csvLine = (cells: readonly string[]) => line(cells.map(escapedCell))

/** A number is not a formula, whatever its sign. */
const escapedCell = (text: string) => (/^-?\d{1,300}(\.\d{1,20})?$/.test(text) ? text : escapeFormula(text))

const line = (cells: readonly string[]) => `${cells.map(cell).join(',')}\r\n`
const cell = (text: string) => (/[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
