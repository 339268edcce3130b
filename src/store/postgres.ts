// The store in PostgreSQL: one connection writes, a few read.

import { readFileSync } from 'node:fs'
import pg from 'pg'
import { Fault } from '../fault.ts'
import { Condition, probeSql } from './condition.ts'
import {
  type Actor,
  type Bulk,
  type Database,
  Queue,
  type Reader,
  type Row,
  requireAudited,
  type SqlValue,
  type Transaction,
  Versions,
} from './database.ts'

export interface PostgresOptions {
  readonly clock?: () => number
  /** Empty: the password is what PGPASSWORD or PGPASSFILE say. */
  readonly passwordFile?: string
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
  readonly #writer: Writer
  readonly #readers: pg.Pool
  /** One transaction writes at a time; the rules of resources rely on it. */
  readonly #turns = new Queue()
  readonly #statements = new Statements()
  readonly #condition: Condition
  #closed: Promise<void> | undefined

  constructor(
    address: string,
    { clock = Date.now, passwordFile = '', onLost = () => undefined, onTrouble }: PostgresOptions,
  ) {
    this.#clock = clock
    this.#condition = new Condition(() => this.transaction((tx) => tx.run(probeSql)), onTrouble)
    const settings = connectionSettings(address, passwordFile)
    this.#writer = new Writer(settings, onLost)
    this.#readers = new pg.Pool({ ...settings, max: readers }).on('error', onLost)
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
    let broken = true
    try {
      const result = await inTransaction(session, 'begin isolation level repeatable read read only', () =>
        work({
          all: async (sql, parameters) => (await this.#statements.query(session, sql, parameters)).rows,
        }),
      )
      broken = false
      return result
    } finally {
      session.release(broken)
    }
  }

  async copyTo(): Promise<void> {
    throw new Fault(
      'unavailable',
      'the store is in PostgreSQL: back it up with pg_dump or pgBackRest, see docs/postgresql.md',
    )
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

  bulk<T>(work: (tx: Transaction) => Promise<T>, actor?: Actor): Promise<T> {
    return this.transaction(work, actor)
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

  async #write<T>(work: (tx: Transaction, session: pg.ClientBase) => Promise<T>, actor?: Actor): Promise<T> {
    const session = await this.#writer.session()
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
      requireAudited(actor, written)
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
    await this.#writer.close()
    await this.#readers.end()
  }
}

const asBigint = (text: string) => BigInt(text)
const integerTypes = new Set([pg.types.builtins.INT2, pg.types.builtins.INT4, pg.types.builtins.INT8])

function connectionSettings(address: string, passwordFile: string): pg.ClientConfig {
  return {
    connectionString: withTls(address),
    ...(passwordFile !== '' && { password: readPassword(passwordFile) }),
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    application_name: 'belfry',
    types: {
      getTypeParser: (type, format) =>
        integerTypes.has(type) ? asBigint : pg.types.getTypeParser(type, format as 'text'),
    },
  }
}

function readPassword(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    const message = `store-password-file: ${file} cannot be read: ${(cause as Error).message}`
    throw new Fault('invalid', message, { field: 'store-password-file', cause })
  }
}

const thisMachine = new Set(['', 'localhost', '127.0.0.1', '[::1]'])

/** Between machines the server must show a certificate that is checked, unless the address says otherwise. */
function withTls(address: string): string {
  const url = new URL(address)
  const isLocal = thisMachine.has(url.hostname) && !url.searchParams.has('host')
  if (!isLocal && !url.searchParams.has('sslmode')) url.searchParams.set('sslmode', 'verify-full')
  return url.href
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw translate(error)
  }
}

/** Any number that others are unlikely to lock in the same database. */
const storeLock = 0x42_65_6c_66_72_79n

/**
 * The connection that writes. It holds a lock for as long as it lives: what it commits nobody else has written between,
 * and a second service on the same store is refused.
 */
class Writer {
  readonly #settings: pg.ClientConfig
  readonly #onLost: (error: Error) => void
  #session: pg.Client | undefined

  constructor(settings: pg.ClientConfig, onLost: (error: Error) => void) {
    this.#settings = settings
    this.#onLost = onLost
  }

  async session(): Promise<pg.Client> {
    this.#session ??= await this.#open()
    return this.#session
  }

  async #open(): Promise<pg.Client> {
    const session = new pg.Client(this.#settings)
    session.on('error', (error) => {
      this.#session = undefined
      this.#onLost(error)
    })
    try {
      await session.connect()
      await prepareSession(session)
      return session
    } catch (error) {
      await session.end().catch(() => undefined)
      throw translate(error)
    }
  }

  async close(): Promise<void> {
    await this.#session?.end()
  }
}

async function prepareSession(session: pg.Client): Promise<void> {
  const ask = async (sql: string) => Object.values((await session.query(sql)).rows[0])[0]
  if (await ask('select pg_is_in_recovery()'))
    throw new Fault('unavailable', 'this PostgreSQL is a standby: name the primary')
  // What a caller was promised survives a crash of the server: asked for, and read back.
  await session.query('set synchronous_commit = on')
  const commit = await ask('show synchronous_commit')
  if (commit !== 'on')
    throw new Fault('unavailable', `PostgreSQL promises nothing: synchronous_commit is ${commit}`)
  if (!(await ask(`select pg_try_advisory_lock(${storeLock})`)))
    throw new Fault('unavailable', 'another service uses this store in PostgreSQL: one at a time')
}

async function inTransaction<T>(session: pg.ClientBase, begin: string, work: () => Promise<T>): Promise<T> {
  try {
    await session.query(begin)
    const result = await work()
    await session.query('commit')
    return result
  } catch (error) {
    // A session that is gone has rolled back by itself.
    await session.query('rollback').catch(() => undefined)
    throw translate(error)
  }
}

/** Statements as PostgreSQL wants them: parameters numbered, and a name by which a connection knows it again. */
class Statements {
  readonly #known = new Map<string, { readonly text: string; readonly name?: string }>()

  query(
    session: pg.Pool | pg.ClientBase,
    sql: string,
    parameters: readonly SqlValue[] = [],
  ): Promise<pg.QueryResult<Row>> {
    return this.#ask(session, sql, numbered, parameters)
  }

  /** All rows in one statement: a column of them is a parameter. */
  queryEach(
    session: pg.ClientBase,
    { sql, types }: Bulk,
    rows: readonly (readonly SqlValue[])[],
  ): Promise<pg.QueryResult<Row>> {
    const columns = types.map((_, index) => rows.map((row) => row[index] ?? null))
    return this.#ask(session, sql, () => forAll(sql, types), columns)
  }

  async #ask(
    session: pg.Pool | pg.ClientBase,
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
  const kind = sql.slice(0, sql.indexOf(' '))
  if (kind === 'insert') {
    const start = named.indexOf(' values (')
    const end = named.indexOf(')', start)
    const row = named.slice(start + ' values ('.length, end)
    return `${named.slice(0, start)} select ${row} from ${given}${named.slice(end + 1)}`
  }
  if (kind === 'update' || kind === 'delete') {
    const where = named.lastIndexOf(' where ')
    return `${named.slice(0, where)} ${kind === 'update' ? 'from' : 'using'} ${given}${named.slice(where)}`
  }
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
