// SQLite, inside the process. One connection writes; reads go to a connection of their own, long ones to a thread.

import { dirname } from 'node:path'
import { Fault } from '../../fault.ts'
import { TimeSlice } from '../../pacing/time-slice.ts'
import {
  type Actor,
  type Database,
  type MigrationStep,
  type Reader,
  type Row,
  requireAudited,
  SerialQueue,
  type SqlValue,
  type Transaction,
  type Values,
  Versions,
} from '../database.ts'
import { flushedMeanwhile, requireRoom } from '../large-copies.ts'
import { probeSql, StoreCondition } from '../store-condition.ts'
import type { HighWaterMark } from './high-water-mark.ts'
import { Journal } from './journal.ts'
import { type Insert, withLiterals } from './literals.ts'
import { Connection, forSqlite } from './sqlite-connection.ts'
import { saysSqlite, saysUnreadable, translate } from './sqlite-faults.ts'
import { ReaderThread } from './sqlite-reader.ts'

const countersSql = 'select name, value from counter'
/** Rows of a statement for many that are processed between two looks at the clock. */
const rowsAtOnce = 50

interface SqliteOptions {
  readonly clock?: (() => number) | undefined
  /** Called when a write has failed, so that nothing more can be promised: the process must stop. */
  readonly onFatal?: (fault: Fault) => void
  /** Called when something begins to fail, and without a fault when all works again. */
  readonly onTrouble?: (trouble: Fault | undefined) => void
  /** The witness beside the store; it is closed with it. */
  readonly highWaterMark?: HighWaterMark | undefined
  /** Seconds for which the journal may fail to be worked off. */
  readonly journalPatience?: number
}

export function openSqlite(file: string, options: SqliteOptions = {}): Database {
  return new Sqlite(file, options)
}

/** Reads a store that is not in use: a backup. */
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

const nothing = Promise.resolve()

class Sqlite implements Database {
  readonly kind = 'sqlite'
  readonly #file: string
  readonly #writer: Connection
  readonly #reader: Connection
  readonly #writes = new SerialQueue()
  readonly #versions = new Versions()
  readonly #clock: () => number
  readonly #onFatal: (fault: Fault) => void
  readonly #witness: HighWaterMark | undefined
  readonly #condition: StoreCondition
  readonly #journal: Journal
  readonly #pace = new TimeSlice()
  #thread: ReaderThread | undefined
  #journalThread: ReaderThread | undefined
  #isClosed = false

  constructor(file: string, options: SqliteOptions) {
    const { clock = Date.now, onFatal = () => undefined, onTrouble, journalPatience = 30 } = options
    this.#file = file
    this.#clock = clock
    this.#onFatal = onFatal
    this.#witness = options.highWaterMark
    this.#condition = new StoreCondition(() => this.transaction((tx) => tx.run(probeSql)), onTrouble)
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

  now(): number {
    return this.#clock()
  }

  get trouble(): Fault | undefined {
    return this.#condition.trouble
  }

  requireHealthy(): Promise<void> {
    return this.#condition.requireHealthy()
  }

  /** A write that was made just now is proof enough: most disks here are small ones, and wear. */
  probe(): Promise<void> {
    return this.#condition.requireHealthy()
  }

  all(sql: string, parameters: readonly SqlValue[] = []): Promise<Row[]> {
    return this.#watched(() => this.#reader.all(sql, parameters))
  }

  readInBackground(sql: string, parameters: readonly SqlValue[] = []): Promise<Row[]> {
    return this.#watched(() => this.#reading().all(sql, parameters))
  }

  values(sql: string, parameters: readonly SqlValue[], long: boolean, enough?: number): Promise<Values> {
    return this.#watched(() =>
      long
        ? this.#reading().values(sql, parameters, enough)
        : this.#reader.find(sql, parameters, enough).rows,
    )
  }

  workInBackground<T>(module: URL, input: unknown, { ownThread = false } = {}): Promise<T> {
    const question = { module: module.href, input }
    if (ownThread) return this.#beside((thread) => thread.ask(question))
    return this.#watched(() => this.#reading().ask(question))
  }

