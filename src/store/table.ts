// Records of a resource in their table: single records, pages of a list, and how many there are.

import type { Condition, ListQuery } from '../schema/list.ts'
import type { AnyRecord, Resource } from '../schema/resource.ts'
import { type RowForm, rowForm } from '../schema/row.ts'
import type { Database, Reader, Row, SqlValue, Transaction } from './database.ts'

export interface Table {
  readonly name: string
  readonly form: RowForm
  /** The columns whose values are counted as rows come and go. */
  readonly counted: readonly string[]
  /** Whether filters by other columns may have to look at every row. */
  readonly unindexed: boolean
  /** Where they stand in a row. */
  readonly countedAt: readonly number[]
  /** Statements on one record, written once: to join and hash their text anew would cost more than to run them. */
  readonly sql: Readonly<Record<'find' | 'insert' | 'update' | 'remove', string>>
}

export function table(resource: Resource, counted: readonly string[] = [], unindexed = false): Table {
  const { table: name } = resource
  const form = rowForm(resource)
  const setters = form.columns.map((column) => `${column.name} = ?`).join(', ')
  return {
    name,
    form,
    counted,
    unindexed,
    countedAt: form.columns.flatMap((column, index) => (counted.includes(column.name) ? [index] : [])),
    sql: {
      find: `select ${form.shown} from ${name} where id = ?`,
      insert: `insert into ${name} (${form.names}) values (${form.marks})`,
      update: `update ${name} set ${setters} where id = ?`,
      remove: `delete from ${name} where id = ?`,
    },
  }
}

export async function nextId(tx: Transaction, name: string): Promise<bigint> {
  const [row] = await tx.all(
    'insert into counter (name, value) values (?, 1) on conflict (name) do update set value = counter.value + 1 returning value',
    [name],
  )
  return row?.value as bigint
}

/** An id that a file brought: ids given out later must lie above it. */
export async function keepId(tx: Transaction, name: string, id: bigint): Promise<void> {
  await tx.run(
    'insert into counter (name, value) values (?, ?) on conflict (name) do update set value = excluded.value where counter.value < excluded.value',
    [name, id],
  )
}

export async function find(reader: Reader, { form, sql }: Table, id: bigint): Promise<AnyRecord | undefined> {
  const [row] = await reader.all(sql.find, [id])
  return row && form.toRecord(row)
}

