// Reads a page of a list in chunks of bounded size.

import type { ListQuery } from '../schema/list.ts'
import type { Condition } from '../schema/list-filter.ts'
import type { AnyRecord } from '../schema/resource.ts'
import { type Database, type SqlValue, textLength, untilEnough } from './database.ts'
import type { Table } from './table.ts'
import { tallyFor } from './tally.ts'
import { afterPosition, isScan, type PagePosition, whereClause } from './where.ts'

/**
 * Rows per query: few, because they are held in memory for every slow caller; more if each query scans
 * everything.
 */
const chunkSize = { normal: 100, long: 500 }

/** Characters after which a chunk ends: a few rows can be as large as thousands of others. */
const maxChunkLength = 2 ** 19

/** Up to this many rows are read without counting characters, which takes longer. */
const uncheckedRows = 10

const longReadOffset = 1000

const longReadMatches = 2000

/** A query for all records that meet the conditions, ordered by id. */
export const allRecords = (conditions: readonly Condition[]): ListQuery => ({
  conditions,
  order: { column: 'id', descending: false },
  start: 0,
  size: Number.MAX_SAFE_INTEGER,
  totalOnly: false,
})

/**
 * Reads a page in chunks of bounded size, with a query for each: an open cursor would keep the journal of the store
 * from being trimmed, and memory would grow with the page.
 */
export class Page {
  readonly #database: Database
  readonly #target: Table
  readonly #query: ListQuery
  readonly #long: boolean
  readonly #chunk: number
  readonly #columns: readonly string[]
  readonly #columnsSql: string
  #remaining: number
  /** Rows of the next query. */
  #limit: number
  #last: PagePosition | undefined

  /** `matches` is the number of records that meet the conditions, if known. */
  constructor(database: Database, target: Table, query: ListQuery, matches = 0) {
    this.#database = database
    this.#target = target
    this.#query = query
    this.#remaining = query.size
    // Without an index on both filter and order, every match is read and sorted for the first page.
    const { conditions } = query
    const sortsAll = (matches > longReadMatches || target.unindexed) && !tallyFor(target, conditions)
    this.#long = sortsAll || conditions.some(isScan)
    this.#chunk = this.#long ? chunkSize.long : chunkSize.normal
    this.#limit = this.#chunk
    const { shown, shownColumns, isLarge } = target.form
    const { column } = query.order
    // Records do not contain sort keys.
    const addOrderColumn = query.size > (isLarge ? 1 : this.#chunk) && !shownColumns.includes(column)
    this.#columns = addOrderColumn ? [...shownColumns, column] : shownColumns
    this.#columnsSql = addOrderColumn ? `${shown}, ${column}` : shown
  }

  get ended(): boolean {
    return this.#remaining <= 0
  }

  /** Yields the next records; the last chunk may be empty. */
  async *[Symbol.asyncIterator](): AsyncGenerator<AnyRecord[]> {
    while (!this.ended) yield await this.next()
  }

  async next(): Promise<AnyRecord[]> {
    const { order, conditions, start } = this.#query
    const { name, form } = this.#target
    const limit = Math.min(this.#remaining, this.#limit)
    const where = whereClause(conditions, this.#last && afterPosition(order, this.#last))
    const offset = this.#last ? 0 : start
    const direction = order.descending ? ' desc' : ''
    const ordering = order.column === 'id' ? `id${direction}` : `${order.column}${direction}, id${direction}`
    // The limit is part of the text: SQLite would plan the statement again for each bound limit.
    const sql = `select ${this.#columnsSql} from ${name}${where.sql} order by ${ordering} limit ${limit}${offset > 0 ? ' offset ?' : ''}`
    const long = this.#long || offset > longReadOffset
    const parameters = offset > 0 ? [...where.parameters, offset] : where.parameters
    const enough = form.isLarge && limit > uncheckedRows ? maxChunkLength : undefined
    const found = await this.#database.values(sql, parameters, long, enough)
    const rows = form.isLarge && enough === undefined ? untilEnough(found, maxChunkLength) : found
    const isLast = rows.length < limit && (!form.isLarge || textLength(rows) < maxChunkLength)
    this.#remaining = isLast ? 0 : this.#remaining - rows.length
    // A server sends all that it is asked for: hardly more than was enough this time.
    this.#limit = Math.min(this.#chunk, 2 * rows.length)
    if (!this.ended) this.#last = this.#positionOf(rows.at(-1) ?? [])
    return rows.map((values) => form.fromValues(values))
  }

  #positionOf(row: readonly SqlValue[]): PagePosition {
    const at = (column: string) => row[this.#columns.indexOf(column)] ?? null
    return { value: at(this.#query.order.column), id: at('id') }
  }
}
