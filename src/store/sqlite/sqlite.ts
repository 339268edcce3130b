// SQLite, inside the process. One connection writes; reads go to a connection of their own, long ones to a thread.

import { closeSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { Fault } from '../../fault.ts'
import { Condition, probeSql } from '../condition.ts'
import { flushedMeanwhile, requireRoom } from '../copying.ts'
import {
  type Actor,
  type Database,
  type MigrationStep,
  Queue,
  type Reader,
  type Row,
  requireAudited,
  type SqlValue,
  type Transaction,
  Versions,
} from '../database.ts'
import { requireFile } from '../own-files.ts'
import { Pace } from '../pace.ts'
import { saysSqlite, saysUnreadable, translate } from './faults.ts'
import { Journal } from './journal.ts'
import { ReaderThread, type WorkedOff } from './reader.ts'
import type { Witness } from './witness.ts'

const statementLimit = 500
/** Rows of a statement for many that are worked on without a look at the clock. */
const rowsAtOnce = 50

/** Only a column declared exactly so is the table's own order in SQLite, and saves an index. */
export const forSqlite = (script: string) => script.replace(/\bbigint primary key\b/g, 'integer primary key')

/** The journal is worked off by a thread, see journal.ts. One that grew large beside a long read is cut again. */
const journalSettings =
  'pragma journal_mode = wal; pragma wal_autocheckpoint = 0; pragma journal_size_limit = 67108864'

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
   * `alone`: a file that nobody writes to; nothing is put beside it, not even for a moment. `memory`: no file at all.
   * `scratch`: a new file of which nothing need last.
   */
  constructor(file: string, mode: 'write' | 'read' | 'alone' | 'memory' | 'scratch') {
    if (mode === 'write') makePrivate(file)
    const place = mode === 'alone' ? `${pathToFileURL(file)}?immutable=1` : file
    const readOnly = mode === 'read' || mode === 'alone'
    this.#db = new DatabaseSync(place, { readOnly, timeout: 5000, readBigInts: true })
    // Set on every open: it is not kept in the file, and FULL is what makes a commit survive a power cut.
    this.#db.exec('pragma synchronous = full; pragma trusted_schema = off; pragma cache_size = -32000')
    if (mode === 'write') this.#db.exec(journalSettings)
    if (mode === 'scratch') this.#db.exec('pragma synchronous = off; pragma journal_mode = memory')
  }

  #prepare(sql: string): Prepared {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.#db.prepare(sql)
    // Rows are made here: the objects that SQLite's binding makes are slow to make and slow to read.
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
    const { statement, names } = this.#prepare(sql)
    const rows = statement.all(...parameters) as unknown as SqlValue[][]
    return rows.map((values) => rowOf(names, values))
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
  runEach(sql: string, rows: readonly (readonly SqlValue[])[]): void {
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

  /** Pages in the journal that are not in their place in the store. */
  get pagesInJournal(): number {
    const { pages, moved } = this.#journal('noop')
    return pages - moved
  }

  #journal(mode: 'passive' | 'noop'): WorkedOff {
    const [row] = this.all(`pragma wal_checkpoint(${mode})`)
    return { pages: Number(row?.log), moved: Number(row?.checkpointed) }
  }

  copyTo(file: string, now: number): void {
    // Others see to it that it comes to the disk, little by little.
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
 * What is kept for Digest is as good as passwords: others who may look into the folder may not read it. What SQLite puts
 * beside a store has the mode of the store. One that exists is not touched: to close it would end SQLite's own locks.
 * A new one gets its name once it is one: an empty file under that name has lost what it held.
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
    // It cannot be made: SQLite says why.
  }
}

const countersSql = 'select name, value from counter'

/** The counter that holds when the backup was made: a store that is opened with it has been restored. */
export const backupMark = 'backup made at'
const markSql =
  'insert into counter (name, value) values (?, ?) on conflict (name) do update set value = excluded.value'

function rowOf(names: readonly string[], values: readonly SqlValue[]): Row {
  const row: Record<string, SqlValue> = {}
  let index = 0
  for (const name of names) row[name] = values[index++] ?? null
  return row
}

