// The store in SQLite, inside the process: one connection writes, two read what is durable, and long reads run in a thread.

import { dirname } from 'node:path'
import { Fault } from '../../fault.ts'
import type {
  Actor,
  MigrationStep,
  Reader,
  Row,
  SqlValue,
  Store,
  Transaction,
  TransactionOptions,
  Values,
} from '../database.ts'
import { flushedMeanwhile, requireDiskSpace } from '../large-copies.ts'
import { probeSql, StoreCondition } from '../store-condition.ts'
import { firstQuery } from './durable-reader.ts'
import type { HighWaterMark } from './high-water-mark.ts'
import { Connection, rowsOf } from './sqlite-connection.ts'
import { isUnreadable, translate } from './sqlite-faults.ts'
import { ReaderThread } from './sqlite-reader.ts'
import { SqliteWriter } from './sqlite-writer.ts'

interface SqliteOptions {
  readonly clock?: (() => number) | undefined
  /** Called when a write has failed and the state of the disk is unknown: the process must stop. */
  readonly onFatal?: (fault: Fault) => void
  /** Called when something begins to fail, and without a fault when all works again. */
  readonly onTrouble?: (trouble: Fault | undefined) => void
  /** The file beside the store that shows whether the store has lost commits; closed with the store. */
  readonly highWaterMark?: HighWaterMark | undefined
  /** Seconds for which checkpoints may fail. */
  readonly checkpointFailureLimit?: number
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
  readonly #clock: () => number
  readonly #condition: StoreCondition
  readonly #writer: SqliteWriter
  #thread: ReaderThread | undefined
  #journalThread: ReaderThread | undefined
  #isClosed = false

  constructor(file: string, options: SqliteOptions) {
    const { clock = Date.now, onFatal = () => undefined, onTrouble, checkpointFailureLimit = 30 } = options
    this.#file = file
    this.#clock = clock
    this.#condition = new StoreCondition(() => this.transaction((tx) => tx.run(probeSql)), onTrouble)
    this.#writer = new SqliteWriter({
      file,
      clock,
      condition: this.#condition,
      onFatal,
      highWaterMark: options.highWaterMark,
      checkpointing: () => this.#checkpointing(),
      checkpointFailureLimit,
    })
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
    return this.#recordingFailure(() => rowsOf(this.#writer.reader.find(sql, parameters)))
  }

  readInBackground(sql: string, parameters: readonly SqlValue[] = []): Promise<Row[]> {
    return this.#onceDurable(this.#recordingFailure(() => this.#readingThread().all(sql, parameters)))
  }

  values(sql: string, parameters: readonly SqlValue[], long: boolean, enough?: number): Promise<Values> {
    if (!long) return this.#recordingFailure(() => this.#writer.reader.find(sql, parameters, enough).rows)
    return this.#onceDurable(
      this.#recordingFailure(() => this.#readingThread().values(sql, parameters, enough)),
    )
  }

  workInBackground<T>(module: URL, input: unknown, { ownThread = false } = {}): Promise<T> {
    const question = { module: module.href, input }
    return this.#onceDurable(
      ownThread
        ? this.#inNewThread((thread) => thread.request<T>(question))
        : this.#recordingFailure(() => this.#readingThread().request<T>(question)),
    )
  }

  /** Threads read what is committed: what they have found is given out when all of it is durable. */
  async #onceDurable<T>(reading: Promise<T>): Promise<T> {
    const found = await reading
    await this.#writer.flushed()
    return found
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
      await all(firstQuery)
      await this.#writer.flushed()
      const result = await work({ all })
      await all('commit')
      return result
    })
  }

  async copyTo(file: string): Promise<void> {
    await requireDiskSpace(dirname(file), await this.#size())
    await this.#onceDurable(
      this.#inNewThread((thread) =>
        flushedMeanwhile(file, thread.request({ copyTo: file, now: this.#clock() })),
      ),
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
    return this.#writer.durableVersion(table)
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

  get requested(): number {
    return this.#writer.requested
  }

  transaction<T>(
    work: (tx: Transaction) => Promise<T>,
    actor?: Actor,
    options?: TransactionOptions,
  ): Promise<T> {
    return this.#writer.transaction(work, actor, options)
  }

  migrate(script: string, step: MigrationStep): Promise<void> {
    return this.#writer.migrate(script, step)
  }

  async close(): Promise<void> {
    await this.#writer.drain()
    this.#isClosed = true
    await this.#thread?.close()
    await this.#journalThread?.close()
    this.#writer.close()
  }
}
