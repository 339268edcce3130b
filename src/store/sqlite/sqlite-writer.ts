// Writes to SQLite. Waiting transactions share a commit, which is appended to the journal (the write-ahead log). One flush
// makes durable all commits since the previous flush began. Until then, no caller is answered and no reader sees them.

import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { Fault } from '../../fault.ts'
import { SerialQueue } from '../../pacing/serial-queue.ts'
import { TimeSlice } from '../../pacing/time-slice.ts'
import type { Actor, MigrationStep, Transaction, TransactionOptions } from '../database.ts'
import { type Member, SharedTransaction, WaitingTransactions } from '../shared-transaction.ts'
import type { StoreCondition } from '../store-condition.ts'
import { DurableReader } from './durable-reader.ts'
import { DurableVersions } from './durable-versions.ts'
import type { HighWaterMark } from './high-water-mark.ts'
import { Journal } from './journal.ts'
import { JournalFlush } from './journal-flush.ts'
import { Connection, forSqlite } from './sqlite-connection.ts'
import { isSqliteCode, isUnreadable, translate } from './sqlite-faults.ts'
import type { ReaderThread } from './sqlite-reader.ts'
import { SqliteTransaction } from './sqlite-transaction.ts'

/** Milliseconds for which a commit waits for the flush under way: on a slow disk, more transactions then share the commit. */
const maxFlushWait = 2

const countersSql = 'select name, value from counter'

interface WriterParts {
  readonly file: string
  readonly clock: () => number
  readonly condition: StoreCondition
  readonly onFatal: (fault: Fault) => void
  readonly highWaterMark: HighWaterMark | undefined
  /** The thread for checkpoints. */
  readonly checkpointing: () => ReaderThread
  /** Seconds for which checkpoints may fail. */
  readonly checkpointFailureLimit: number
}

export class SqliteWriter {
  readonly #parts: WriterParts
  readonly #connection: Connection
  /** Sees only what is durable. */
  readonly reader: DurableReader
  readonly #writes = new SerialQueue()
  readonly #flush: JournalFlush
  readonly #journal: Journal
  readonly #slice = new TimeSlice()
  readonly #waiting = new WaitingTransactions()
  readonly #versions = new DurableVersions()
  #isClosing = false