interface SqliteOptions {
  readonly clock?: () => number
  /** Called when the store can no longer promise anything: the process must stop. */
  readonly onFatal?: (fault: Fault) => void
  /** Called when something begins to fail, and without a fault when all works again. */
  readonly onTrouble?: (trouble: Fault | undefined) => void
  /** What keeps watch beside the store; it is closed with it. */
  readonly witness?: Witness | undefined
  /** Seconds for which the journal may fail to be worked off. */
  readonly journalPatience?: number
}

export function openSqlite(file: string, options: SqliteOptions = {}): Database {
  return new Sqlite(file, options)
}

/** Reads a store that is at rest: a backup. */
export async function readStore<T>(file: string, work: (reader: Reader) => Promise<T>): Promise<T> {
  const connection = new Connection(file, 'alone')
  try {
    return await work({ all: async (sql, parameters) => connection.all(sql, parameters) })
  } catch (error) {
    throw translate(error)
  } finally {
    connection.close()
  }
}

const nothingNew = Promise.resolve()

class Sqlite implements Database {
  readonly kind = 'sqlite'
  readonly #file: string
  readonly #writer: Connection
  readonly #reader: Connection
  readonly #writes = new Queue()
  readonly #versions = new Versions()
  readonly #clock: () => number
  readonly #onFatal: (fault: Fault) => void
  readonly #witness: Witness | undefined
  readonly #condition: Condition
  readonly #journal: Journal
  readonly #pace = new Pace()
  #thread: ReaderThread | undefined
  #journalThread: ReaderThread | undefined

