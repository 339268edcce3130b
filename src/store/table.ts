// Reads and writes records of a resource in their table.

import type { AnyRecord, Resource } from '../schema/resource.ts'
import { type RowMapping, rowMapping } from '../schema/row.ts'
import { type Bulk, bulk, type Reader, type SqlValue, type Transaction } from './database.ts'
import { addToTally, bytesColumn, bytesSql, type CountedTable, count, countAll } from './tally.ts'
import { allWithValues } from './where.ts'

export interface Table extends CountedTable {
  readonly form: RowMapping
  /** Whether filters may have to scan every row. */
  readonly unindexed: boolean
  /** Statements on one record, composed once: composing and hashing their text would cost more than running them. */
  readonly sql: Readonly<Record<'find' | 'update' | 'remove', string>>
  readonly bulk: Readonly<Record<'find' | 'insert' | 'remove', Bulk>>
}

/** Columns whose bytes are counted, and the column by which they are grouped. */
export interface SizedColumns {
  readonly columns: readonly string[]
  readonly by?: string
}

interface TableOptions {
  readonly counted?: readonly string[]
  readonly unindexed?: boolean
  readonly sized?: SizedColumns | undefined
}

export function table(resource: Resource, options: TableOptions = {}): Table {
  const { counted = [], unindexed = false, sized } = options
  const { table: name } = resource
  const form = rowMapping(resource)
  const columnIndex = (wanted: string) => form.columns.findIndex((column) => column.name === wanted)
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
    countedAt: counted.map(columnIndex),
    sized: sized && {
      at: sized.columns.map(columnIndex),
      by: sized.by === undefined ? undefined : columnIndex(sized.by),
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

/** The records with these ids; ids without a record are skipped. */
export async function findAll(
  reader: Reader,
  { form, name }: Table,
  ids: readonly bigint[],
): Promise<AnyRecord[]> {
  const sql = (marks: string) => `select ${form.shown} from ${name} where id in (${marks}) order by id`
  return (await allWithValues(reader, ids, sql)).map((row) => form.toRecord(row))
}

/** The same inside a transaction, with one query plan for any number of ids. */
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

/** Updates the tallies for a record that was changed by other means than `update`. */
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

/** A statement that changes some columns of many rows; call `recount` if a tally counts one of them. */
export const setColumns = (target: Table, setters: string, types: Bulk['types']): Bulk =>
  bulk(`update ${target.name} set ${setters} where id = ?`, [...types, 'bigint'])

/** Removes rows with the same value in a column, which must be the only counted one. */
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

/** Removes the rows up to an id, of a table without counted columns. */
export async function removeUpTo(tx: Transaction, target: Table, id: SqlValue): Promise<number> {
  if (target.sized) {
    const bytes = await tx.all(`select sum(${bytesSql(target)}) as n from ${target.name} where id <= ?`, [id])
    addToTally(tx, target, bytesColumn, '', -Number(bytes[0]?.n ?? 0n))
  }
  const removed = await tx.run(`delete from ${target.name} where id <= ?`, [id])
  addToTally(tx, target, '', '', -removed)
  return removed
}
