// Records of a resource in their table: single records and pages of a list.

import type { ListQuery } from '../schema/list.ts'
import type { Condition } from '../schema/list-filter.ts'
import type { AnyRecord, Resource } from '../schema/resource.ts'
import { type RowMapping, rowMapping } from '../schema/row.ts'
import {
  type Bulk,
  bulk,
  type Database,
  type Reader,
  type SqlValue,
  type Transaction,
  textLength,
  untilEnough,
} from './database.ts'
import { addToTally, bytesColumn, bytesSql, type Counted, count, countAll, tallyFor } from './tally.ts'
import { after, allAmong, isScan, type Place, whereClause } from './where.ts'

export interface Table extends Counted {
  readonly form: RowMapping
  /** Whether filters by other columns may have to look at every row. */
  readonly unindexed: boolean
  /**
   * Statements on one record, written once: composing and hashing their text anew would cost more than running them.
   */
  readonly sql: Readonly<Record<'find' | 'update' | 'remove', string>>
  readonly bulk: Readonly<Record<'find' | 'insert' | 'remove', Bulk>>
}

/** Columns whose bytes are counted, and the column by which they are grouped. */
export interface Sized {
  readonly columns: readonly string[]
  readonly by?: string
}

interface TableOptions {
  readonly counted?: readonly string[]
  readonly unindexed?: boolean
  readonly sized?: Sized | undefined
}

export function table(resource: Resource, options: TableOptions = {}): Table {
  const { counted = [], unindexed = false, sized } = options
  const { table: name } = resource
  const form = rowMapping(resource)
  const placeOf = (wanted: string) => form.columns.findIndex((column) => column.name === wanted)
  const setters = form.columns.map((column) => `${column.name} = ?`).join(', ')
  const sql = {
    find: `select ${form.shown} from ${name} where id = ?`,
    update: `update ${name} set ${setters} where id = ?`,
    remove: `delete from ${name} where id = ?`,
  }
  const types = form.columns.map((column) => column.type)
  return {
    name,
    form,
    counted,
    unindexed,
    countedAt: counted.map(placeOf),
    sized: sized && {
      at: sized.columns.map(placeOf),
      by: sized.by === undefined ? undefined : placeOf(sized.by),
    },
    sql,
    bulk: {
      find: bulk(sql.find, ['bigint']),
      insert: bulk(`insert into ${name} (${form.names}) values (${form.placeholders})`, types),
      remove: bulk(sql.remove, ['bigint']),
    },
  }
}

export async function find(reader: Reader, { form, sql }: Table, id: bigint): Promise<AnyRecord | undefined> {
  const [row] = await reader.all(sql.find, [id])
  return row && form.toRecord(row)
}

/** The records with these ids, as far as there are any. */
export async function findAll(
  reader: Reader,
  { form, name }: Table,
  ids: readonly bigint[],
): Promise<AnyRecord[]> {
  const sql = (marks: string) => `select ${form.shown} from ${name} where id in (${marks}) order by id`
  return (await allAmong(reader, ids, sql)).map((row) => form.toRecord(row))
}

/** The same inside a transaction, with one plan for any number of them. */
export async function findEach(tx: Transaction, target: Table, ids: readonly bigint[]): Promise<AnyRecord[]> {
  const rows = await tx.allEach(
    target.bulk.find,
    ids.map((id) => [id]),
  )
  return rows.map(target.form.toRecord)
}

export async function insert(tx: Transaction, target: Table, record: AnyRecord): Promise<void> {
  await insertAll(tx, target, [record])
}

export async function insertAll(
  tx: Transaction,
  target: Table,
  records: readonly AnyRecord[],
): Promise<void> {
  const rows = records.map(target.form.toRow)
  await tx.runEach(target.bulk.insert, rows)
  countAll(tx, target, rows)
}

export async function update(
  tx: Transaction,
  target: Table,
  id: bigint,
  before: AnyRecord,
  record: AnyRecord,
): Promise<void> {
  const values = target.form.toRow(record)
  await tx.run(target.sql.update, [...values, id])
  count(tx, target, target.form.toRow(before), -1)
  count(tx, target, values, 1)
}

export async function remove(tx: Transaction, target: Table, id: bigint, record: AnyRecord): Promise<void> {
  await tx.run(target.sql.remove, [id])
  count(tx, target, target.form.toRow(record), -1)
}

export async function removeAll(
  tx: Transaction,
  target: Table,
  records: readonly AnyRecord[],
): Promise<void> {
  const ids = records.map((record) => [record.id as bigint])
  await tx.runEach(target.bulk.remove, ids)
  countAll(tx, target, records.map(target.form.toRow), -1)
}

/** Brings the tallies up to date where a record was changed by other means than `update`. */
export function recount(tx: Transaction, target: Table, before: AnyRecord, after: AnyRecord): void {
  const { columns } = target.form
  const { at = [], by } = target.sized ?? {}
  const counted = [...target.countedAt, ...at, ...(by === undefined ? [] : [by])]
  const rowOf = (record: AnyRecord) => {
    const row: SqlValue[] = []
    for (const index of counted) row[index] = columns[index]?.toSql(record) ?? null
    return row
  }
  countAll(tx, target, [rowOf(before)], -1)
  countAll(tx, target, [rowOf(after)])
}