  constructor(parts: WriterParts) {
    this.#parts = parts
    const { file, condition, onFatal, checkpointing, checkpointFailureLimit } = parts
    this.#journal = new Journal({
      thread: checkpointing,
      condition,
      // Readers that keep an older state would hold up the checkpoint.
      exclusively: (work) => this.#writes.run(() => this.#flush.flushed().then(work)),
      onFatal,
      failureLimit: checkpointFailureLimit,
    })
    try {
      this.#connection = new Connection(file, 'write')
      this.reader = new DurableReader(file)
      this.#flush = new JournalFlush({
        file: `${file}-wal`,
        onBegin: () => this.#flushBegins(),
        onDurable: (hasNewer) => this.#becameDurable(hasNewer),
        onFatal,
      })
    } catch (error) {
      throw translate(error)
    }
  }

  /** The version of a table that is on disk: what readers outside of transactions may rely on. */
  durableVersion(table: string): number {
    return this.#versions.durable(table)
  }

  /** How many transactions have been requested since the start. */
  get requested(): number {
    return this.#waiting.requested
  }

  /** Resolves when everything that has been committed by now is durable. */
  flushed(): Promise<void> {
    return this.#flush.flushed()
  }

  /** Resolves when the transaction is durable. Waiting transactions share a commit. */
  transaction<T>(
    work: (tx: Transaction) => Promise<T>,
    actor?: Actor,
    options?: TransactionOptions,
  ): Promise<T> {
    const { promise, ...answer } = Promise.withResolvers<unknown>()
    this.#waiting.requested += 1
    const wait = () => {
      if (this.#isClosing) throw new Fault('unavailable', 'the store is closed')
      this.#waiting.add({ ...options, work, actor, ...answer })
      void this.#writes.run(() => this.#writeTogether())
      return promise as Promise<T>
    }
    try {
      return this.#journal.backpressure?.then(wait) ?? wait()
    } catch (error) {
      return Promise.reject(error)
    }
  }

  migrate(script: string, { recordIfDue }: MigrationStep): Promise<void> {
    const work = async (tx: Transaction) => {
      if (await recordIfDue(tx)) this.#connection.exec(forSqlite(script))
    }
    return this.transaction(work, undefined, { isLong: true })
  }

  /** Commits the next waiting transaction, with those after it that can share its commit. */
  async #writeTogether(): Promise<void> {
    const { next } = this.#waiting
    if (!next) return
    // No transaction is delayed to find others, but those requested in the same turn of the event loop join it.
    await yieldToEventLoop()
    // Its flush can begin only when the one under way has ended; more transactions may join until then.
    if (!next.isLong) await this.#flush.waitForCurrent(maxFlushWait)
    const head = this.#waiting.take()
    if (!head) return
    const group = new SharedTransaction(head, {
      run: async (sql) => this.#connection.run(sql),
      open: (actor) => this.#open(actor),
      classify: (error) => this.#classify(error),
      grow: (written) => this.#versions.grow(written),
    })
    try {
      if (this.#journal.refusal) throw this.#journal.refusal
      this.#flush.requireWorking()
      // Many short transactions in a row must not block the thread either.
      await this.#slice.step()
      const { durable } = await this.#commit(head, group)
      group.committed()
      durable.then(
        () => group.answer(),
        (error) => group.reject(error),
      )
    } catch (error) {
      // It may have failed because of a commit that is not durable yet: a name that is taken, for example.
      this.#flush.flushed().then(
        () => group.reject(error),
        (failure) => group.reject(failure),
      )
    }
  }

  #open(actor: Actor | undefined): SqliteTransaction {
    return new SqliteTransaction(this.#connection, this.#versions, this.#slice, this.#parts.clock(), actor)
  }

  /** Returns when the group is committed; `durable` resolves when it is on disk. */
  async #commit(head: Member, group: SharedTransaction): Promise<{ readonly durable: Promise<void> }> {
    const writer = this.#connection
    let isDone = false
    try {
      const before = writer.changes
      writer.run('begin immediate')
      await group.runHead(this.#open(head.actor))
      isDone = true
      await this.#waiting.join(group)
      // One that has only read may have seen what is not durable yet.
      const hasWritten = writer.changes !== before
      if (hasWritten) this.reader.hold()
      writer.run('commit')
      return { durable: hasWritten ? this.#noteCommit() : this.#flush.flushed() }
    } catch (error) {
      this.#undo()
      if (!this.#flush.isPending) this.reader.release()
      this.#versions.undo(group.undo())
      const fault = this.#classify(error)
      if (!isDone) this.#waiting.replace(head, fault)
      throw fault
    }
  }

  #noteCommit(): Promise<void> {
    this.#versions.noteCommit()
    const durable = this.#flush.committed()
    this.#journal.grown(() => this.#connection.pagesInJournal)
    return durable
  }

  /** Returns whether readers can be moved to what this flush covers. */
  #flushBegins(): boolean {
    this.#versions.flushBegins()
    try {
      this.reader.prepare()
      return true
    } catch (error) {
      this.#parts.condition.failed('reading', translate(error) as Fault)
      return false
    }
  }

  /** `hasNewer`: there are commits after those that became durable. */
  #becameDurable(hasNewer: boolean): void {
    const { highWaterMark, condition } = this.#parts
    if (hasNewer) this.reader.advance()
    else this.reader.release()
    if (this.#versions.becameDurable('counter')) highWaterMark?.note(this.#counters)
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

  /** Waits for the transactions under way; later ones are refused, because they could not be flushed. */
  async drain(): Promise<void> {
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