  /** A read that fails is recorded; the failure is over when the same read works. */
  async #watched<T>(read: () => T | Promise<T>): Promise<T> {
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
    if (!this.#thread?.alive) this.#thread = this.#newThread()
    return this.#thread
  }

  #workingOff(): ReaderThread {
    if (!this.#journalThread?.alive) this.#journalThread = this.#newThread()
    return this.#journalThread
  }

  /** Not once the store is closed: the thread would open it again, and nobody would end it. */
  #newThread(): ReaderThread {
    if (this.#isClosed) throw new Fault('unavailable', 'the store is closing')
    return new ReaderThread(this.#file)
  }

  readSnapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#beside(async (thread) => {
      const all: Reader['all'] = (sql, parameters = []) => thread.all(sql, parameters)
      // Sorting may take as much memory as the page cache; beyond that it uses a file.
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
    const thread = this.#newThread()
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

  signal(): void {
    // Nobody else uses the file.
  }

  onSignal(): void {
    // Nobody else uses the file.
  }

  /** Nobody else writes to the file, and it is not replaced while it is open. */
  invalidate(): void {}

  refresh(): Promise<void> {
    return nothing
  }

  writeConcurrently<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.transaction(work)
  }

  writeUrgently<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
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
    const tx: Transaction = {
      actor,
      now: this.#clock(),
      unwritten: {},
      beforeCommit: (task) => {
        atEnd.push(task)
      },
      afterCommit: (task) => {
        kept.push(task)
      },
      all: (sql, parameters) => {
        written.add(this.#versions.writtenBy(sql))
        return this.#inTurn(() => writer.all(sql, parameters))
      },
      run: (sql, parameters) => {
        written.add(this.#versions.writtenBy(sql))
        return this.#inTurn(() => writer.run(sql, parameters))
      },
      runEach: ({ sql }, rows) => {
        // A block of traps has very many statements for which it has no rows.
        if (rows.length === 0) return nothing
        written.add(this.#versions.writtenBy(sql))
        return this.#runEach(withLiterals({ sql, rows }))
      },
      allEach: ({ sql }, keys) => this.#allEach(sql, keys),
    }
    // Many short ones in a row must not hold the thread either.
    await this.#pace.step()
    try {
      writer.run('begin immediate')
      const result = await work(tx)
      for (const task of atEnd) await task()
      requireAudited(actor, written)
      writer.run('commit')
      if (written.has('counter')) this.#witness?.note(this.#counters)
      this.#versions.committed(written)
      for (const task of kept) task()
      this.#condition.wrote()
      this.#journal.grown(() => writer.pagesInJournal)
      return result
    } catch (error) {
      this.#undo()
      throw this.#classify(error)
    }
  }

  /** Read by the connection that sees what is committed alone. */
  readonly #counters = () => this.#reader.find(countersSql, []).rows as (readonly [string, bigint])[]

  /** At once, unless the thread has been held for so long that it is the turn of others. */
  #inTurn<T>(work: () => T): Promise<T> {
    const others = this.#pace.step()
    if (others) return others.then(work)
    try {
      return Promise.resolve(work())
    } catch (error) {
      return Promise.reject(error)
    }
  }

  async #runEach({ sql, rows }: Insert): Promise<void> {
    for (let at = 0; at < rows.length; at += rowsAtOnce) {
      await this.#pace.step()
      this.#writer.runEach({ sql, rows: rows.slice(at, at + rowsAtOnce) })
    }
  }

  async #allEach(sql: string, keys: Values): Promise<Row[]> {
    const found: Row[] = []
    for (let at = 0; at < keys.length; at += rowsAtOnce) {
      await this.#pace.step()
      found.push(...this.#writer.allEach(sql, keys.slice(at, at + rowsAtOnce)))
    }
    return found
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
    this.#isClosed = true
    await this.#thread?.close()
    await this.#journalThread?.close()
    this.#witness?.close()
    this.#reader.close()
    this.#writer.close()
  }
}