/** A statement that changes some columns of many rows; `recount` updates the tallies where they count one of them. */
export const setColumns = (target: Table, setters: string, types: Bulk['types']): Bulk =>
  bulk(`update ${target.name} set ${setters} where id = ?`, [...types, 'bigint'])

/** Removes rows with the same value in a column, which must be the only one counted. */
export async function removeEach(
  tx: Transaction,
  target: Table,
  column: string,
  value: SqlValue,
  ids: readonly bigint[],
): Promise<void> {
  await tx.runEach(
    bulk(`delete from ${target.name} where id = ?`, ['bigint']),
    ids.map((id) => [id]),
  )
  addToTally(tx, target, '', '', -ids.length)
  addToTally(tx, target, column, String(value), -ids.length)
}

/** Removes the rows up to an id, of a table of which only the whole is counted. */
export async function removeUpTo(tx: Transaction, target: Table, id: SqlValue): Promise<number> {
  if (target.sized) {
    const bytes = await tx.all(`select sum(${bytesSql(target)}) as n from ${target.name} where id <= ?`, [id])
    addToTally(tx, target, bytesColumn, '', -Number(bytes[0]?.n ?? 0n))
  }
  const removed = await tx.run(`delete from ${target.name} where id <= ?`, [id])
  addToTally(tx, target, '', '', -removed)
  return removed
}

/** Few at once, for they are held for every slow caller; more where each query reads everything. */
const chunkSize = { usual: 100, long: 500 }
/** Characters after which no more rows are taken at once: a few rows can be as large as thousands of others. */
const chunkText = 2 ** 19
/** So few rows are read at once whatever their size, since counting while reading takes longer. */
const fewRows = 10
const deepOffset = 1000
const manyMatches = 2000

/** All that meet the conditions, in the order of their ids. */
export const everything = (conditions: readonly Condition[]): ListQuery => ({
  conditions,
  order: { column: 'id', descending: false },
  start: 0,
  size: Number.MAX_SAFE_INTEGER,
  totalOnly: false,
})

/**
 * A page in chunks of bounded size, each a query of its own: a cursor left open would keep the journal of the store
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
  #left: number
  /** How many rows are read next. */
  #limit: number
  #last: Place | undefined

  /** `matches` is how many records meet the conditions, where that is known. */
  constructor(database: Database, target: Table, query: ListQuery, matches = 0) {
    this.#database = database
    this.#target = target
    this.#query = query
    this.#left = query.size
    // Without an index that holds both the filter and the order, every match is read and sorted for the first page.
    const { conditions } = query
    const apart = (matches > manyMatches || target.unindexed) && !tallyFor(target, conditions)
    this.#long = apart || conditions.some(isScan)
    this.#chunk = this.#long ? chunkSize.long : chunkSize.usual
    this.#limit = this.#chunk
    const { shown, shownColumns, isLarge } = target.form
    const { column } = query.order
    // Records do not have the keys by which they are ordered.
    const more = query.size > (isLarge ? 1 : this.#chunk) && !shownColumns.includes(column)
    this.#columns = more ? [...shownColumns, column] : shownColumns
    this.#columnsSql = more ? `${shown}, ${column}` : shown
  }

  get ended(): boolean {
    return this.#left <= 0
  }

  /** Records that follow those read so far; none where the page ended exactly there. */
  async *[Symbol.asyncIterator](): AsyncGenerator<AnyRecord[]> {
    while (!this.ended) yield await this.next()
  }

  async next(): Promise<AnyRecord[]> {
    const { order, conditions, start } = this.#query
    const { name, form } = this.#target
    const limit = Math.min(this.#left, this.#limit)
    const where = whereClause(conditions, this.#last && after(order, this.#last))
    const offset = this.#last ? 0 : start
    const direction = order.descending ? ' desc' : ''
    const ordering = order.column === 'id' ? `id${direction}` : `${order.column}${direction}, id${direction}`
    // The limit is part of the text: SQLite plans a statement anew each time a limit is bound as a parameter.
    const sql = `select ${this.#columnsSql} from ${name}${where.sql} order by ${ordering} limit ${limit}${offset > 0 ? ' offset ?' : ''}`
    const long = this.#long || offset > deepOffset
    const parameters = offset > 0 ? [...where.parameters, offset] : where.parameters
    const enough = form.isLarge && limit > fewRows ? chunkText : undefined
    const found = await this.#database.values(sql, parameters, long, enough)
    const rows = form.isLarge && enough === undefined ? untilEnough(found, chunkText) : found
    const isLast = rows.length < limit && (!form.isLarge || textLength(rows) < chunkText)
    this.#left = isLast ? 0 : this.#left - rows.length
    // A server sends all that it is asked for: hardly more than was enough this time.
    this.#limit = Math.min(this.#chunk, 2 * rows.length)
    if (!this.ended) this.#last = this.#placeOf(rows.at(-1) ?? [])
    return rows.map((values) => form.fromValues(values))
  }

  #placeOf(row: readonly SqlValue[]): Place {
    const at = (column: string) => row[this.#columns.indexOf(column)] ?? null
    return { value: at(this.#query.order.column), id: at('id') }
  }
}
