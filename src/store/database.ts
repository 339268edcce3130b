// What the rest of the house knows of a database. SQL is written once, with `?`, in the part both engines share.

import type { Row, SqlValue } from '../schema/row.ts'

export type { Row, SqlValue }

export interface Reader {
  /** Every integer comes as a bigint. */
  all(sql: string, parameters?: readonly SqlValue[]): Promise<Row[]>
}

export interface Transaction extends Reader {
  /** Milliseconds since 1970, the same throughout the transaction: the only clock inside it. */
  readonly now: number
  /** Runs a task when the work is done, still inside the transaction. */
  beforeCommit(task: () => Promise<void>): void
  /** Answers the number of rows changed. */
  run(sql: string, parameters?: readonly SqlValue[]): Promise<number>
}

export interface Database extends Reader {
  readonly engine: 'sqlite' | 'postgres'
  /** Runs `work` alone: what it wrote is kept, durably, when it returns, and undone when it throws. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Grows with every commit that wrote to the table: what was read at one version holds until the next. */
  version(table: string): number
  /** For reads that may take long (counts, deep pages, patterns): they hold up nothing else. */
  longRead(sql: string, parameters?: readonly SqlValue[]): Promise<Row[]>
  /**
   * Work that reads very much and thinks about it: a module's function `work(reader, input)`. It holds up nothing else
   * but long reads, so it should be done in short pieces. Input and answer are copied.
   */
  longWork<T>(module: URL, input: unknown): Promise<T>
  /** Runs a script of statements that return nothing, inside one transaction with the marks that go with it. */
  migrate(script: string, mark: (tx: Transaction) => Promise<void>): Promise<void>
  close(): Promise<void>
}

/** Runs tasks one after the other, in the order they came; a failed task does not stop the next. */
export class Queue {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#last.then(task)
    this.#last = result.catch(() => undefined)
    return result
  }

  idle(): Promise<unknown> {
    return this.#last
  }
}

/** Counts the commits that wrote to each table. */
export class Versions {
  readonly #versions = new Map<string, number>()
  readonly #written = new Map<string, string | undefined>()

  of(table: string): number {
    return this.#versions.get(table) ?? 0
  }

  /** The table a statement writes to, read off the statement so that no writer can forget to say it. */
  writtenBy(sql: string): string | undefined {
    if (!this.#written.has(sql)) {
      if (this.#written.size > 1000) this.#written.clear()
      this.#written.set(sql, /^\s*(?:insert into|update|delete from)\s+(\w+)/i.exec(sql)?.[1])
    }
    return this.#written.get(sql)
  }

  committed(tables: Iterable<string | undefined>): void {
    for (const table of tables) if (table) this.#versions.set(table, this.of(table) + 1)
  }
}
