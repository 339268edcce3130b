// The store in SQLite, inside the process: one connection writes, another reads, and long reads run in a thread.

import { dirname } from 'node:path'
import { Fault } from '../../fault.ts'
import { SerialQueue } from '../../pacing/serial-queue.ts'
import { TimeSlice } from '../../pacing/time-slice.ts'
import {
  type Actor,
  type MigrationStep,
  type Reader,
  type Row,
  requireAudited,
  type SqlValue,
  type Store,
  type Transaction,
  type Values,
  Versions,
} from '../database.ts'
import { flushedMeanwhile, requireDiskSpace } from '../large-copies.ts'
import { probeSql, StoreCondition } from '../store-condition.ts'
import type { HighWaterMark } from './high-water-mark.ts'
import { Journal } from './journal.ts'
import { Connection, forSqlite } from './sqlite-connection.ts'
import { isSqliteCode, isUnreadable, translate } from './sqlite-faults.ts'
import { ReaderThread } from './sqlite-reader.ts'
import { SqliteTransaction } from './sqlite-transaction.ts'

const countersSql = 'select name, value from counter'

interface SqliteOptions {
  readonly clock?: (() => number) | undefined
  /** Called when a write has failed and the state of the disk is unknown: the process must stop. */
  readonly onFatal?: (fault: Fault) => void
  /** Called when something begins to fail, and without a fault when all works again. */
  readonly onTrouble?: (trouble: Fault | undefined) => void
  /** The file beside the store that shows whether the store has lost commits; closed with the store. */
  readonly highWaterMark?: HighWaterMark | undefined
  /** Seconds for which checkpoints may fail. */
  readonly journalPatience?: number
}

