// Row counts that are updated as rows are added and removed, so that a total costs the same at any size.

import { type Condition, tablesOf } from '../schema/list-filter.ts'
import {
  bulk,
  type Database,
  type Reader,
  type SqlValue,
  type Transaction,
  type Unwritten,
} from './database.ts'
import { versionOf } from './table-cache.ts'
import { type Clause, whereClause } from './where.ts'

/** A table whose rows are counted. */
export interface CountedTable {
  readonly name: string
  readonly form: { readonly columns: readonly { readonly name: string }[] }
  /** The columns whose values are counted as rows are added and removed. */
  readonly counted: readonly string[]
  /** Their indexes in a row. */
  readonly countedAt: readonly number[]
  /** Columns whose bytes are counted as well, grouped by another column if there is one. */
  readonly sized?: { readonly at: readonly number[]; readonly by?: number | undefined } | undefined
}

/** The column name under which tallies count bytes instead of rows. */
export const bytesColumn = 'bytes'

/** SQL for the bytes of the sized columns. */
export const bytesSql = ({ form, sized }: CountedTable): string => {
  const texts = (sized?.at ?? []).map((index) => `octet_length(coalesce(${form.columns[index]?.name}, ''))`)
  return texts.length === 0 ? '0' : texts.join(' + ')
}

function bytesOf(row: readonly SqlValue[], at: readonly number[]): number {
  let bytes = 0
  for (const index of at) {
    const value = row[index]
    if (typeof value === 'string') bytes += Buffer.byteLength(value)
  }
  return bytes
}

/** A tally: of all rows under the column "", else of those with the value in the column. */
export async function readTally(
  reader: Reader,
  { name }: Pick<CountedTable, 'name'>,
  column: string,
  value: string,
): Promise<number> {
  const [row] = await reader.all(
    'select n from tally where table_name = ? and column_name = ? and value = ?',
    [name, column, value],
  )
  return Number(row?.n ?? 0n)
}

/** All tallies of a column, by value. */
export async function readTallies(
  reader: Reader,
  { name }: Pick<CountedTable, 'name'>,
  column: string,
): Promise<Map<string, number>> {
  const rows = await reader.all('select value, n from tally where table_name = ? and column_name = ?', [
    name,
    column,
  ])
  return new Map(rows.map(({ value, n }) => [String(value), Number(n)]))
}

export function count(tx: Transaction, target: CountedTable, values: SqlValue[], by: 1 | -1): void {
  countAll(tx, target, [values], by)
}

export function countAll(
  tx: Transaction,
  target: CountedTable,
  rows: readonly (readonly SqlValue[])[],
  by: 1 | -1 = 1,
): void {
  if (rows.length === 0) return
  addToTally(tx, target, '', '', by * rows.length)
  for (const index of target.countedAt) {
    const column = target.form.columns[index]?.name ?? ''
    const values = new Map<SqlValue | undefined, number>()
    for (const row of rows) values.set(row[index], (values.get(row[index]) ?? 0) + by)
    for (const [value, sum] of values) addToTally(tx, target, column, String(value), sum)
  }
  if (target.sized) countBytes(tx, target, rows, by)
}

function countBytes(
  tx: Transaction,
  target: CountedTable,
  rows: readonly (readonly SqlValue[])[],
  factor: 1 | -1,
): void {
  const { at = [], by } = target.sized ?? {}
  const sums = new Map<SqlValue | undefined, number>()
  for (const row of rows) {
    const value = by === undefined ? '' : row[by]
    sums.set(value, (sums.get(value) ?? 0) + factor * bytesOf(row, at))
  }
  for (const [value, bytes] of sums) addToTally(tx, target, bytesColumn, String(value), bytes)
}

/** Changes of tallies by a transaction, written once at its end: a thousand rows change few of them. */
type TallyChanges = NonNullable<Unwritten['tallies']>

/** The count of all rows is stored under the column name "". */
export function addToTally(
  tx: Transaction,
  { name }: Pick<CountedTable, 'name'>,
  column: string,
  value: string,
  by: number,
): void {
  tx.unwritten.tallies ??= openSums(tx)
  const sums = tx.unwritten.tallies
  const ofTable = sums.get(name) ?? added(sums, name, new Map())
  const ofColumn = ofTable.get(column) ?? added(ofTable, column, new Map())
  ofColumn.set(value, (ofColumn.get(value) ?? 0) + by)
}

function added<K, V>(to: Map<K, V>, key: K, value: V): V {
  to.set(key, value)
  return value
}

function openSums(tx: Transaction): TallyChanges {
  const sums: TallyChanges = new Map()
  tx.beforeCommit(() => tx.runEach(tallyRows, rowsOf(sums)))
  return sums
}

function rowsOf(sums: TallyChanges): SqlValue[][] {
  const rows: SqlValue[][] = []
  for (const [name, ofTable] of sums) {
    for (const [column, ofColumn] of ofTable) {
      for (const [value, sum] of ofColumn) if (sum !== 0) rows.push([name, column, value, sum])
    }
  }
  return rows
}

const tallyRows = bulk(
  'insert into tally (table_name, column_name, value, n) values (?, ?, ?, ?) on conflict (table_name, column_name, value) do update set n = tally.n + excluded.n',
  ['text', 'text', 'text', 'bigint'],
)

/** A cache of totals. Each is valid until a table it was counted from is written to. */
export class Totals {
  readonly #known = new Map<string, { version: number; total: number }>()

  /** The number of records that meet the conditions. */
  async of(database: Database, target: CountedTable, conditions: readonly Condition[]): Promise<number> {
    const tally = tallyFor(target, conditions)
    const { sql, parameters } = tally ?? countOf(target, conditions)
    // No stored or searched text contains NUL.
    const key = `${sql}\0${parameters.join('\0')}`
    const version = versionOf(database, [target.name, ...tablesOf(conditions)])
    const known = this.#known.get(key)
    if (known?.version === version) return known.total
    const [row] = await (tally ? database.all(sql, parameters) : database.readInBackground(sql, parameters))
    const total = Number(row?.n ?? 0n)
    if (this.#known.size >= 500) this.#known.clear()
    this.#known.set(key, { version, total })
    return total
  }
}

function countOf({ name }: CountedTable, conditions: readonly Condition[]): Clause {
  const { sql, parameters } = whereClause(conditions)
  return { sql: `select count(*) as n from ${name}${sql}`, parameters }
}

/** The query of the tally that answers these conditions, if there is one. */
export function tallyFor(
  { name, counted }: CountedTable,
  [only, another]: readonly Condition[],
): Clause | undefined {
  const sql = 'select n from tally where table_name = ? and column_name = ? and value = ?'
  if (only === undefined) return { sql, parameters: [name, '', ''] }
  if (another !== undefined || only.kind !== 'equals' || only.members) return undefined
  return counted.includes(only.column)
    ? { sql, parameters: [name, only.column, String(only.value)] }
    : undefined
}