export async function insert(tx: Transaction, target: Table, record: AnyRecord): Promise<void> {
  const values = target.form.toRow(record)
  await tx.run(target.sql.insert, values)
  count(tx, target, values, 1)
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

/** Removes all rows with a value in a column, which must be the only one counted. */
export async function removeAll(
  tx: Transaction,
  target: Table,
  column: string,
  value: SqlValue,
): Promise<void> {
  const removed = await tx.run(`delete from ${target.name} where ${column} = ?`, [value])
  addToTally(tx, target, '', '', -removed)
  addToTally(tx, target, column, String(value), -removed)
}

/** Removes the rows up to an id, of a table of which only the whole is counted. */
export async function removeUpTo(tx: Transaction, target: Table, id: SqlValue): Promise<number> {
  const removed = await tx.run(`delete from ${target.name} where id <= ?`, [id])
  addToTally(tx, target, '', '', -removed)
  return removed
}

/** What the tallies hold: of all rows under the column "", else of those with the value in the column. */
export async function tallied(
  reader: Reader,
  { name }: Table,
  column: string,
  value: string,
): Promise<number> {
  const [row] = await reader.all(
    'select n from tally where table_name = ? and column_name = ? and value = ?',
    [name, column, value],
  )
  return Number(row?.n ?? 0n)
}

function count(tx: Transaction, target: Table, values: SqlValue[], by: 1 | -1): void {
  addToTally(tx, target, '', '', by)
  for (const index of target.countedAt) {
    addToTally(tx, target, target.form.columns[index]?.name ?? '', String(values[index]), by)
  }
}

/** What a transaction adds to the tallies, written once at its end: a batch of a thousand rows changes few of them. */
type Sums = Map<Table, Map<string, Map<string, number>>>
const pending = new WeakMap<Transaction, Sums>()

/** The count over all rows is kept under the column name "". */
function addToTally(tx: Transaction, target: Table, column: string, value: string, by: number): void {
  const sums = pending.get(tx) ?? openSums(tx)
  const ofTable = sums.get(target) ?? added(sums, target, new Map())
  const ofColumn = ofTable.get(column) ?? added(ofTable, column, new Map())
  ofColumn.set(value, (ofColumn.get(value) ?? 0) + by)
}

function added<K, V>(to: Map<K, V>, key: K, value: V): V {
  to.set(key, value)
  return value
}

function openSums(tx: Transaction): Sums {
  const sums: Sums = new Map()
  pending.set(tx, sums)
  tx.beforeCommit(async () => {
    for (const [{ name }, ofTable] of sums) {
      for (const [column, ofColumn] of ofTable) {
        for (const [value, sum] of ofColumn) {
          if (sum !== 0) await tx.run(tallySql, [name, column, value, sum])
        }
      }
    }
  })
  return sums
}

const tallySql =
  'insert into tally (table_name, column_name, value, n) values (?, ?, ?, ?) on conflict (table_name, column_name, value) do update set n = tally.n + excluded.n'

/** How many records meet the conditions. What was found out holds until the table is written to. */
export async function total(
  database: Database,
  target: Table,
  conditions: readonly Condition[],
): Promise<number> {
  const tally = tallyFor(target, conditions)
  const { sql, parameters } = tally ?? countOf(target, conditions)
  // No text that is kept or searched for has a NUL in it.
  const key = `${sql}\0${parameters.join('\0')}`
  const known = countsOf(database)
  const version = database.version(target.name)
  const remembered = known.get(key)
  if (remembered?.version === version) return remembered.total
  const [row] = await (tally ? database.all(sql, parameters) : database.longRead(sql, parameters))
  const counted = Number(row?.n ?? 0n)
  if (known.size >= 500) known.clear()
  known.set(key, { version, total: counted })
  return counted
}

function countOf({ name }: Table, conditions: readonly Condition[]): Clause {
  const { sql, parameters } = whereClause(conditions)
  return { sql: `select count(*) as n from ${name}${sql}`, parameters }
}

/** The tally that knows it, if one does. */
function tallyFor({ name, counted }: Table, [only, another]: readonly Condition[]): Clause | undefined {
  const sql = 'select n from tally where table_name = ? and column_name = ? and value = ?'
  if (only === undefined) return { sql, parameters: [name, '', ''] }
  if (another !== undefined || only.kind !== 'equals' || only.members) return undefined
  return counted.includes(only.column)
    ? { sql, parameters: [name, only.column, String(only.value)] }
    : undefined
}

type Counts = Map<string, { version: number; total: number }>
const countsByDatabase = new WeakMap<Database, Counts>()

function countsOf(database: Database): Counts {
  let known = countsByDatabase.get(database)
  if (!known) {
    known = new Map()
    countsByDatabase.set(database, known)
  }
  return known
}

const chunkSize = 500
const deepOffset = 1000
const manyMatches = 2000

/**
 * A page in chunks of bounded size, each a query of its own: a cursor left open would keep the log of the store from
 * being trimmed, and memory would grow with the page.
 */
export class Page {
  readonly #database: Database
  readonly #target: Table
  readonly #query: ListQuery
  readonly #long: boolean
  #left: number
  #last: Row | undefined

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
  }

  get ended(): boolean {
    return this.#left <= 0
  }

  /** Records that follow those read so far; none where the page ended just there. */
  async next(): Promise<AnyRecord[]> {
    const { order, conditions, start } = this.#query
    const { name, form } = this.#target
    const limit = Math.min(this.#left, chunkSize)
    const where = whereClause(conditions, this.#last && after(order, this.#last))
    const offset = this.#last ? 0 : start
    const direction = order.descending ? ' desc' : ''
    const ordering = order.column === 'id' ? `id${direction}` : `${order.column}${direction}, id${direction}`
    const columns = this.#left > limit ? `${form.shown}, ${order.column}` : form.shown
    // The limit is written out: SQLite plans a statement anew each time a limit is bound to it.
    const sql = `select ${columns} from ${name}${where.sql} order by ${ordering} limit ${limit}${offset > 0 ? ' offset ?' : ''}`
    const long = this.#long || offset > deepOffset
    const parameters = offset > 0 ? [...where.parameters, offset] : where.parameters
    const rows = long
      ? await this.#database.longRead(sql, parameters)
      : await this.#database.all(sql, parameters)
    this.#left = rows.length < limit ? 0 : this.#left - limit
    this.#last = rows.at(-1)
    return rows.map(form.toRecord)
  }
}

export async function* pages(
  database: Database,
  target: Table,
  query: ListQuery,
): AsyncGenerator<AnyRecord[], void> {
  const page = new Page(database, target, query)
  while (!page.ended) {
    const records = await page.next()
    if (records.length > 0) yield records
  }
}

const isScan = (condition: Condition) => condition.kind === 'like' && condition.prefix === ''

interface Clause {
  readonly sql: string
  readonly parameters: SqlValue[]
}

/** Ties are broken by id in the order's own direction, so that pages never overlap. */
function after(order: ListQuery['order'], last: Row): Clause {
  const compare = order.descending ? '<' : '>'
  const id = last.id ?? null
  if (order.column === 'id') return { sql: `id ${compare} ?`, parameters: [id] }
  return { sql: `(${order.column}, id) ${compare} (?, ?)`, parameters: [last[order.column] ?? null, id] }
}

function whereClause(conditions: readonly Condition[], more?: Clause): Clause {
  const clauses = conditions.filter((condition) => !condition.members).map(conditionClause)
  if (clauses.length < conditions.length) clauses.push(...memberClauses(conditions))
  if (more) clauses.push(more)
  const all = allOf(clauses)
  return all.sql === '' ? all : { ...all, sql: ` where ${all.sql}` }
}

function allOf(clauses: readonly Clause[]): Clause {
  let sql = ''
  const parameters: SqlValue[] = []
  for (const clause of clauses) {
    sql += sql === '' ? clause.sql : ` and ${clause.sql}`
    parameters.push(...clause.parameters)
  }
  return { sql, parameters }
}

/** All conditions on one table of members speak of the same member. */
function memberClauses(conditions: readonly Condition[]): Clause[] {
  const byTable = Map.groupBy(
    conditions.filter((condition) => condition.members),
    (condition) => condition.members?.table,
  )
  return [...byTable.values()].map((group) => {
    const members = group[0]?.members
    const { sql, parameters } = allOf(group.map(conditionClause))
    return { sql: `id in (select ${members?.link} from ${members?.table} where ${sql})`, parameters }
  })
}

function conditionClause(condition: Condition): Clause {
  const { column } = condition
  if (condition.kind === 'equals') return { sql: `${column} = ?`, parameters: [condition.value] }
  if (condition.kind === 'any') {
    return {
      sql: `${column} in (${condition.values.map(() => '?').join(', ')})`,
      parameters: [...condition.values],
    }
  }
  if (condition.kind !== 'like') {
    return { sql: `${column} ${condition.kind === 'from' ? '>=' : '<='} ?`, parameters: [condition.value] }
  }
  const like = { sql: `${column} like ? escape '\\'`, parameters: [condition.pattern] as SqlValue[] }
  const end = justAfter(condition.prefix)
  if (end === undefined) return like
  // The range is what an index can use; engines do not see it in the pattern.
  return {
    sql: `${column} >= ? and ${column} < ? and ${like.sql}`,
    parameters: [condition.prefix, end, ...like.parameters],
  }
}

/** The least text greater than everything that begins with the prefix. */
function justAfter(prefix: string): string | undefined {
  const points = [...prefix]
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    const code = last.codePointAt(0) ?? 0
    // Surrogates are no characters: the next one after U+D7FF is U+E000.
    if (code < 0x10ffff) return points.join('') + String.fromCodePoint(code === 0xd7ff ? 0xe000 : code + 1)
  }
  return undefined
}
