// A transaction as the service uses it, on the writing connection of SQLite. Every statement may yield the thread.

import type { TimeSlice } from '../../pacing/time-slice.ts'
import type { Actor, Row, Transaction, Values, Versions } from '../database.ts'
import { type Connection, type Insert, withLiterals } from './sqlite-connection.ts'

/** Rows of a bulk statement that are processed between two looks at the clock. */
const batchSize = 50

export class SqliteTransaction {
  readonly #connection: Connection
  readonly #slice: TimeSlice
  readonly #beforeCommit: (() => Promise<void>)[] = []
  readonly #afterCommit: (() => void)[] = []
  readonly #undo: (() => void)[] = []
  /** The tables it has written to. */
  readonly written = new Set<string | undefined>()
  /** Statements, and rows of those for many. */
  rows = 0
  readonly tx: Transaction
  #isOver = false

  constructor(
    connection: Connection,
    versions: Versions,
    slice: TimeSlice,
    now: number,
    actor: Actor | undefined,
  ) {
    this.#connection = connection
    this.#slice = slice
    this.tx = {
      actor,
      now,
      version: (table) => versions.of(table),
      unwritten: {},
      beforeCommit: (task) => {
        this.#beforeCommit.push(task)
      },
      afterCommit: (task, undo) => {
        this.#afterCommit.push(task)
        if (undo) this.#undo.push(undo)
      },
      all: (sql, parameters) => {
        this.written.add(versions.writtenBy(sql))
        return this.#inSlice(() => connection.all(sql, parameters))
      },
      run: (sql, parameters) => {
        this.written.add(versions.writtenBy(sql))
        return this.#inSlice(() => connection.run(sql, parameters))
      },
      runEach: async ({ sql }, rows) => {
        // A block of traps runs very many statements for which it has no rows.
        if (rows.length === 0) return
        this.written.add(versions.writtenBy(sql))
        await this.#runEach(withLiterals({ sql, rows }))
      },
      allEach: ({ sql }, keys) => this.#allEach(sql, keys),
    }
  }

  /** Does the work, then the tasks that were deferred to the end of the transaction. */
  async work<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    try {
      const result = await work(this.tx)
      for (const task of this.#beforeCommit) await task()
      return result
    } finally {
      this.#isOver = true
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

  /** At once, unless the time slice is used up: then others run first. */
  #inSlice<T>(work: () => T): Promise<T> {
    this.rows += 1
    const others = this.#slice.step()
    if (others) return others.then(() => this.#requireOpen()).then(work)
    try {
      this.#requireOpen()
      return Promise.resolve(work())
    } catch (error) {
      return Promise.reject(error)
    }
  }

  /** A statement that comes too late, of work that has failed elsewhere, must not end up in another transaction. */
  #requireOpen(): void {
    if (this.#isOver) throw new Error('a statement came after the end of its transaction')
  }

  async #runEach({ sql, rows }: Insert): Promise<void> {
    this.rows += rows.length
    for (let at = 0; at < rows.length; at += batchSize) {
      await this.#slice.step()
      this.#requireOpen()
      this.#connection.runEach({ sql, rows: rows.slice(at, at + batchSize) })
    }
  }

  async #allEach(sql: string, keys: Values): Promise<Row[]> {
    const found: Row[] = []
    for (let at = 0; at < keys.length; at += batchSize) {
      await this.#slice.step()
      this.#requireOpen()
      found.push(...this.#connection.allEach(sql, keys.slice(at, at + batchSize)))
    }
    return found
  }
}
