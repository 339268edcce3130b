// A connection to SQLite: the one place where the library is used. Statements are prepared once.

import { closeSync, openSync, renameSync, rmSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { Fault } from '../../fault.ts'
import { type Row, type SqlValue, untilEnough, type Values } from '../database.ts'
import { requireFile } from '../private-files.ts'
import type { Insert } from './literals.ts'
import { saysSqlite, translate } from './sqlite-faults.ts'

const statementLimit = 500

/** Only a column declared exactly so is the table's row id in SQLite, and saves an index. */
export const forSqlite = (script: string) => script.replace(/\bbigint primary key\b/g, 'integer primary key')

/** The journal is worked off by a thread, see journal.ts. One that grew large during a long read is truncated again. */
const journalSettings =
  'pragma journal_mode = wal; pragma wal_autocheckpoint = 0; pragma journal_size_limit = 67108864'

/** Pages in the journal, and how many of them are in their place in the store. */
export interface WorkedOff {
  readonly pages: number
  readonly moved: number
}

/** Rows without the names of their columns, which all of them share. */
export interface Found {
  readonly names: readonly string[]
  readonly rows: Values
}

interface Prepared {
  readonly statement: StatementSync
  /** The names of the columns it returns. */
  readonly names: readonly string[]
}

/** A connection with its prepared statements, the oldest forgotten first. */
export class Connection {
  readonly #db: DatabaseSync
  readonly #statements = new Map<string, Prepared>()

  /**
   * `alone`: a file that nobody writes to; no other file is created beside it, not even for a moment. `memory`: no file
   * at all. `scratch`: a new file of which nothing need last.
   */
  constructor(file: string, mode: 'write' | 'read' | 'alone' | 'memory' | 'scratch') {
    if (mode === 'write') makePrivate(file)
    const place = mode === 'alone' ? `${pathToFileURL(file)}?immutable=1` : file
    const readOnly = mode === 'read' || mode === 'alone'
    this.#db = new DatabaseSync(place, { readOnly, timeout: 5000, readBigInts: true })
    // Set on every open: it is not stored in the file, and FULL is what makes a commit survive a power cut.
    this.#db.exec('pragma synchronous = full; pragma trusted_schema = off; pragma cache_size = -32000')
    if (mode === 'write') this.#db.exec(journalSettings)
    if (mode === 'scratch') this.#db.exec('pragma synchronous = off; pragma journal_mode = memory')
  }

  #prepare(sql: string): Prepared {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.#db.prepare(sql)
    // Rows are made here: the objects of SQLite's binding are slow to make and slow to read.
    statement.setReturnArrays(true)
    const prepared = { statement, names: statement.columns().map(({ name }) => name) }
    this.#statements.set(sql, prepared)
    if (this.#statements.size > statementLimit) {
      const [oldest] = this.#statements.keys()
      if (oldest !== undefined) this.#statements.delete(oldest)
    }
    return prepared
  }

  all(sql: string, parameters: readonly SqlValue[] = []): Row[] {
    return rowsOf(this.find(sql, parameters))
  }

  /** The same as one table: rows that are sent to another thread need not each carry the names of their columns. */
  find(sql: string, parameters: readonly SqlValue[], enough?: number): Found {
    const { statement, names } = this.#prepare(sql)
    // Row by row takes half as long again.
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

  /** Row by row: measured, it is as fast as several rows to a statement, and three times as fast as rows in JSON. */
  runEach({ sql, rows }: Insert): void {
    const { statement } = this.#prepare(sql)
    for (const row of rows) statement.run(...row)
  }

  exec(script: string): void {
    this.#db.exec(script)
  }

  /** Moves what is in the journal to its place in the store, beside a writer that goes on. */
  workOffJournal(): WorkedOff {
    return this.#journal('passive')
  }

  /** Pages in the journal that are not yet in their place in the store. */
  get pagesInJournal(): number {
    const { pages, moved } = this.#journal('noop')
    return pages - moved
  }

  #journal(mode: 'passive' | 'noop'): WorkedOff {
    const [row] = this.all(`pragma wal_checkpoint(${mode})`)
    return { pages: Number(row?.log), moved: Number(row?.checkpointed) }
  }

  copyTo(file: string, now: number): void {
    // It is flushed to the disk elsewhere, little by little.
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
 * What is stored for Digest is as good as passwords: other users who may list the folder may not read it. Files that
 * SQLite creates beside a store have the mode of the store. An existing store is not touched: closing it would end
 * SQLite's own locks. A new one gets its name once it is complete: an empty file under that name has lost what it held.
 */
function makePrivate(file: string): void {
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
    // It cannot be created: SQLite reports why.
  }
}

/** The counter with the time of the backup: a store that is opened with it has been restored. */
export const backupMark = 'backup made at'
const markSql =
  'insert into counter (name, value) values (?, ?) on conflict (name) do update set value = excluded.value'

export const rowsOf = ({ names, rows }: Found): Row[] => rows.map((values) => rowOf(names, values))

function rowOf(names: readonly string[], values: readonly SqlValue[]): Row {
  const row: Record<string, SqlValue> = {}
  let index = 0
  for (const name of names) row[name] = values[index++] ?? null
  return row
}

/** Holds a file for this process alone, until it is released or the process ends, in whatever way. */
export function lockFile(file: string): (() => void) | undefined {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(file, { timeout: 0 })
    db.exec('pragma journal_mode = memory; pragma locking_mode = exclusive; begin exclusive')
  } catch (error) {
    db?.close()
    if (saysSqlite(error, 'busy')) return undefined
    throw translate(error)
  }
  const held = db
  return () => held.close()
}
