// Statements in the form that PostgreSQL needs.

import type pg from 'pg'
import type { Bulk, Row, SqlType, SqlValue, Values } from '../database.ts'
import { translate } from './postgres-faults.ts'

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

  /** Rows without the names of their columns. */
  async values(session: pg.ClientBase, sql: string, parameters: readonly SqlValue[]): Promise<Values> {
    const query = { ...this.#statement(sql, numbered), values: [...parameters], rowMode: 'array' as const }
    try {
      return (await session.query<SqlValue[]>(query)).rows
    } catch (error) {
      throw translate(error)
    }
  }

  /** All rows in one statement: each column is an array parameter. */
  queryEach(
    session: pg.ClientBase,
    { sql, types }: Bulk,
    rows: readonly (readonly SqlValue[])[],
  ): Promise<pg.QueryResult<Row>> {
    const columns = types.map((type, index) => arrayOf(rows, index, type))
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

/** How PostgreSQL numbers these types. */
const typeNumbers = { text: 25, integer: 23, bigint: 20 } as const
/** Dimensions, whether there are nulls, the type, how many, and the number of the first. */
const headSize = 20
const noValue = -1

/**
 * A column of the rows as an array, in the form that PostgreSQL reads without looking at each character. Made here: the
 * driver knows arrays as text only.
 */
function arrayOf(rows: readonly (readonly SqlValue[])[], index: number, type: SqlType): Buffer {
  const width = type === 'integer' ? 4 : 8
  let size = headSize
  let hasNulls = 0
  for (const row of rows) {
    const value = row[index] ?? null
    size += 4
    if (value === null) hasNulls = 1
    else size += type === 'text' ? Buffer.byteLength(String(value)) : width
  }
  const bytes = Buffer.allocUnsafe(size)
  let at = 0
  for (const number of [1, hasNulls, typeNumbers[type], rows.length, 1]) at = bytes.writeInt32BE(number, at)
  for (const row of rows) {
    const value = row[index] ?? null
    if (value === null) at = bytes.writeInt32BE(noValue, at)
    else if (type === 'text') {
      const length = bytes.write(String(value), at + 4)
      at = bytes.writeInt32BE(length, at) + length
    } else at = writeInteger(bytes, value, bytes.writeInt32BE(width, at), width)
  }
  return bytes
}

/** Returns the place behind it. */
function writeInteger(bytes: Buffer, value: SqlValue, at: number, width: 4 | 8): number {
  if (width === 4) return bytes.writeInt32BE(Number(value), at)
  if (typeof value !== 'number') return bytes.writeBigInt64BE(BigInt(value ?? 0), at)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is no integer`)
  bytes.writeInt32BE(Math.floor(value / 2 ** 32), at)
  return bytes.writeUInt32BE(value >>> 0, at + 4)
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
