// Rewrites statements for PostgreSQL and runs them as prepared statements.

import type pg from 'pg'
import type { Bulk, Row, SqlType, SqlValue, Values } from '../database.ts'
import { translate } from './postgres-faults.ts'

/** The most statements prepared per connection; further ones are rare, and would only use memory. */
const maxPrepared = 500

/** PostgreSQL numbers parameters, and finds a prepared statement by its name. */
export class Statements {
  readonly #known = new Map<string, { readonly text: string; readonly name?: string }>()

  query(
    session: pg.Pool | pg.ClientBase,
    sql: string,
    parameters: readonly SqlValue[] = [],
  ): Promise<pg.QueryResult<Row>> {
    return this.#run(session, sql, numberParameters, parameters)
  }

  /** Rows as arrays of values. */
  async values(session: pg.ClientBase, sql: string, parameters: readonly SqlValue[]): Promise<Values> {
    const query = {
      ...this.#statement(sql, numberParameters),
      values: [...parameters],
      rowMode: 'array' as const,
    }
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
    return this.#run(session, sql, () => forAllRows(sql, types), columns)
  }

  async #run(
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
    const key = make === numberParameters ? sql : `each ${sql}`
    const known = this.#known.get(key)
    if (known) return known
    const text = make(sql)
    if (this.#known.size >= maxPrepared) return { text }
    const made = { text, name: `s${this.#known.size}` }
    this.#known.set(key, made)
    return made
  }
}

/** The type OIDs of PostgreSQL. */
const typeNumbers = { text: 25, integer: 23, bigint: 20 } as const
/** Bytes of the array header: dimensions, whether there are nulls, type, length, lower bound. */
const headSize = 20
const nullLength = -1

/** A column of the rows as a binary array, which PostgreSQL reads fastest. The driver can only send arrays as text. */
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
    if (value === null) at = bytes.writeInt32BE(nullLength, at)
    else if (type === 'text') {
      const length = bytes.write(String(value), at + 4)
      at = bytes.writeInt32BE(length, at) + length
    } else at = writeInteger(bytes, value, bytes.writeInt32BE(width, at), width)
  }
  return bytes
}

/** Returns the offset after it. */
function writeInteger(bytes: Buffer, value: SqlValue, at: number, width: 4 | 8): number {
  if (width === 4) return bytes.writeInt32BE(Number(value), at)
  if (typeof value !== 'number') return bytes.writeBigInt64BE(BigInt(value ?? 0), at)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is no integer`)
  bytes.writeInt32BE(Math.floor(value / 2 ** 32), at)
  return bytes.writeUInt32BE(value >>> 0, at + 4)
}

function numberParameters(sql: string): string {
  let number = 0
  return sql.replace(/\?/g, () => `$${++number}`)
}

/** Rewrites a statement for one row to one for all rows, whose columns are array parameters. */
function forAllRows(sql: string, types: Bulk['types']): string {
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
  // `offset 0` keeps it a separate subquery for each key: otherwise a plan made while the table was small would scan it
  // when it is large.
  return `select found.* from ${given} cross join lateral (${named} offset 0) as found`
}
