// Writes to SQLite, one transaction after the other. Each is committed by itself and appended to the journal; one flush
// makes all of them durable that were committed since the last one began. Nobody is told of a commit, and no reader sees
// it, before that.

import { Fault } from '../../fault.ts'
import { SerialQueue } from '../../pacing/serial-queue.ts'
import { TimeSlice } from '../../pacing/time-slice.ts'
import { type Actor, type MigrationStep, requireAudited, type Transaction, Versions } from '../database.ts'
import type { StoreCondition } from '../store-condition.ts'
import { DurableReader } from './durable-reader.ts'
import type { HighWaterMark } from './high-water-mark.ts'
import { Journal } from './journal.ts'
import { JournalFlush } from './journal-flush.ts'
import { Connection, forSqlite } from './sqlite-connection.ts'
import { isSqliteCode, isUnreadable, translate } from './sqlite-faults.ts'
import type { ReaderThread } from './sqlite-reader.ts'
import { SqliteTransaction } from './sqlite-transaction.ts'

const countersSql = 'select name, value from counter'

/** The tables that a commit has written to. */
type Written = ReadonlySet<string | undefined>

interface WriterParts {
  readonly file: string
  readonly clock: () => number
  readonly condition: StoreCondition
  readonly onFatal: (fault: Fault) => void
  readonly highWaterMark: HighWaterMark | undefined
  /** The thread for checkpoints. */
  readonly checkpointing: () => ReaderThread
  /** Seconds for which checkpoints may fail. */
  readonly journalPatience: number
}

interface Committed<T> {
  readonly result: T
  readonly durable: Promise<void>
}

export class SqliteWriter {
  readonly #parts: WriterParts
  readonly #connection: Connection
  /** Sees what is durable. */
  readonly reader: DurableReader
  readonly #writes = new SerialQueue()
  readonly #flush: JournalFlush
  readonly #journal: Journal
  readonly #slice = new TimeSlice()
  /** By what is committed, for transactions; and by what is durable, for all others. */
  readonly #versions = new Versions()
  readonly #durableVersions = new Versions()
  /** What the commits wrote that the flush under way covers, and those after it. */
  #flushing: Written[] = []
  #unflushed: Written[] = []
  #isClosing = false

  constructor(parts: WriterParts) {
    this.#parts = parts
    const { file, condition, onFatal, checkpointing, journalPatience } = parts
    this.#journal = new Journal({
      thread: checkpointing,
      condition,
      // Readers that keep an older state would hold up the checkpoint.
      alone: (work) => this.#writes.run(() => this.#flush.settled().then(work)),
      onFatal,
      patience: journalPatience,
    })
    try {
      this.#connection = new Connection(file, 'write')
      this.reader = new DurableReader(file)
      this.#flush = new JournalFlush({
        file: `${file}-wal`,
        onBegin: () => this.#flushBegins(),
        onDurable: (isMore) => this.#becameDurable(isMore),
        onFatal,
      })
    } catch (error) {
      throw translate(error)
    }
  }

  /** What others than transactions may rely on. */
  durableVersion(table: string): number {
    return this.#durableVersions.of(table)
  }

  /** Resolves when everything that has been committed by now is durable. */
  flushed(): Promise<void> {
    return this.#flush.settled()
  }

  /** The next one begins when this one is committed; whoever asked for this one is answered when it is durable. */
  transaction<T>(work: (tx: Transaction) => Promise<T>, actor?: Actor): Promise<T> {
    const inTurn = async () => {
      if (this.#isClosing) throw new Fault('unavailable', 'the store is closed')
      const { result, durable } = await this.#writes
        .run(() => {
          if (this.#journal.refusal) throw this.#journal.refusal
          this.#flush.requireWorking()
          return this.#commit(work, actor)
        })
        .catch(async (error) => {
          // It may have failed because of a commit that is not durable yet: a name that is taken, for example.
          await this.#flush.settled()
          throw error
        })
      await durable
      return result
    }
    return this.#journal.backpressure?.then(inTurn) ?? inTurn()
  }

  migrate(script: string, { mark }: MigrationStep): Promise<void> {
    return this.transaction(async (tx) => {
      if (await mark(tx)) this.#connection.exec(forSqlite(script))
    })
  }

  async #commit<T>(work: (tx: Transaction) => Promise<T>, actor: Actor | undefined): Promise<Committed<T>> {
    const writer = this.#connection
    const open = new SqliteTransaction(writer, this.#versions, this.#slice, this.#parts.clock(), actor)
    // Many short transactions in a row must not block the thread either.
    await this.#slice.step()
    try {
      const before = writer.changes
      writer.run('begin immediate')
      const result = await open.work(work)
      requireAudited(actor, open.written)
      // One that has only read may have seen what is not durable yet.
      const hasWritten = writer.changes !== before
      if (hasWritten) this.reader.hold()
      writer.run('commit')
      const durable = hasWritten ? this.#noteCommit(open.written) : this.#flush.settled()
      open.committed()
      return { result, durable }
    } catch (error) {
      this.#undo()
      if (!this.#flush.isPending) this.reader.release()
      throw this.#classify(error)
    }
  }

  #noteCommit(written: Written): Promise<void> {
    this.#unflushed.push(written)
    this.#versions.committed(written)
    const durable = this.#flush.committed()
    this.#journal.grown(() => this.#connection.pagesInJournal)
    return durable
  }

  /** Returns whether readers can be moved to what this flush covers. */
  #flushBegins(): boolean {
    this.#flushing.push(...this.#unflushed)
    this.#unflushed = []
    try {
      this.reader.prepare()
      return true
    } catch (error) {
      this.#parts.condition.failed('reading', translate(error) as Fault)
      return false
    }
  }

  #becameDurable(isMore: boolean): void {
    const { highWaterMark, condition } = this.#parts
    if (isMore) this.reader.advance()
    else this.reader.release()
    for (const written of this.#flushing) this.#durableVersions.committed(written)
    if (this.#flushing.some((written) => written.has('counter'))) highWaterMark?.note(this.#counters)
    this.#flushing = []
    condition.wrote()
  }

  /** Only durable ones: the mark must never be ahead of the store. */
  readonly #counters = () => this.reader.find(countersSql, []).rows as (readonly [string, bigint])[]

  #undo(): void {
    try {
      this.#connection.run('rollback')
    } catch {
      // SQLite has rolled back by itself (disk full, I/O error), or "begin" was what failed.
    }
  }

  #classify(error: unknown): unknown {
    const { condition, onFatal } = this.#parts
    const fault = translate(error)
    if (isUnreadable(error)) condition.failed('reading', fault as Fault)
    // After a failed write or flush the content of the disk is unknown: PostgreSQL panics then, and so do we.
    else if (isSqliteCode(error, 'diskFailed')) onFatal(fault as Fault)
    else if (isSqliteCode(error, 'full', 'readOnly', 'cannotOpen'))
      condition.failed('writing', fault as Fault)
    return fault
  }

  /** Waits for what is being written, and refuses what comes later: it could not be flushed. */
  async settle(): Promise<void> {
    this.#isClosing = true
    await this.#writes.idle()
    await this.#journal.close()
    await this.#flush.close()
  }

  close(): void {
    this.#parts.highWaterMark?.close()
    this.reader.close()
    this.#connection.close()
  }
}
