// A transaction as the service uses it, on a session of PostgreSQL.

import type pg from 'pg'
import type { Actor, Bulk, SqlValue, Transaction, Versions } from '../database.ts'
import type { Statements } from './statements.ts'

interface Parts {
  readonly session: pg.ClientBase
  readonly statements: Statements
  readonly versions: Versions
  readonly now: number
  readonly actor: Actor | undefined
}

export class PostgresTransaction {
  readonly #atEnd: (() => Promise<void>)[] = []
  readonly #onceKept: (() => void)[] = []
  readonly #writing: Promise<unknown>[] = []
  /** The tables it has written to. */
  readonly written = new Set<string | undefined>()
  readonly tx: Transaction

  constructor({ session, statements, versions, now, actor }: Parts) {
    const query = (sql: string, parameters?: readonly SqlValue[]) => {
      this.written.add(versions.writtenBy(sql))
      return statements.query(session, sql, parameters)
    }
    const queryEach = (statement: Bulk, rows: readonly (readonly SqlValue[])[]) => {
      this.written.add(versions.writtenBy(statement.sql))
      return statements.queryEach(session, statement, rows)
    }
    this.tx = {
      actor,
      now,
      beforeCommit: (task) => {
        this.#atEnd.push(task)
      },
      afterCommit: (task) => {
        this.#onceKept.push(task)
      },
      all: async (sql, parameters) => (await query(sql, parameters)).rows,
      run: async (sql, parameters) => (await query(sql, parameters)).rowCount ?? 0,
      // Nobody waits for the outcome before the end: the server writes while the next statement is being made.
      runEach: async (statement, rows) => {
        if (rows.length === 0) return
        const writing = queryEach(statement, rows)
        writing.catch(() => undefined)
        this.#writing.push(writing)
      },
      allEach: async (statement, keys) => (keys.length > 0 ? (await queryEach(statement, keys)).rows : []),
    }
  }

  /** Does the work, and the tasks for its end. */
  async work<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const done = await work(this.tx)
    for (const task of this.#atEnd) await task()
    await Promise.all(this.#writing)
    return done
  }

  /** To be called after the commit. */
  kept(): void {
    for (const task of this.#onceKept) task()
  }
}
