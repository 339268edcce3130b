// A transaction as the house knows it, on a session of PostgreSQL.

import type pg from 'pg'
import type { Actor, Bulk, Row, SqlValue, Transaction, Versions } from './database.ts'
import type { Statements } from './postgres-statements.ts'

interface Parts {
  readonly session: pg.ClientBase
  readonly statements: Statements
  readonly versions: Versions
  readonly now: number
  readonly actor: Actor | undefined
}

export class PostgresTransaction implements Transaction {
  readonly #parts: Parts
  readonly #atEnd: (() => Promise<void>)[] = []
  readonly #onceKept: (() => void)[] = []
  /** The tables it has written to. */
  readonly written = new Set<string | undefined>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  get actor(): Actor | undefined {
    return this.#parts.actor
  }

  get now(): number {
    return this.#parts.now
  }

  beforeCommit(task: () => Promise<void>): void {
    this.#atEnd.push(task)
  }

  afterCommit(task: () => void): void {
    this.#onceKept.push(task)
  }

  async all(sql: string, parameters?: readonly SqlValue[]): Promise<Row[]> {
    return (await this.#query(sql, parameters)).rows
  }

  async run(sql: string, parameters?: readonly SqlValue[]): Promise<number> {
    return (await this.#query(sql, parameters)).rowCount ?? 0
  }

  async runEach(statement: Bulk, rows: readonly (readonly SqlValue[])[]): Promise<void> {
    if (rows.length > 0) await this.#queryEach(statement, rows)
  }

  async allEach(query: Bulk, keys: readonly (readonly SqlValue[])[]): Promise<Row[]> {
    return keys.length > 0 ? (await this.#queryEach(query, keys)).rows : []
  }

  #query(sql: string, parameters?: readonly SqlValue[]) {
    const { session, statements, versions } = this.#parts
    this.written.add(versions.writtenBy(sql))
    return statements.query(session, sql, parameters)
  }

  #queryEach(statement: Bulk, rows: readonly (readonly SqlValue[])[]) {
    const { session, statements, versions } = this.#parts
    this.written.add(versions.writtenBy(statement.sql))
    return statements.queryEach(session, statement, rows)
  }

  /** Does the work, and what was left for its end. */
  async work<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const done = await work(this)
    for (const task of this.#atEnd) await task()
    return done
  }

  /** To be called after the commit. */
  kept(): void {
    for (const task of this.#onceKept) task()
  }
}
