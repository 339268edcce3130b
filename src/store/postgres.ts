// PostgreSQL through any client that answers queries on one session, in-process or over the network.

import { Fault } from '../fault.ts'
import {
  type Actor,
  type Bulk,
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
  query(sql: string, parameters: (SqlValue | SqlValue[])[]): Promise<{ rows: unknown[]; affectedRows?: number }>
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
    const kept: (() => void)[] = []
    await session.exec('begin')
    try {
      const result = await work({
        actor,
        now: this.#clock(),
        beforeCommit: (task) => {
          atEnd.push(task)
        },
        afterCommit: (task) => {
          kept.push(task)
        },
        all: (sql, parameters) => {
          written.add(this.#versions.writtenBy(sql))
          return readRows(session, sql, parameters)
        },
        run: async (sql, parameters = []) => {
          written.add(this.#versions.writtenBy(sql))
          return (await query(session, sql, parameters)).affectedRows ?? 0
        },
        runEach: async (statement, rows) => {
          if (rows.length === 0) return
          written.add(this.#versions.writtenBy(statement.sql))
          await queryEach(session, statement, rows)
        },
        allEach: async (statement, keys) =>
          keys.length === 0 ? [] : (await queryEach(session, statement, keys)).rows.map(integersAsBigint),
      })
      for (const task of atEnd) await task()
      requireTold(actor, written)
      await session.exec('commit')
      this.#versions.committed(written)
      for (const task of kept) task()
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

function query(session: PostgresSession, sql: string, parameters: readonly SqlValue[]) {
  let number = 0
  return ask(
    session,
    sql.replace(/\?/g, () => `$${++number}`),
    [...parameters],
  )
}

/** All rows in one statement: a column of them is a parameter. */
function queryEach(session: PostgresSession, statement: Bulk, rows: readonly (readonly SqlValue[])[]) {
  const columns = statement.types.map((_, index) => rows.map((row) => row[index] ?? null))
  return ask(session, statementForAll(statement), columns)
}

async function ask(session: PostgresSession, sql: string, parameters: (SqlValue | SqlValue[])[]) {
  try {
    return await session.query(sql, parameters)
  } catch (error) {
    throw translate(error)
  }
}

/** What is written for one row, for all rows that are given as arrays. */
function statementForAll({ sql, types }: Bulk): string {
  let number = 0
  const named = sql.replace(/\?/g, () => `given.p${++number}`)
  const arrays = types.map((type, index) => `$${index + 1}::${type}[]`).join(', ')
  const names = types.map((_, index) => `p${index + 1}`).join(', ')
  const given = `unnest(${arrays}) as given(${names})`
  if (/^insert /i.test(sql)) return named.replace(/ values \(([^)]*)\)/i, ` select $1 from ${given}`)
  if (/^update /i.test(sql)) return named.replace(/ where (?!.* where )/i, ` from ${given} where `)
  if (/^delete /i.test(sql)) return named.replace(/ where (?!.* where )/i, ` using ${given} where `)
  return `select found.* from ${given} cross join lateral (${named}) as found`
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
