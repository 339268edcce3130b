// Inserts with the values that all their rows share written into the statement. Binding a value takes 0.1 µs, which is
// half of what an insert of an alarm with its fifty columns would take; most of them are empty in a new alarm.

import type { SqlValue } from '../database.ts'

export interface Insert {
  readonly sql: string
  readonly rows: readonly (readonly SqlValue[])[]
}

/** The only values that are written out, so that few different statements are made. */
function literalOf(value: SqlValue | undefined): string | undefined {
  if (value === null) return 'null'
  if (value === 0 || value === 0n) return '0'
  if (value === 1 || value === 1n) return '1'
  if (value === '') return "''"
  return value === '[]' ? "'[]'" : undefined
}

/** Fewer rows do not pay for another statement. */
const enoughRows = 20
const values = /^insert into \w+ \([\w, ]+\) values \((\?(?:, \?)*)\)/

export function withLiterals(insert: Insert): Insert {
  const { sql, rows } = insert
  const marks = rows.length < enoughRows ? undefined : values.exec(sql)?.[1]
  const [first] = rows
  if (marks === undefined || first === undefined) return insert
  const literals = first.map((value, column) => {
    const literal = literalOf(value)
    return literal !== undefined && rows.every((row) => row[column] === value) ? literal : undefined
  })
  const bound: number[] = []
  for (const [column, literal] of literals.entries()) if (literal === undefined) bound.push(column)
  if (bound.length === literals.length) return insert
  return {
    sql: sql.replace(`(${marks})`, `(${literals.map((literal) => literal ?? '?').join(', ')})`),
    rows: rows.map((row) => valuesAt(row, bound)),
  }
}

/** A loop: the code for `map` would be thrown away and compiled again for every mixture of types in a row. */
function valuesAt(row: readonly SqlValue[], columns: readonly number[]): SqlValue[] {
  const values: SqlValue[] = []
  for (const column of columns) values.push(row[column] as SqlValue)
  return values
}
