// PostgreSQL through any client that answers queries on one session, in-process or over the network.

import { Fault } from '../fault.ts'
import {
  type Actor,
  type Database,
  Queue,
  type Reader,
  type Row,
  requireTold,
  type SqlValue,
  type Transaction,
  Versions,
} from './database.ts'

/** One session. 64-bit integers must come as bigint. */
export interface PostgresSession {
  query(sql: string, parameters: SqlValue[]): Promise<{ rows: unknown[]; affectedRows?: number }>
  exec(script: string): Promise<unknown>
  close(): Promise<void>
}

interface PostgresOptions {
  readonly clock?: () => number
}

export function openPostgres(session: PostgresSession, options: PostgresOptions = {}): Database {
  return new Postgres(session, options)
}

class Postgres implements Database {
  readonly kind = 'postgres'
  readonly #session: PostgresSession
  readonly #clock: () => number
  readonly #versions = new Versions()
  // One session is one transaction at a time, and a read must not see what is not committed.
  readonly #turns = new Queue()

  constructor(session: PostgresSession, { clock = Date.now }: PostgresOptions) {
    this.#session = session
    this.#clock = clock
  }

  all(sql: string, parameters?: readonly SqlValue[]): Promise<Row[]> {
    return this.#turns.run(() => readRows(this.#session, sql, parameters))
  }

  longRead(sql: string, parameters?: readonly SqlValue[]): Promise<Row[]> {
    return this.all(sql, parameters)
  }

  aside<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.transaction(work)
  }

  async copyTo(): Promise<void> {
    throw new Fault('unavailable', 'a store in PostgreSQL is backed up with pg_dump')
  }

  async longWork<T>(module: URL, input: unknown): Promise<T> {
    const { work } = await import(module.href)
    return work(this, input)
  }

  version(table: string): number {
    return this.#versions.of(table)
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>, actor?: Actor): Promise<T> {
    return this.#turns.run(() => this.#alone(work, actor))
  }

  migrate(script: string, mark: (tx: Transaction) => Promise<void>): Promise<void> {
    // Text is compared by code point, as SQLite does, whatever the database's own language.
    const postgres = script.replace(/\btext\b/g, 'text collate "C"')
    return this.transaction(async (tx) => {
      await this.#session.exec(postgres)
      await mark(tx)
    })
  }

  async #alone<T>(work: (tx: Transaction) => Promise<T>, actor: Actor | undefined): Promise<T> {
    const session = this.#session
    const written = new Set<string | undefined>()
    const atEnd: (() => Promise<void>)[] = []
    await session.exec('begin')
    try {
      const result = await work({
        actor,
        now: this.#clock(),
        beforeCommit: (task) => {
          atEnd.push(task)
        },
        all: (sql, parameters) => {
          written.add(this.#versions.writtenBy(sql))
          return readRows(session, sql, parameters)
        },
        run: async (sql, parameters = []) => {
          written.add(this.#versions.writtenBy(sql))
          return (await query(session, sql, parameters)).affectedRows ?? 0
        },
      })
      for (const task of atEnd) await task()
      requireTold(actor, written)
      await session.exec('commit')
      this.#versions.committed(written)
      return result
    } catch (error) {
      await session.exec('rollback')
      throw error
    }
  }

  async close(): Promise<void> {
    await this.#turns.idle()
    await this.#session.close()
  }
}

async function readRows(
  session: PostgresSession,
  sql: string,
  parameters: readonly SqlValue[] = [],
): Promise<Row[]> {
  const { rows } = await query(session, sql, parameters)
  return rows.map(integersAsBigint)
}

async function query(session: PostgresSession, sql: string, parameters: readonly SqlValue[]) {
  let number = 0
  const numbered = sql.replace(/\?/g, () => `$${++number}`)
  try {
    return await session.query(numbered, [...parameters])
  } catch (error) {
    throw translate(error)
  }
}

function integersAsBigint(row: unknown): Row {
  const entries = Object.entries(row as Record<string, SqlValue>)
  return Object.fromEntries(
    entries.map(([column, value]) => [column, typeof value === 'number' ? BigInt(value) : value]),
  )
}

function translate(error: unknown): unknown {
  const { code } = error as { code?: string }
  return code === '23505' ? new Fault('conflict', 'it exists already', { cause: error }) : error
}