  constructor(file: string, options: SqliteOptions) {
    const { clock = Date.now, onFatal = () => undefined, onTrouble, journalPatience = 30 } = options
    this.#file = file
    this.#clock = clock
    this.#onFatal = onFatal
    this.#witness = options.witness
    this.#condition = new Condition(() => this.transaction((tx) => tx.run(probeSql)), onTrouble)
    this.#journal = new Journal({
      thread: () => this.#workingOff(),
      condition: this.#condition,
      alone: (work) => this.#writes.run(work),
      onFatal,
      patience: journalPatience,
    })
    try {
      this.#writer = new Connection(file, 'write')
      this.#reader = new Connection(file, 'read')
    } catch (error) {
      throw translate(error)
    }
  }

  get trouble(): Fault | undefined {
    return this.#condition.trouble
  }

  requireSound(): Promise<void> {
    return this.#condition.requireSound()
  }

  all(sql: string, parameters: readonly SqlValue[] = []): Promise<Row[]> {
    return this.#watched(async () => this.#reader.all(sql, parameters))
  }

  longRead(sql: string, parameters: readonly SqlValue[] = []): Promise<Row[]> {
    return this.#watched(() => this.#reading().ask({ sql, parameters }))
  }

  longWork<T>(module: URL, input: unknown, { ownThread = false } = {}): Promise<T> {
    const question = { module: module.href, input }
    if (ownThread) return this.#beside((thread) => thread.ask(question))
    return this.#watched(() => this.#reading().ask(question))
  }

  /** A read that fails is noted; it is over when the same read works. */
  async #watched<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await read()
    } catch (error) {
      const fault = translate(error)
      if (saysUnreadable((fault as Error).cause)) {
        this.#condition.failed('reading', fault as Fault, () => this.#watched(read))
      }
      throw fault
    }
  }

  #reading(): ReaderThread {
    if (!this.#thread?.alive) this.#thread = new ReaderThread(this.#file)
    return this.#thread
  }

  #workingOff(): ReaderThread {
    if (!this.#journalThread?.alive) this.#journalThread = new ReaderThread(this.#file)
    return this.#journalThread
  }

  aside<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#beside(async (thread) => {
      const all: Reader['all'] = (sql, parameters = []) => thread.ask({ sql, parameters })
      // What is sorted takes as much memory as pages may; beyond that it goes to a file.
      await all('pragma cache_size = -4000')
      await all('begin')
      const result = await work({ all })
      await all('commit')
      return result
    })
  }

  async copyTo(file: string): Promise<void> {
    await requireRoom(dirname(file), await this.#size())
    await this.#beside((thread) => flushedMeanwhile(file, thread.ask({ copyTo: file, now: this.#clock() })))
  }

  async #beside<T>(work: (thread: ReaderThread) => Promise<T>): Promise<T> {
    const thread = new ReaderThread(this.#file)
    try {
      return await this.#watched(() => work(thread))
    } finally {
      await thread.close()
    }
  }

  /** Bytes in use. */
  async #size(): Promise<number> {
    const pragma = async (name: string) => Number((await this.all(`pragma ${name}`))[0]?.[name])
    return ((await pragma('page_count')) - (await pragma('freelist_count'))) * (await pragma('page_size'))
  }

  version(table: string): number {
    return this.#versions.of(table)
  }

  ring(): void {
    // Nobody else uses the file.
  }

  listen(): void {
    // Nobody else uses the file.
  }

  /** Nobody else writes to the file. */
  refresh(): Promise<void> {
    return nothingNew
  }

  apart<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.transaction(work)
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>, actor?: Actor): Promise<T> {
    const inTurn = () =>
      this.#writes.run(() => {
        if (this.#journal.refusal) throw this.#journal.refusal
        return this.#alone(work, actor)
      })
    return this.#journal.keepingUp?.then(inTurn) ?? inTurn()
  }

  migrate(script: string, { mark }: MigrationStep): Promise<void> {
    return this.transaction(async (tx) => {
      if (await mark(tx)) this.#writer.exec(forSqlite(script))
    })
  }

  async #alone<T>(work: (tx: Transaction) => Promise<T>, actor: Actor | undefined): Promise<T> {
    const writer = this.#writer
    const written = new Set<string | undefined>()
    const atEnd: (() => Promise<void>)[] = []
    const kept: (() => void)[] = []
    const pace = this.#pace
    const tx: Transaction = {
      actor,
      now: this.#clock(),
      beforeCommit: (task) => {
        atEnd.push(task)
      },
      afterCommit: (task) => {
        kept.push(task)
      },
      all: async (sql, parameters) => {
        written.add(this.#versions.writtenBy(sql))
        await pace.step()
        return writer.all(sql, parameters)
      },
      run: async (sql, parameters) => {
        written.add(this.#versions.writtenBy(sql))
        await pace.step()
        return writer.run(sql, parameters)
      },
      runEach: async ({ sql }, rows) => {
        if (rows.length === 0) return
        written.add(this.#versions.writtenBy(sql))
        for (let at = 0; at < rows.length; at += rowsAtOnce) {
          await pace.step()
          writer.runEach(sql, rows.slice(at, at + rowsAtOnce))
        }
      },
      allEach: async ({ sql }, keys) => {
        const found: Row[] = []
        for (let at = 0; at < keys.length; at += rowsAtOnce) {
          await pace.step()
          found.push(...writer.allEach(sql, keys.slice(at, at + rowsAtOnce)))
        }
        return found
      },
    }
    // Many short ones, one behind the other, must not keep the thread either.
    await pace.step()
    try {
      writer.run('begin immediate')
      const result = await work(tx)
      for (const task of atEnd) await task()
      requireAudited(actor, written)
      const counters = this.#witness && written.has('counter') ? writer.all(countersSql) : undefined
      writer.run('commit')
      if (counters) this.#witness?.note(counters.map(({ name, value }) => [String(name), value as bigint]))
      this.#versions.committed(written)
      for (const task of kept) task()
      this.#condition.wrote()
      this.#journal.grown(writer.pagesInJournal)
      return result
    } catch (error) {
      this.#undo()
      throw this.#classify(error)
    }
  }

  #undo(): void {
    try {
      this.#writer.run('rollback')
    } catch {
      // SQLite has rolled back by itself (disk full, I/O error), or "begin" was what failed.
    }
  }

  #classify(error: unknown): unknown {
    const fault = translate(error)
    if (saysUnreadable(error)) this.#condition.failed('reading', fault as Fault)
    // After a failed write or fsync nobody knows what is on the disk: PostgreSQL panics then, and so do we.
    else if (saysSqlite(error, 'diskFailed')) this.#onFatal(fault as Fault)
    else if (saysSqlite(error, 'full', 'readOnly', 'cannotOpen'))
      this.#condition.failed('writing', fault as Fault)
    return fault
  }

  async close(): Promise<void> {
    await this.#writes.idle()
    await this.#journal.close()
    await this.#thread?.close()
    await this.#journalThread?.close()
    this.#reader.close()
    this.#writer.close()
    this.#witness?.close()
  }
}

/** Holds a file for this process alone, until it is released or the process ends, however it ends. */
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
