// A connection to SQLite with its prepared statements. Only this file uses the library.

import { closeSync, openSync, renameSync, rmSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { Fault } from '../../fault.ts'
import { type Row, type SqlValue, untilEnough, type Values } from '../database.ts'
import { requireFile } from '../private-files.ts'
import { isSqliteCode, translate } from './sqlite-faults.ts'

const maxStatements = 500

/** SQLite uses only a column declared exactly like this as row id, which saves an index. */
export const forSqlite = (script: string) => script.replace(/\bbigint primary key\b/g, 'integer primary key')

/**
 * What savepoints keep of changed pages stays in memory: there may be very many of them, and each is short. A thread
 * checkpoints the journal, see journal.ts. A journal that grew large during a long read is truncated. With
 * NORMAL, commits do not flush it, see journal-flush.ts; SQLite still flushes the journal before it moves pages, the
 * store before the journal begins anew, and the journal's new header.
 */
const journalSettings =
  'pragma temp_store = memory; pragma synchronous = normal; pragma journal_mode = wal; pragma wal_autocheckpoint = 0; pragma journal_size_limit = 67108864'

/** Pages in the journal, and how many of them have been moved to the store. */
export interface CheckpointResult {
  readonly pages: number
  readonly moved: number
}

/** Rows as arrays of values, and the column names they share. */
export interface ResultSet {
  readonly names: readonly string[]
  readonly rows: Values
}

interface Prepared {
  readonly statement: StatementSync
  /** The names of the columns it returns. */
  readonly names: readonly string[]
}

/** A connection with a cache of prepared statements. */
export class Connection {
  readonly #db: DatabaseSync
  readonly #statements = new Map<string, Prepared>()

  /**
   * `alone`: a file that nobody writes to; no temporary file is created beside it. `memory`: no file. `scratch`: a new
   * file that need not be durable.
   */
  constructor(file: string, mode: 'write' | 'read' | 'alone' | 'memory' | 'scratch') {
    if (mode === 'write') createPrivate(file)
    const location = mode === 'alone' ? `${pathToFileURL(file)}?immutable=1` : file
    const readOnly = mode === 'read' || mode === 'alone'
    this.#db = new DatabaseSync(location, { readOnly, timeout: 5000, readBigInts: true })
    // Set on every open, since it is not stored in the file.
    this.#db.exec('pragma synchronous = full; pragma trusted_schema = off; pragma cache_size = -32000')
    if (mode === 'write') this.#db.exec(journalSettings)
    if (mode === 'scratch') this.#db.exec('pragma synchronous = off; pragma journal_mode = memory')
  }

  #prepare(sql: string): Prepared {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.#db.prepare(sql)
    // Rows are built here: the objects of SQLite's binding are slow to create and to read.
    statement.setReturnArrays(true)
    const prepared = { statement, names: statement.columns().map(({ name }) => name) }
    this.#statements.set(sql, prepared)
    if (this.#statements.size > maxStatements) {
      const [oldest] = this.#statements.keys()
      if (oldest !== undefined) this.#statements.delete(oldest)
    }
    return prepared
  }

  all(sql: string, parameters: readonly SqlValue[] = []): Row[] {
    return rowsOf(this.find(sql, parameters))
  }

  /** The same as arrays: rows sent to another thread need not repeat the column names. */
  find(sql: string, parameters: readonly SqlValue[], enough?: number): ResultSet {
    const { statement, names } = this.#prepare(sql)
    // Iterating takes half as long again.
    if (enough === undefined) return { names, rows: statement.all(...parameters) as unknown as SqlValue[][] }
    const rows = statement.iterate(...parameters) as unknown as Iterable<SqlValue[]>
    return { names, rows: untilEnough(rows, enough) }
  }

  run(sql: string, parameters: readonly SqlValue[] = []): number {
    return Number(this.#prepare(sql).statement.run(...parameters).changes)
  }

  allEach(sql: string, keys: readonly (readonly SqlValue[])[]): Row[] {
    const { statement, names } = this.#prepare(sql)
    const found: Row[] = []
    for (const key of keys) {
      for (const values of statement.all(...key) as unknown as SqlValue[][]) found.push(rowOf(names, values))
    }
    return found
  }

  /** Row by row: measured as fast as several rows per statement, and three times as fast as rows in JSON. */
  runEach({ sql, rows }: Insert): void {
    const { statement } = this.#prepare(sql)
    for (const row of rows) statement.run(...row)
  }

  /** Rows that statements of this connection have changed since it was opened. */
  get changes(): number {
    return Number(this.find('select total_changes()', []).rows[0]?.[0])
  }

  exec(script: string): void {
    this.#db.exec(script)
  }

  /** Moves pages of the journal into the store, concurrently with a writer. */
  checkpoint(): CheckpointResult {
    return this.#journal('passive')
  }

  /** Pages of the journal that are not yet in the store. */
  get pagesInJournal(): number {
    const { pages, moved } = this.#journal('noop')
    return pages - moved
  }

  #journal(mode: 'passive' | 'noop'): CheckpointResult {
    const [row] = this.all(`pragma wal_checkpoint(${mode})`)
    return { pages: Number(row?.log), moved: Number(row?.checkpointed) }
  }

  copyTo(file: string, now: number): void {
    // The caller flushes it gradually.
    this.#db.exec('pragma synchronous = off')
    this.#db.prepare('vacuum into ?').run(file)
    const copy = new DatabaseSync(file)
    try {
      copy.exec('pragma synchronous = off; pragma journal_mode = memory')
      copy.prepare(markSql).run(backupMark, now)
    } finally {
      copy.close()
    }
  }

  close(): void {
    this.#statements.clear()
    this.#db.close()
  }
}

