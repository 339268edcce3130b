// Statements in the form that PostgreSQL needs.

import type pg from 'pg'
import type { Bulk, Row, SqlValue } from '../database.ts'
import { translate } from './faults.ts'

/** Statements are prepared once per connection; further texts are rare ones, and would only fill its memory. */
const preparedTexts = 500

/** Parameters are numbered, and a connection recognises a prepared statement by its name. */
export class Statements {
  readonly #known = new Map<string, { readonly text: string; readonly name?: string }>()

  query(
    session: pg.Pool | pg.ClientBase,
    sql: string,
    parameters: readonly SqlValue[] = [],
  ): Promise<pg.QueryResult<Row>> {
    return this.#ask(session, sql, numbered, parameters)
  }

  /** All rows in one statement: each column is an array parameter. */
  queryEach(
    session: pg.ClientBase,
    { sql, types }: Bulk,
    rows: readonly (readonly SqlValue[])[],
  ): Promise<pg.QueryResult<Row>> {
    const columns = types.map((_, index) => arrayOf(rows, index))
    return this.#ask(session, sql, () => forAll(sql, types), columns)
  }

  async #ask(
    session: pg.Pool | pg.ClientBase,
    sql: string,
    make: (sql: string) => string,
    values: readonly unknown[],
  ): Promise<pg.QueryResult<Row>> {
    try {
      return await session.query<Row>({ ...this.#statement(sql, make), values: [...values] })
    } catch (error) {
      throw translate(error)
    }
  }

  #statement(sql: string, make: (sql: string) => string) {
    // The same statement may be run for one row and for many.
    const key = make === numbered ? sql : `each ${sql}`
    const known = this.#known.get(key)
    if (known) return known
    const text = make(sql)
    if (this.#known.size >= preparedTexts) return { text }
    const made = { text, name: `s${this.#known.size}` }
    this.#known.set(key, made)
    return made
  }
}

const special = /["\\]/
const specials = /["\\]/g

/**
 * A column of the rows as a PostgreSQL array. Made here: the driver's own conversion takes a third of a block's time.
 */
function arrayOf(rows: readonly (readonly SqlValue[])[], index: number): string {
  let text = '{'
  for (const row of rows) {
    const value = row[index] ?? null
    if (text.length > 1) text += ','
    if (value === null) text += 'NULL'
    else if (typeof value !== 'string') text += value
    else if (special.test(value)) text += `"${value.replace(specials, '\\$&')}"`
    else text += `"${value}"`
  }
  return `${text}}`
}

function numbered(sql: string): string {
  let number = 0
  return sql.replace(/\?/g, () => `$${++number}`)
}

/** A statement for one row, rewritten for all rows, which are given as arrays. */
function forAll(sql: string, types: Bulk['types']): string {
  let number = 0
  const named = sql.replace(/\?/g, () => `given.p${++number}`)
  const arrays = types.map((type, index) => `$${index + 1}::${type}[]`).join(', ')
  const names = types.map((_, index) => `p${index + 1}`).join(', ')
  const given = `unnest(${arrays}) as given(${names})`
  const kind = sql.slice(0, sql.indexOf(' '))
  if (kind === 'insert') {
    const start = named.indexOf(' values (')
    const end = named.indexOf(')', start)
    const row = named.slice(start + ' values ('.length, end)
    return `${named.slice(0, start)} select ${row} from ${given}${named.slice(end + 1)}`
  }
  if (kind === 'update' || kind === 'delete') {
    const where = named.lastIndexOf(' where ')
    return `${named.slice(0, where)} ${kind === 'update' ? 'from' : 'using'} ${given}${named.slice(where)}`
  }
  // With an offset it stays a subquery of its own, run for each key: otherwise a plan made while the table was small
  // would go on reading all of it once it is large.
  return `select found.* from ${given} cross join lateral (${named} offset 0) as found`
}
