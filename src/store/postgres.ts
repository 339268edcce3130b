// The store in PostgreSQL: one connection writes, a few read.

import pg from 'pg'
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

interface PostgresOptions {
  readonly clock?: () => number
  /** Called when a connection that nobody is using breaks; the next use opens another. */
  readonly onLost?: (error: Error) => void
}

/** Opens a store by its address, `postgres://user@host/database`; nothing is connected before it is needed. */
export function openPostgres(address: string, options: PostgresOptions = {}): Database {
  return new Postgres(address, options)
}

const readers = 4
/** Statements are prepared once per connection; texts beyond these are rare ones, and would only fill its memory. */
const preparedTexts = 500

class Postgres implements Database {
  readonly kind = 'postgres'
  readonly #clock: () => number
  readonly #versions = new Versions()
  readonly #writer: pg.Pool
  readonly #readers: pg.Pool
  /** One transaction writes at a time; the rules of resources rely on it. */
  readonly #turns = new Queue()
  readonly #statements = new Statements()
  #closed: Promise<void> | undefined

  constructor(address: string, { clock = Date.now, onLost = () => undefined }: PostgresOptions) {
    this.#clock = clock
    this.#writer = connections(address, 1, onLost)
    this.#readers = connections(address, readers, onLost)
  }

  async all(sql: string, parameters?: readonly SqlValue[]): Promise<Row[]> {
    return (await this.#statements.query(this.#readers, sql, parameters)).rows
  }

  longRead(sql: string, parameters?: readonly SqlValue[]): Promise<Row[]> {
    return this.all(sql, parameters)
  }

  async aside<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    const session = await connect(this.#readers)
    return inTransaction(session, 'begin isolation level repeatable read read only', () =>
      work({
        all: async (sql, parameters) => (await this.#statements.query(session, sql, parameters)).rows,
      }),
    )
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
    return this.#turns.run(() => this.#write(work, actor))
  }

  migrate(script: string, mark: (tx: Transaction) => Promise<void>): Promise<void> {
    // Text is compared by code point, as SQLite does, whatever the database's own language.
    const postgres = script.replace(/\btext\b/g, 'text collate "C"')
    return this.#turns.run(() =>
      this.#write(async (tx, session) => {
        await session.query(postgres)
        await mark(tx)
      }),
    )
  }

  async #write<T>(work: (tx: Transaction, session: pg.PoolClient) => Promise<T>, actor?: Actor): Promise<T> {
    const session = await connect(this.#writer)
    const written = new Set<string | undefined>()
    const kept: (() => void)[] = []
    const result = await inTransaction(session, 'begin', async () => {
      const atEnd: (() => Promise<void>)[] = []
      const query = (sql: string, parameters?: readonly SqlValue[]) => {
        written.add(this.#versions.writtenBy(sql))
        return this.#statements.query(session, sql, parameters)
      }
      const queryEach = (statement: Bulk, rows: readonly (readonly SqlValue[])[]) => {
        written.add(this.#versions.writtenBy(statement.sql))
        return this.#statements.queryEach(session, statement, rows)
      }
      const tx: Transaction = {
        actor,
        now: this.#clock(),
        beforeCommit: (task) => {
          atEnd.push(task)
        },
        afterCommit: (task) => {
          kept.push(task)
        },
        all: async (sql, parameters) => (await query(sql, parameters)).rows,
        run: async (sql, parameters) => (await query(sql, parameters)).rowCount ?? 0,
        runEach: async (statement, rows) => {
          if (rows.length > 0) await queryEach(statement, rows)
        },
        allEach: async (statement, keys) => (keys.length > 0 ? (await queryEach(statement, keys)).rows : []),
      }
      const done = await work(tx, session)
      for (const task of atEnd) await task()
      requireTold(actor, written)
      return done
    })
    this.#versions.committed(written)
    for (const task of kept) task()
    return result
  }

  close(): Promise<void> {
    this.#closed ??= this.#end()
    return this.#closed
  }

  async #end(): Promise<void> {
    await this.#turns.idle()
    await this.#writer.end()
    await this.#readers.end()
  }
}

const asBigint = (text: string) => BigInt(text)
const integerTypes = new Set([pg.types.builtins.INT2, pg.types.builtins.INT4, pg.types.builtins.INT8])

