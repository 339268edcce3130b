// A transaction as the service uses it, on a session of PostgreSQL.

import { setImmediate as letOthersRun } from 'node:timers/promises'
import type pg from 'pg'
import type { Actor, Bulk, SqlValue, Transaction, Versions } from '../database.ts'
import type { Wire } from './liveness.ts'
import { isAftermath } from './postgres-faults.ts'
import type { Statements } from './statements.ts'

interface Parts {
  readonly session: pg.ClientBase
  readonly statements: Statements
  readonly versions: Versions
  /** The store's clock. */
  now(): number
  readonly actor: Actor | undefined
  readonly seen: Transaction['seen']
}

/**
 * Rows per statement for many: few enough that the server soon has something to do, and not so few that it is busy with
 * statements.
 */
const rowsAtOnce = 250

/** Bytes that wait to be sent. */
const unsent = (session: pg.ClientBase) => (session as unknown as Wire).connection.stream.writableLength

export class PostgresTransaction {
  readonly #atEnd: (() => Promise<void>)[] = []
  readonly #afterCommit: (() => void)[] = []
  readonly #writing: Promise<unknown>[] = []
  /** What PostgreSQL said first: it refuses all statements after one that failed, without giving the reason. */
  #failure: unknown
  /** The tables it has written to. */
  readonly written = new Set<string | undefined>()
  readonly tx: Transaction

  constructor({ session, statements, versions, now, actor, seen }: Parts) {
    const query = (sql: string, parameters?: readonly SqlValue[]) => {
      this.written.add(versions.writtenBy(sql))
      return this.#noted(statements.query(session, sql, parameters))
    }
    const queryEach = (statement: Bulk, rows: readonly (readonly SqlValue[])[]) => {
      this.written.add(versions.writtenBy(statement.sql))
      return this.#noted(statements.queryEach(session, statement, rows))
    }
    let begun: number | undefined
    this.tx = {
      actor,
      // Not before it is the turn of this one: those that wrote meanwhile have earlier times.
      get now() {
        begun ??= now()
        return begun
      },
      seen,
      unwritten: {},
      beforeCommit: (task) => {
        this.#atEnd.push(task)
      },
      afterCommit: (task) => {
        this.#afterCommit.push(task)
      },
      all: async (sql, parameters) => (await query(sql, parameters)).rows,
      run: async (sql, parameters) => (await query(sql, parameters)).rowCount ?? 0,
      // Nobody waits for the outcome before the end: the server writes some while the next are being made.
      runEach: async (statement, rows) => {
        for (let at = 0; at < rows.length; at += rowsAtOnce) {
          const writing = queryEach(statement, rows.slice(at, at + rowsAtOnce))
          writing.catch(() => undefined)
          this.#writing.push(writing)
          // What the kernel had no room for leaves when others have their turn; the server waits for all of a statement.
          if (unsent(session) > 0) await letOthersRun()
        }
      },
      allEach: async (statement, keys) => (keys.length > 0 ? (await queryEach(statement, keys)).rows : []),
    }
  }

  /** To be called before locks are taken, once more when that failed and was rolled back. */
  begin(): void {
    this.#failure = undefined
  }

  /** Does the work, and the tasks for its end. Throws what failed first, also where the work took no notice of it. */
  async work<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    try {
      const done = await work(this.tx)
      for (const task of this.#atEnd) await task()
      await Promise.all(this.#writing)
      if (this.#failure !== undefined) throw this.#failure
      return done
    } catch (error) {
      throw isAftermath(error) ? (this.#failure ?? error) : error
    }
  }

  async #noted<T>(asked: Promise<T>): Promise<T> {
    try {
      return await asked
    } catch (error) {
      this.#failure ??= error
      throw error
    }
  }

  /** To be called after the commit. */
  committed(): void {
    for (const task of this.#afterCommit) task()
  }
}
