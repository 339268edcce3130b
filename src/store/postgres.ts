// The store in PostgreSQL: one connection writes, a few read.

import pg from 'pg'
import { Fault } from '../fault.ts'
import { Condition, probeSql } from './condition.ts'
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

interface PostgresOptions {
  readonly clock?: () => number
  /** Called when a connection that nobody is using breaks; the next use opens another. */
  readonly onLost?: (error: Error) => void
  /** Called when nothing can be written any more, and without a fault when that is over. */
  readonly onTrouble?: (trouble: Fault | undefined) => void
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
  readonly #condition: Condition
  #closed: Promise<void> | undefined

  constructor(address: string, { clock = Date.now, onLost = () => undefined, onTrouble }: PostgresOptions) {
    this.#clock = clock
    this.#condition = new Condition(() => this.transaction((tx) => tx.run(probeSql)), onTrouble)
    this.#writer = connections(address, 1, onLost)
    this.#readers = connections(address, readers, onLost)
  }

  get trouble(): Fault | undefined {
    return this.#condition.trouble
  }

  requireSound(): Promise<void> {
    return this.#condition.requireSound()
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
    return this.#turns.run(async () => {
      try {
        const result = await this.#write(work, actor)
        this.#condition.wrote()
        return result
      } catch (error) {
        if (error instanceof Fault && error.code === 'unavailable') this.#condition.failed('writing', error)
        throw error
      }
    })
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
    const result = await inTransaction(session, 'begin', async () => {
      const atEnd: (() => Promise<void>)[] = []
      const query = (sql: string, parameters?: readonly SqlValue[]) => {
        written.add(this.#versions.writtenBy(sql))
        return this.#statements.query(session, sql, parameters)
      }
      const tx: Transaction = {
        actor,
        now: this.#clock(),
        beforeCommit: (task) => {
          atEnd.push(task)
        },
        all: async (sql, parameters) => (await query(sql, parameters)).rows,
        run: async (sql, parameters) => (await query(sql, parameters)).rowCount ?? 0,
      }
      const done = await work(tx, session)
      for (const task of atEnd) await task()
      requireTold(actor, written)
      return done
    })
    this.#versions.committed(written)
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

  async query(
    session: pg.Pool | pg.PoolClient,
    sql: string,
    parameters: readonly SqlValue[] = [],
  ): Promise<pg.QueryResult<Row>> {
    try {
      return await session.query<Row>({ ...this.#statement(sql), values: [...parameters] })
    } catch (error) {
      throw translate(error)
    }
  }

  #statement(sql: string) {
    const known = this.#known.get(sql)
    if (known) return known
    let number = 0
    const text = sql.replace(/\?/g, () => `$${++number}`)
    if (this.#known.size >= preparedTexts) return { text }
    const made = { text, name: `s${this.#known.size}` }
    this.#known.set(sql, made)
    return made
  }
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