function connections(address: string, max: number, onLost: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({
    connectionString: address,
    max,
    keepAlive: true,
    types: {
      getTypeParser: (type, format) =>
        integerTypes.has(type) ? asBigint : pg.types.getTypeParser(type, format as 'text'),
    },
  })
  pool.on('error', onLost)
  return pool
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw translate(error)
  }
}

/** A session that failed to end its transaction is not used again. */
async function inTransaction<T>(session: pg.PoolClient, begin: string, work: () => Promise<T>): Promise<T> {
  let broken: Error | undefined
  try {
    await session.query(begin)
    const result = await work()
    await session.query('commit')
    return result
  } catch (error) {
    await session.query('rollback').catch((failed: Error) => {
      broken = failed
    })
    throw translate(error)
  } finally {
    session.release(broken)
  }
}

/** Statements as PostgreSQL wants them: parameters numbered, and a name by which a connection knows it again. */
class Statements {
  readonly #known = new Map<string, { readonly text: string; readonly name?: string }>()

  query(
    session: pg.Pool | pg.PoolClient,
    sql: string,
    parameters: readonly SqlValue[] = [],
  ): Promise<pg.QueryResult<Row>> {
    return this.#ask(session, sql, numbered, parameters)
  }

  /** All rows in one statement: a column of them is a parameter. */
  queryEach(
    session: pg.PoolClient,
    { sql, types }: Bulk,
    rows: readonly (readonly SqlValue[])[],
  ): Promise<pg.QueryResult<Row>> {
    const columns = types.map((_, index) => rows.map((row) => row[index] ?? null))
    return this.#ask(session, sql, () => forAll(sql, types), columns)
  }

  async #ask(
    session: pg.Pool | pg.PoolClient,
    sql: string,
    make: (sql: string) => string,
    values: readonly unknown[],
  ): Promise<pg.QueryResult<Row>> {
    try {
      return await session.query<Row>({ ...this.#statement(sql, make), values: [...values] })
    } catch (error) {
      throw translate(error)
    }
  }

  #statement(sql: string, make: (sql: string) => string) {
    // The same statement may be run for one row and for many.
    const key = make === numbered ? sql : `each ${sql}`
    const known = this.#known.get(key)
    if (known) return known
    const text = make(sql)
    if (this.#known.size >= preparedTexts) return { text }
    const made = { text, name: `s${this.#known.size}` }
    this.#known.set(key, made)
    return made
  }
}

function numbered(sql: string): string {
  let number = 0
  return sql.replace(/\?/g, () => `$${++number}`)
}

/** What is written for one row, for all rows that are given as arrays. */
function forAll(sql: string, types: Bulk['types']): string {
  let number = 0
  const named = sql.replace(/\?/g, () => `given.p${++number}`)
  const arrays = types.map((type, index) => `$${index + 1}::${type}[]`).join(', ')
  const names = types.map((_, index) => `p${index + 1}`).join(', ')
  const given = `unnest(${arrays}) as given(${names})`
  // Functions, for in a text of replacement the numbers of parameters would mean something else.
  if (/^insert /i.test(sql)) {
    return named.replace(/ values \(([^)]*)\)/i, (_, row) => ` select ${row} from ${given}`)
  }
  if (/^update /i.test(sql)) return named.replace(/ where (?!.* where )/i, () => ` from ${given} where `)
  if (/^delete /i.test(sql)) return named.replace(/ where (?!.* where )/i, () => ` using ${given} where `)
  return `select found.* from ${given} cross join lateral (${named}) as found`
}

const uniqueViolation = '23505'
/** Classes of SQLSTATE: connection, resources, intervention by an operator, system error. */
const outOfReach = /^(08|53|57|58)/
const networkCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT'])

function translate(error: unknown): unknown {
  if (error instanceof Fault) return error
  const { code = '', message } = error as { code?: string; message: string }
  if (code === uniqueViolation) return new Fault('conflict', 'it exists already', { cause: error })
  const isLost =
    outOfReach.test(code) || networkCodes.has(code) || message.startsWith('Connection terminated')
  return isLost ? new Fault('unavailable', `PostgreSQL does not answer: ${message}`, { cause: error }) : error
}
