// Writes to SQLite. Transactions that wait share a commit, which is appended to the journal; one flush makes all commits
// durable that were made since the last one began. Nobody is told of a commit, and no reader sees it, before that.

import { setImmediate as nextRound } from 'node:timers/promises'
import { Fault } from '../../fault.ts'
import { SerialQueue } from '../../pacing/serial-queue.ts'
import { TimeSlice } from '../../pacing/time-slice.ts'
import type { Actor, MigrationStep, Transaction, Turn } from '../database.ts'
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

/** Milliseconds for which a commit waits for the flush of the one before it: on a slow disk there is work to be done. */
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
  /** Sees what is durable. */
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
      alone: (work) => this.#writes.run(() => this.#flush.settled().then(work)),
      onFatal,
      failureLimit: checkpointFailureLimit,
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
    return this.#versions.durable(table)
  }

  /** How many transactions were ever asked for. */
  get asked(): number {
    return this.#waiting.asked
  }

  /** Resolves when everything that has been committed by now is durable. */
  flushed(): Promise<void> {
    return this.#flush.settled()
  }

  /** Those that wait share a commit; whoever asked for one is answered when it is durable. */
  transaction<T>(work: (tx: Transaction) => Promise<T>, actor?: Actor, turn?: Turn): Promise<T> {
    const { promise, ...answer } = Promise.withResolvers<unknown>()
    this.#waiting.asked += 1
    const wait = () => {
      if (this.#isClosing) throw new Fault('unavailable', 'the store is closed')
      this.#waiting.add({ ...turn, work, actor, ...answer })
      void this.#writes.run(() => this.#writeTogether())
      return promise as Promise<T>
    }
    try {
      return this.#journal.backpressure?.then(wait) ?? wait()
    } catch (error) {
      return Promise.reject(error)
    }
  }

  migrate(script: string, { mark }: MigrationStep): Promise<void> {
    const work = async (tx: Transaction) => {
      if (await mark(tx)) this.#connection.exec(forSqlite(script))
    }
    return this.transaction(work, undefined, { isLong: true })
  }

  /** The next one that waits, and those after it that can share its commit. Returns when it is committed. */
  async #writeTogether(): Promise<void> {
    const { next } = this.#waiting
    if (!next) return
    // Nobody waits for company; but what has been read with it in this round of the event loop goes with it.
    await nextRound()
    // Its flush could not begin before the one under way is over, and more may join until then.
    if (!next.isLong) await this.#flush.over(maxFlushWait)
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
      this.#flush.settled().then(
        () => group.reject(error),
        (failure) => group.reject(failure),
      )
    }
  }

  #open(actor: Actor | undefined): SqliteTransaction {
    return new SqliteTransaction(this.#connection, this.#versions, this.#slice, this.#parts.clock(), actor)
  }

  /** `durable` resolves when it is. */
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
      return { durable: hasWritten ? this.#noteCommit() : this.#flush.settled() }
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

  #becameDurable(isMore: boolean): void {
    const { highWaterMark, condition } = this.#parts
    if (isMore) this.reader.advance()
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
