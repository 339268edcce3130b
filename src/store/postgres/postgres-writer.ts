// The session that writes to a store in PostgreSQL, for one transaction at a time, or for several that share a commit.
// Services that share the store take turns by locking one row, the writer row, which also tells each of them what the
// others have written.

import type pg from 'pg'
import { Fault } from '../../fault.ts'
import { SerialQueue } from '../../pacing/serial-queue.ts'
import type { Actor, MigrationStep, Reader, Transaction, TransactionOptions } from '../database.ts'
import { type Member, SharedTransaction, WaitingTransactions } from '../shared-transaction.ts'
import type { Liveness } from './liveness.ts'
import { isTransient } from './postgres-faults.ts'
import { inTransaction, type Session } from './postgres-sessions.ts'
import { PostgresTransaction } from './postgres-transaction.ts'
import type { Statements } from './statements.ts'
import { clockSql, type StoreClock } from './store-clock.ts'
import type { StoredVersions, WriterRow } from './stored-versions.ts'

/** Milliseconds to wait for the transaction of another service: an import may take a minute. */
const turnTimeout = 120_000

/**
 * Milliseconds after which the session discards cached query plans. A plan made while a table was empty scans the whole
 * table when it is full, and the server only replaces it after the next analysis of the table.
 */
const planLifetime = 1000

/** An arbitrary advisory lock, held while the schema is changed. */
const schemaLock = 0x42_65_6c_66_72_79n
/** One row, which is locked by the service that writes. It contains the versions of all tables; only nodes of 0.2.0 read `oldest`. */
const writerTable = `
  create table if not exists writer (one integer primary key, number bigint not null, versions text not null, oldest text not null default '') with (fillfactor = 20);
  insert into writer (one, number, versions) values (1, 0, '{}') on conflict do nothing;
  create table if not exists migration_beside (number integer primary key, oldest text not null)`
const versionsSql = 'update writer set number = ?, versions = ? where one = 1'
const writerSql = 'select number, versions from writer where one = 1 for update'

interface WriterParts {
  readonly session: Session
  readonly statements: Statements
  readonly versions: StoredVersions
  readonly liveness: Liveness
  readonly storeClock: StoreClock
  /** The time of transactions: that of the store, unless a test sets another. */
  readonly clock: () => number
  readonly seen: Transaction['seen']
  readonly onDoubt: () => void
  readonly whyUnusable: (reader: Reader) => Promise<Fault | undefined>
  readonly onFatal: (fault: Fault) => void
}

export class PostgresWriter {
  readonly #parts: WriterParts
  readonly #turns = new SerialQueue()
  readonly #waiting = new WaitingTransactions()
  /** The version of the migration table with which this program is known to be compatible. */
  #schema: number | undefined
  /** When the session last discarded its plans, on the monotonic clock. */
  #plannedAt = 0

  constructor(parts: WriterParts) {
    this.#parts = parts
  }

  /** How many transactions have been requested since the start. */
  get requested(): number {
    return this.#waiting.requested
  }

  /** Waits for its turn, and gives up if the server becomes silent meanwhile. */
  async transaction<T>(
    work: (tx: Transaction) => Promise<T>,
    actor?: Actor,
    options?: TransactionOptions,
  ): Promise<T> {
    const turn = Promise.withResolvers<void>()
    const done = Promise.withResolvers<unknown>()
    const member: Member = { ...options, work, actor, begun: turn.resolve, ...done }
    this.#waiting.requested += 1
    this.#waiting.add(member)
    void this.#turns.run(() => this.#writeTogether())
    try {
      await this.#parts.liveness.failWhenSilent(turn.promise)
    } catch (error) {
      this.#waiting.remove(member)
      throw error
    }
    return done.promise as Promise<T>
  }