/**
 * Creates a store that only its owner can read: the hashes for Digest are equivalent to passwords. SQLite gives its
 * other files the mode of the store. An existing store is not opened: closing it would release SQLite's locks. A new
 * one gets its name when it is complete: an empty file with that name means lost data.
 */
function createPrivate(file: string): void {
  const size = requireFile(file)
  if (size === 0) {
    const message = `${file} is empty: what it held is lost. Keep a copy of the folder and restore a backup; to begin anew, remove it`
    throw new Fault('unavailable', message)
  }
  if (size !== undefined) return
  const made = `${file}.new`
  try {
    for (const end of ['', '-journal', '-wal', '-shm']) rmSync(made + end, { force: true })
    closeSync(openSync(made, 'wx', 0o600))
    const db = new DatabaseSync(made)
    db.exec('pragma journal_mode = wal')
    db.close()
    renameSync(made, file)
  } catch {
    // SQLite will report why it cannot be created.
  }
}

/** The counter with the time of the backup; a store that has it was restored. */
export const backupMark = 'backup made at'

const markSql =
  'insert into counter (name, value) values (?, ?) on conflict (name) do update set value = excluded.value'

export const rowsOf = ({ names, rows }: ResultSet): Row[] => rows.map((values) => rowOf(names, values))

function rowOf(names: readonly string[], values: readonly SqlValue[]): Row {
  const row: Record<string, SqlValue> = {}
  let index = 0
  for (const name of names) row[name] = values[index++] ?? null
  return row
}

/** Locks a file until it is released or the process ends, even by a kill. Undefined if another process has it. */
export function lockFile(file: string): (() => void) | undefined {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(file, { timeout: 0 })
    db.exec('pragma journal_mode = memory; pragma locking_mode = exclusive; begin exclusive')
  } catch (error) {
    db?.close()
    if (isSqliteCode(error, 'busy')) return undefined
    throw translate(error)
  }
  const held = db
  return () => held.close()
}

export interface Insert {
  readonly sql: string
  readonly rows: readonly (readonly SqlValue[])[]
}

/** Only these values become literals, so that the number of different statements stays small. */
function literalOf(value: SqlValue | undefined): string | undefined {
  if (value === null) return 'null'
  if (value === 0 || value === 0n) return '0'
  if (value === 1 || value === 1n) return '1'
  if (value === '') return "''"
  return value === '[]' ? "'[]'" : undefined
}

/** With fewer rows, another statement is not worth it. */
const minRows = 20

const insertPattern = /^insert into \w+ \([\w, ]+\) values \((\?(?:, \?)*)\)/

/**
 * Replaces values that all rows share by literals in the statement. Binding a value takes 0.1 µs: half the time of an
 * insert of an alarm, most of whose fifty columns are empty.
 */
export function withLiterals(insert: Insert): Insert {
  const { sql, rows } = insert
  const marks = rows.length < minRows ? undefined : insertPattern.exec(sql)?.[1]
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

/** A loop: the engine would deoptimise `map` for every new combination of types in a row. */
function valuesAt(row: readonly SqlValue[], columns: readonly number[]): SqlValue[] {
  const values: SqlValue[] = []
  for (const column of columns) values.push(row[column] as SqlValue)
  return values
}
