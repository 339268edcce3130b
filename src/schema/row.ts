// Maps records to rows of a table and back. A group (a repeated element) is stored as JSON text in one column.

import { groupReader, groupWriter, setFromJson, setToJson } from './json.ts'
import {
  type AnyRecord,
  columnOf,
  type Field,
  type GroupField,
  type Resource,
  type ScalarField,
} from './resource.ts'

export type SqlValue = string | number | bigint | null
export type SqlType = 'text' | 'integer' | 'bigint'
export type Row = { readonly [column: string]: SqlValue }

interface Column {
  readonly name: string
  readonly type: SqlType
  readonly nullable: boolean
  toSql(record: AnyRecord): SqlValue
}

export interface RowMapping {
  readonly columns: readonly Column[]
  /** Column lists for SQL text, in the order of `columns`. */
  readonly names: string
  /** The columns a record is read from: all except the sort keys. */
  readonly shown: string
  readonly shownColumns: readonly string[]
  readonly placeholders: string
  /** Whether rows can be large: they contain repeated elements or long texts. */
  readonly isLarge: boolean
  toRow(record: AnyRecord): SqlValue[]
  toRecord(row: Row): AnyRecord
  /** The same from the values of the columns in `shown`, in that order: faster for many rows. */
  fromValues(values: readonly SqlValue[]): AnyRecord
}

export function rowMapping(resource: Resource): RowMapping {
  const columns: Column[] = []
  const shown: string[] = []
  const readers: { readonly name: string; readonly column: string; read(value: SqlValue): unknown }[] = []
  for (const [name, field] of Object.entries(resource.fields)) {
    if (field.kind === 'echo' || field.origin === 'derived' || field.origin === 'secret') continue
    const column = columnOf(resource, name)
    shown.push(column)
    if (field.kind === 'scalar') {
      columns.push(...scalarColumns(name, field, column))
      readers.push({ name, column, read: (value) => fromSql(field, value) })
    } else if (field.kind === 'set') {
      const toSql = (record: AnyRecord) => setToJson(field, record[name] as unknown[])
      columns.push({ name: column, type: 'text', nullable: false, toSql })
      readers.push({ name, column, read: (value) => setFromJson(field, value as string) })
    } else if (field.kind === 'group') {
      columns.push(groupColumn(name, column, field))
      const fromJson = groupReader(field.fields)
      readers.push({ name, column, read: (value) => fromJson(value as string) })
    }
  }
  // Copying a record that already has its fields is faster than adding them one by one.
  const blank: AnyRecord = Object.fromEntries(readers.map(({ name }) => [name, null]))
  return {
    columns,
    names: columns.map((column) => column.name).join(', '),
    shown: shown.join(', '),
    shownColumns: shown,
    placeholders: columns.map(() => '?').join(', '),
    isLarge: Object.values(resource.fields).some(isLargeText),
    toRow: (record) => columns.map((column) => column.toSql(record)),
    toRecord(row) {
      const record: AnyRecord = { ...blank }
      for (const { name, column, read } of readers) record[name] = read(row[column] ?? null)
      return record
    },
    fromValues(values) {
      const record: AnyRecord = { ...blank }
      let index = 0
      for (const { name, read } of readers) record[name] = read(values[index++] ?? null)
      return record
    },
  }
}

/** From this many characters on, a text makes its row a large one. */
const largeTextLength = 10_000

const isLargeText = (field: Field) =>
  field.kind === 'group' ||
  field.kind === 'set' ||
  (field.kind === 'scalar' && (field.scalar.facets.maxLength ?? 0) >= largeTextLength)

function scalarColumns(name: string, field: ScalarField, column: string): Column[] {
  const { scalar } = field
  const value: Column = {
    name: column,
    type: scalar.column,
    nullable: field.origin === 'optional' || field.mayBeAbsent === true,
    toSql: (record) => toSql(record[name]),
  }
  if (!field.keyed) return [value]
  const key: Column = {
    name: `${column}_key`,
    type: 'text',
    nullable: false,
    // Never null: stores disagree on where null sorts, and pages are cut by comparing keys.
    toSql: (record) => (record[name] === null ? '' : scalar.key(record[name])),
  }
  return [value, key]
}

function groupColumn(name: string, column: string, field: GroupField): Column {
  const write = groupWriter(field.fields)
  const toSql = (record: AnyRecord) => write(record[name] as AnyRecord[])
  return { name: column, type: 'text', nullable: false, toSql }
}

/** The value as it is stored in a column. */
export function toSql(value: unknown): SqlValue {
  if (typeof value === 'boolean') return value ? 1 : 0
  return value as SqlValue
}

// Both stores return every integer as a bigint.
const fromSql = (field: ScalarField, value: SqlValue) =>
  value === null ? null : field.scalar.fromSql(value as string | bigint)