  migrate(script: string, { recordIfDue }: MigrationStep): Promise<void> {
    // Text is compared by code point, as in SQLite, whatever the locale of the database.
    const postgres = script
      .replace(/\btext\b/g, 'text collate "C"')
      .replace(/^-- unlogged\ncreate table/gm, 'create unlogged table')
    return this.#turns.run(async () => {
      const session = await this.#parts.session.client()
      const open = this.newTransaction(session)
      let writer: WriterRow = { number: 0n, versions: '{}' }
      const begin = async () => {
        await this.readClock(session)
        // One service changes the schema while nobody writes; the others find it changed.
        await session.query('begin')
        await session.query(`set local lock_timeout = ${turnTimeout}`)
        await session.query(`select pg_advisory_xact_lock(${schemaLock})`)
        await session.query(writerTable)
        writer = (await session.query(writerSql)).rows[0]
      }
      await inTransaction(session, begin, () =>
        open.work(async (tx) => {
          if (!(await recordIfDue(tx))) return
          await session.query(postgres)
          // Others notice by the version of the migration table that the schema has changed.
          this.#parts.versions.grow(open.written)
          const { versions } = this.#parts.versions.rowAfter(writer) ?? writer
          this.#parts.versions.shrink(false)
          await session.query('update writer set number = number + 1, versions = $1', [versions])
        }),
      )
    })
  }

  /** Another version of the program may have changed the schema while this one runs. */
  async requireKnownSchema(reader: Reader): Promise<void> {
    const schema = this.#parts.versions.of('migration')
    if (schema === this.#schema) return
    const fault = await this.#parts.whyUnusable(reader)
    if (fault) {
      this.#parts.onFatal(fault)
      throw fault
    }
    this.#schema = schema
  }

  /** The next one that waits, and those behind it that can share its commit. Returns when all of them have an answer. */
  async #writeTogether(): Promise<void> {
    const head = this.#waiting.take()
    if (!head) return
    const { versions, statements } = this.#parts
    let group: SharedTransaction | undefined
    let isDone = false
    try {
      const session = await this.#parts.session.client()
      const open = (actor?: Actor) => this.newTransaction(session, actor, (table) => versions.ofWriter(table))
      const first = open(head.actor)
      const shared = new SharedTransaction(head, {
        run: (sql) => session.query(sql),
        open,
        // Statements have done that.
        classify: (error) => error,
        grow: (written) => versions.grow(written),
      })
      group = shared
      let locked: WriterRow | undefined
      let after: WriterRow | undefined
      await inTransaction(
        session,
        async () => {
          locked = await this.#beginExclusively(session, () => {
            first.begin()
            return head.first?.(first.tx)
          })
        },
        async () => {
          await shared.runHead(first)
          isDone = true
          await this.#waiting.join(shared)
          after = locked && versions.rowAfter(locked)
          if (after) await statements.query(session, versionsSql, [after.number, after.versions])
        },
      )
      if (after) versions.set(after)
      shared.committed()
      shared.answer()
    } catch (error) {
      if (group) versions.shrink(group.undo())
      if (!isDone) this.#waiting.replace(head, error)
      if (group) group.reject(error)
      else head.reject(error)
    }
  }

  readClock(session: pg.ClientBase): Promise<void> {
    return this.#parts.storeClock.update(async () => {
      const { rows } = await session.query(`select ${clockSql} as now`)
      return Number(rows[0].now)
    })
  }

  async #discardOldPlans(session: pg.ClientBase): Promise<void> {
    const now = performance.now()
    if (now - this.#plannedAt < planLifetime) return
    this.#plannedAt = now
    await session.query('discard plans')
  }

  /**
   * Begins the only transaction that writes, among all services. All of them take locks in the same order: the fence of
   * the leader (`first`), the writer row, then counters by name and tallies in their order, inside the work. The owner
   * of the writer row sees what all others have written.
   */
  async #beginExclusively(
    session: pg.ClientBase,
    first: () => Promise<void> | undefined,
  ): Promise<WriterRow> {
    const until = performance.now() + turnTimeout
    for (;;) {
      try {
        await this.readClock(session)
        await this.#discardOldPlans(session)
        // Sent together, and executed in this order: each round trip costs a context switch.
        await Promise.all([session.query('begin'), first()])
        const known = this.#parts.versions.number
        const { rows } = await session.query(writerSql)
        if (rows.length === 0) throw new Fault('unavailable', 'the store is empty, or is being restored')
        this.requireNotOlder(rows[0].number, known)
        this.#parts.versions.set(rows[0])
        await this.requireKnownSchema({
          all: async (sql, parameters) => (await this.#parts.statements.query(session, sql, parameters)).rows,
        })
        return rows[0]
      } catch (error) {
        // Nothing has been done yet: try again.
        if (!isTransient(error) || performance.now() > until) throw error
        await session.query('rollback')
      }
    }
  }

  /** `version`: how it sees the versions of tables, if not as everybody does. */
  newTransaction(
    session: pg.ClientBase,
    actor?: Actor,
    version?: Transaction['version'],
  ): PostgresTransaction {
    const { statements, versions, clock, seen } = this.#parts
    return new PostgresTransaction({ session, statements, versions, version, now: clock, actor, seen })
  }

  /** The store counts commits: one with fewer than were seen has been restored to an older state. */
  requireNotOlder(number: bigint, known: bigint): void {
    if (number >= known) return
    this.#parts.versions.invalidate()
    this.#parts.onDoubt()
    const message = 'the store has been put back to an older state. It is being compared: try again'
    throw new Fault('unavailable', message)
  }

  async close(): Promise<void> {
    await this.#parts.session.close()
  }

  async idle(): Promise<void> {
    await this.#turns.idle()
  }
}