export function openSqlite(file: string, options: SqliteOptions = {}): Store {
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

class Sqlite implements Store {
  readonly kind = 'sqlite'
  readonly #file: string
  readonly #writer: Connection
  readonly #reader: Connection
  readonly #writes = new SerialQueue()
  readonly #versions = new Versions()
  readonly #clock: () => number
  readonly #onFatal: (fault: Fault) => void
  readonly #highWaterMark: HighWaterMark | undefined
  readonly #condition: StoreCondition
  readonly #journal: Journal
  readonly #slice = new TimeSlice()
  #thread: ReaderThread | undefined
  #journalThread: ReaderThread | undefined
  #isClosed = false

  constructor(file: string, options: SqliteOptions) {
    const { clock = Date.now, onFatal = () => undefined, onTrouble, journalPatience = 30 } = options
    this.#file = file
    this.#clock = clock
    this.#onFatal = onFatal
    this.#highWaterMark = options.highWaterMark
    this.#condition = new StoreCondition(() => this.transaction((tx) => tx.run(probeSql)), onTrouble)
    this.#journal = new Journal({
      thread: () => this.#checkpointing(),
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

  /** A recent write is proof enough: many of these disks are small, and wear out. */
  probe(): Promise<void> {
    return this.#condition.requireHealthy()
  }

  all(sql: string, parameters: readonly SqlValue[] = []): Promise<Row[]> {
    return this.#recordingFailure(() => this.#reader.all(sql, parameters))
  }

  readInBackground(sql: string, parameters: readonly SqlValue[] = []): Promise<Row[]> {
    return this.#recordingFailure(() => this.#readingThread().all(sql, parameters))
  }

  values(sql: string, parameters: readonly SqlValue[], long: boolean, enough?: number): Promise<Values> {
    return this.#recordingFailure(() =>
      long
        ? this.#readingThread().values(sql, parameters, enough)
        : this.#reader.find(sql, parameters, enough).rows,
    )
  }

  workInBackground<T>(module: URL, input: unknown, { ownThread = false } = {}): Promise<T> {
    const question = { module: module.href, input }
    if (ownThread) return this.#inNewThread((thread) => thread.request(question))
    return this.#recordingFailure(() => this.#readingThread().request(question))
  }

  /** Records a read that fails; the failure is over when the same read works. */
  async #recordingFailure<T>(read: () => T | Promise<T>): Promise<T> {
    try {
      return await read()
    } catch (error) {
      const fault = translate(error)
      if (isUnreadable((fault as Error).cause)) {
        this.#condition.failed('reading', fault as Fault, () => this.#recordingFailure(read))
      }
      throw fault
    }
  }

  #readingThread(): ReaderThread {
    if (!this.#thread?.alive) this.#thread = this.#newThread()
    return this.#thread
  }

  #checkpointing(): ReaderThread {
    if (!this.#journalThread?.alive) this.#journalThread = this.#newThread()
    return this.#journalThread
  }

  /** Not after the store is closed: nobody would end the thread. */
  #newThread(): ReaderThread {
    if (this.#isClosed) throw new Fault('unavailable', 'the store is closing')
    return new ReaderThread(this.#file)
  }

  readSnapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#inNewThread(async (thread) => {
      const all: Reader['all'] = (sql, parameters = []) => thread.all(sql, parameters)
      // Sorting uses at most as much memory as the page cache, and a file beyond that.
      await all('pragma cache_size = -4000')
      await all('begin')
      const result = await work({ all })
      await all('commit')
      return result
    })
  }

  async copyTo(file: string): Promise<void> {
    await requireDiskSpace(dirname(file), await this.#size())
    await this.#inNewThread((thread) =>
      flushedMeanwhile(file, thread.request({ copyTo: file, now: this.#clock() })),
    )
  }

  async #inNewThread<T>(work: (thread: ReaderThread) => Promise<T>): Promise<T> {
    const thread = this.#newThread()
    try {
      return await this.#recordingFailure(() => work(thread))
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
    // No other process uses the file.
  }

  onSignal(): void {
    // No other process uses the file.
  }

  /** No other process writes to the file, and it is not replaced while it is open. */
  invalidate(): void {}

  refresh(): Promise<void> {
    return Promise.resolve()
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
        return this.#runAlone(work, actor)
      })
    return this.#journal.backpressure?.then(inTurn) ?? inTurn()
  }

  migrate(script: string, { mark }: MigrationStep): Promise<void> {
    return this.transaction(async (tx) => {
      if (await mark(tx)) this.#writer.exec(forSqlite(script))
    })
  }

  async #runAlone<T>(work: (tx: Transaction) => Promise<T>, actor: Actor | undefined): Promise<T> {
    const writer = this.#writer
    const open = new SqliteTransaction(writer, this.#versions, this.#slice, this.#clock(), actor)
    // Many short transactions in a row must not block the thread either.
    await this.#slice.step()
    try {
      writer.run('begin immediate')
      const result = await open.work(work)
      requireAudited(actor, open.written)
      writer.run('commit')
      if (open.written.has('counter')) this.#highWaterMark?.note(this.#counters)
      this.#versions.committed(open.written)
      open.committed()
      this.#condition.wrote()
      this.#journal.grown(() => writer.pagesInJournal)
      return result
    } catch (error) {
      this.#undo()
      throw this.#classify(error)
    }
  }

  /** Read by the other connection, which sees only what is committed. */
  readonly #counters = () => this.#reader.find(countersSql, []).rows as (readonly [string, bigint])[]

  #undo(): void {
    try {
      this.#writer.run('rollback')
    } catch {
      // SQLite has rolled back by itself (disk full, I/O error), or "begin" was what failed.
    }
  }

  #classify(error: unknown): unknown {
    const fault = translate(error)
    if (isUnreadable(error)) this.#condition.failed('reading', fault as Fault)
    // After a failed write or fsync the content of the disk is unknown: PostgreSQL panics then, and so do we.
    else if (isSqliteCode(error, 'diskFailed')) this.#onFatal(fault as Fault)
    else if (isSqliteCode(error, 'full', 'readOnly', 'cannotOpen'))
      this.#condition.failed('writing', fault as Fault)
    return fault
  }

  async close(): Promise<void> {
    await this.#writes.idle()
    await this.#journal.close()
    this.#isClosed = true
    await this.#thread?.close()
    await this.#journalThread?.close()
    this.#highWaterMark?.close()
    this.#reader.close()
    this.#writer.close()
  }
}
