// A transaction as the service uses it, on a session of PostgreSQL. Writes are pipelined.

import { setImmediate as yieldThread } from 'node:timers/promises'
import type pg from 'pg'
import type { Actor, Bulk, SqlValue, Transaction, Versions } from '../database.ts'
import type { ClientInternals } from './liveness.ts'
import { isFollowUpError } from './postgres-faults.ts'
import type { Statements } from './statements.ts'

interface Parts {
  readonly session: pg.ClientBase
  readonly statements: Statements
  readonly versions: Versions
  /** How it sees the versions of tables, if not as everybody does. */
  readonly version?: Transaction['version'] | undefined
  /** The store's clock. */
  now(): number
  readonly actor: Actor | undefined
  readonly seen: Transaction['seen']
}

/**
 * Rows per bulk statement: few enough that the server starts early, enough that the overhead per statement is small.
 */
const batchSize = 250

/** Bytes not yet sent. */
const unsent = (session: pg.ClientBase) =>
  (session as unknown as ClientInternals).connection.stream.writableLength

export class PostgresTransaction {
  readonly #beforeCommit: (() => Promise<void>)[] = []
  readonly #afterCommit: (() => void)[] = []
  readonly #undo: (() => void)[] = []
  readonly #writing: Promise<unknown>[] = []
  /** The first error: after it, PostgreSQL refuses all statements without giving the reason. */
  #failure: unknown
  /** The tables it has written to. */
  readonly written = new Set<string | undefined>()
  /** Roughly how much it has written: statements, and rows of those for many. */
  rows = 0
  #isOver = false
  readonly tx: Transaction

  constructor({ session, statements, versions, version, now, actor, seen }: Parts) {
    const query = (sql: string, parameters?: readonly SqlValue[]) => {
      this.#begin(1)
      this.written.add(versions.writtenBy(sql))
      return this.#recordingFailure(statements.query(session, sql, parameters))
    }
    const queryEach = (statement: Bulk, rows: readonly (readonly SqlValue[])[]) => {
      this.#begin(rows.length)
      this.written.add(versions.writtenBy(statement.sql))
      return this.#recordingFailure(statements.queryEach(session, statement, rows))
    }
    let begun: number | undefined
    this.tx = {
      actor,
      // Read when first needed, after waiting: transactions that committed meanwhile have earlier times.
      get now() {
        begun ??= now()
        return begun
      },
      seen,
      version: version ?? ((table) => versions.of(table)),
      unwritten: {},
      beforeCommit: (task) => {
        this.#beforeCommit.push(task)
      },
      afterCommit: (task, undo) => {
        this.#afterCommit.push(task)
        if (undo) this.#undo.push(undo)
      },
      all: async (sql, parameters) => (await query(sql, parameters)).rows,
      run: async (sql, parameters) => (await query(sql, parameters)).rowCount ?? 0,
      // Not awaited before the end: the server writes while the next rows are prepared.
      runEach: async (statement, rows) => {
        for (let at = 0; at < rows.length; at += batchSize) {
          const writing = queryEach(statement, rows.slice(at, at + batchSize))
          writing.catch(() => undefined)
          this.#writing.push(writing)
          // Data that did not fit into the socket buffer is sent when the event loop runs; the server needs the whole
          // statement.
          if (unsent(session) > 0) await yieldThread()
        }
      },
      allEach: async (statement, keys) => (keys.length > 0 ? (await queryEach(statement, keys)).rows : []),
    }
  }

  /** To be called before taking locks, also when that is repeated after a rollback. */
  begin(): void {
    this.#failure = undefined
  }

  /** Does the work and the deferred tasks. Throws the first failure, even if the work ignored it. */
  async work<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    try {
      const done = await work(this.tx)
      for (const task of this.#beforeCommit) await task()
      await Promise.all(this.#writing)
      if (this.#failure !== undefined) throw this.#failure
      return done
    } catch (error) {
      throw isFollowUpError(error) ? (this.#failure ?? error) : error
    } finally {
      this.#isOver = true
    }
  }

  /** A statement that comes too late, of work that has failed elsewhere, must not end up in another transaction. */
  #begin(rows: number): void {
    if (this.#isOver) throw new Error('a statement came after the end of its transaction')
    this.rows += rows
  }

  async #recordingFailure<T>(query: Promise<T>): Promise<T> {
    try {
      return await query
    } catch (error) {
      this.#failure ??= error
      throw error
    }
  }

  /** To be called after the commit, or before another transaction shares it. */
  committed(): void {
    for (const task of this.#afterCommit) task()
  }

  /** To be called where the commit has failed nevertheless. */
  undone(): void {
    for (const undo of this.#undo.reverse()) undo()
  }
}
