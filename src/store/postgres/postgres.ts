// The store in PostgreSQL: one connection writes, a few read, and some write beside it what concerns nobody else. Other
// services may use the same store: a writer locks the writer's row first, and finds there what others have written.

import type pg from 'pg'
import { Fault } from '../../fault.ts'
import {
  type Actor,
  type Database,
  type MigrationStep,
  type Reader,
  type Row,
  requireAudited,
  SerialQueue,
  SharedCheck,
  type SignalListener,
  type SqlValue,
  type Transaction,
  untilEnough,
  type Values,
} from '../database.ts'
import { probeSql, StoreCondition } from '../store-condition.ts'
import { Hosts, hostsIn } from './hosts.ts'
import { Liveness } from './liveness.ts'
import { isBadMoment, isTrouble } from './postgres-faults.ts'
import {
  connect,
  connectionSettings,
  inTransaction,
  lockTimeout,
  openPool,
  prepareSession,
  Session,
} from './postgres-sessions.ts'
import { PostgresSignal } from './postgres-signal.ts'
import { PostgresTransaction } from './postgres-transaction.ts'
import { PostgresWork } from './postgres-work.ts'
import { probeRoom } from './probe.ts'
import { Statements } from './statements.ts'
import { clockSql, StoreClock } from './store-clock.ts'
import { rowAfter, StoredVersions, type WriterRow } from './versions.ts'

export interface PostgresOptions {
  /** Instead of the server's. */
  readonly clock?: (() => number) | undefined
  /** Empty: the password is in PGPASSWORD or PGPASSFILE. */
  readonly passwordFile?: string
  /** The file for the timeline of the store that was seen last. */
  readonly timelineFile?: string
  /** The last number of a counter that this service knows was taken. */
  readonly seen?: Transaction['seen']
  /** Called when the store may be another one than before, or older: what it holds must be compared. */
  readonly onDoubt?: () => void
  /** Why this program may not use a store with the migrations that it has; asked when there are others. */
  readonly whyUnusable?: (reader: Reader) => Promise<Fault | undefined>
  /** Called when this program may no longer use the store: the process must stop. */
  readonly onFatal?: (fault: Fault) => void
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
const besides = 2
const attemptsApart = 5
/** Milliseconds to wait for somebody else's transaction: an import may take a minute. */
const patience = 120_000

/**
 * Milliseconds for which the writing session keeps the server's plans. One that was made while a table was empty reads
 * all of it when it is full, and the server by itself makes another only after its next analysis of the table.
 */
const plansHold = 1000

/** Any number that others are unlikely to lock in the same database. Held while the schema is changed. */
const schemaLock = 0x42_65_6c_66_72_79n
/** One row: whoever has locked it is the writer. It holds the versions of all tables; only nodes of 0.2.0 read `oldest`. */
const writerTable = `
  create table if not exists writer (one integer primary key, number bigint not null, versions text not null, oldest text not null default '') with (fillfactor = 20);
  insert into writer (one, number, versions) values (1, 0, '{}') on conflict do nothing;
  create table if not exists migration_beside (number integer primary key, oldest text not null)`
const versionsSql = 'update writer set number = ?, versions = ? where one = 1'
const writerSql = 'select number, versions from writer where one = 1 for update'

class Postgres implements Database {
  readonly kind = 'postgres'
  readonly #storeClock = new StoreClock()
  readonly #clock: () => number
  readonly #versions = new StoredVersions()
  readonly #hosts: Hosts
  readonly #writer: Session
  readonly #readers: pg.Pool
  /** Connections that write beside the writer. */
  readonly #besides: pg.Pool
  /** The one for signs of life. */
  readonly #urgent: pg.Pool
  /** One transaction writes at a time; the rules of resources rely on it. */
  readonly #turns = new SerialQueue()
  readonly #statements = new Statements()
  readonly #refreshing = new SharedCheck()
  readonly #logSignal: PostgresSignal
  readonly #work: PostgresWork
  readonly #liveness: Liveness
  readonly #condition: StoreCondition
  readonly #whyUnusable: (reader: Reader) => Promise<Fault | undefined>
  /** The version of the table of migrations that this program is known to get on with. */
  #schema: number | undefined
  readonly #onFatal: (fault: Fault) => void
  readonly #seen: Transaction['seen']
  readonly #onDoubt: () => void
  /** When the writing session last dropped its plans, on a steady clock. */
  #plannedAt = 0
  #closed: Promise<void> | undefined

  constructor(
    address: string,
    {
      clock,
      passwordFile = '',
      timelineFile,
      seen,
      onDoubt = () => undefined,
      whyUnusable = async () => undefined,
      onLost = () => undefined,
      onTrouble,
      onFatal = () => undefined,
    }: PostgresOptions,
  ) {
    this.#clock = clock ?? (() => this.#storeClock.now())
    this.#whyUnusable = whyUnusable
    this.#onFatal = onFatal
    this.#seen = seen
    this.#onDoubt = onDoubt
    this.#condition = new StoreCondition(() => this.transaction((tx) => tx.run(probeSql)), onTrouble)
    this.#hosts = new Hosts(hostsIn(address), () => this.#versions.forget(), timelineFile)
    const settings = connectionSettings(this.#hosts, passwordFile)
    const writing = connectionSettings(this.#hosts, passwordFile, { pipeline: true })
    this.#liveness = new Liveness(settings)
    const lifeline = { onLost, liveness: this.#liveness }
    this.#writer = new Session(writing, this.#hosts, lifeline, onDoubt)
    const isPrimary = (session: pg.ClientBase) => this.#hosts.require(session)
    const canWrite = async (session: pg.ClientBase) => {
      await isPrimary(session)
      await prepareSession(session)
    }
    const canRead = async (session: pg.ClientBase) => {
      await isPrimary(session)
      await session.query(`set lock_timeout = ${lockTimeout}`)
    }
    this.#readers = openPool(settings, { max: readers, prepare: canRead }, lifeline)
    this.#besides = openPool(writing, { max: besides, prepare: canWrite }, lifeline)
    this.#urgent = openPool(writing, { max: 1, prepare: canWrite }, lifeline)
    this.#work = new PostgresWork({ address, passwordFile })
    this.#logSignal = new PostgresSignal(settings, (sql, parameters) => this.all(sql, parameters))
  }

  now(): number {
    return this.#clock()
  }

  get trouble(): Fault | undefined {
    return this.#condition.trouble
  }

  requireHealthy(): Promise<void> {
    return this.#condition.requireHealthy()
  }

  /** In the way in which blocks of traps are kept. Where one of those failed just now, some room is not enough. */
  async probe(): Promise<void> {
    await this.#probeRoom()
    const failure = this.#condition.failureOf('beside')
    if (failure) throw failure
  }

  #probeRoom(): Promise<void> {
    return probeRoom((work) => this.writeConcurrently(work))
  }

  async all(sql: string, parameters?: readonly SqlValue[]): Promise<Row[]> {
    return this.#reading(async (session) => (await this.#statements.query(session, sql, parameters)).rows)
  }

  async #reading<T>(work: (session: pg.PoolClient) => Promise<T>): Promise<T> {
    const session = await connect(this.#readers, this.#hosts)
    let broken = true
    try {
      const result = await work(session)
      broken = false
      return result
    } finally {
      session.release(broken)
    }
  }

  readInBackground(sql: string, parameters?: readonly SqlValue[]): Promise<Row[]> {
    return this.all(sql, parameters)
  }

  async values(
    sql: string,
    parameters: readonly SqlValue[],
    _long: boolean,
    enough?: number,
  ): Promise<Values> {
    const rows = await this.#reading((session) => this.#statements.values(session, sql, parameters))
    return enough === undefined ? rows : untilEnough(rows, enough)
  }

  readSnapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#reading((session) =>
      inTransaction(
        session,
        () => session.query('begin isolation level repeatable read read only'),
        () =>
          work({
            all: async (sql, parameters) => (await this.#statements.query(session, sql, parameters)).rows,
          }),
      ),
    )
  }

  async copyTo(): Promise<void> {
    throw new Fault(
      'unavailable',
      'the store is in PostgreSQL: back it up with pg_dump or pgBackRest, see docs/postgresql.md',
    )
  }

  workInBackground<T>(module: URL, input: unknown, { ownThread = false } = {}): Promise<T> {
    return this.#work.run<T>({ module: module.href, input }, ownThread)
  }

  version(table: string): number {
    return this.#versions.of(table)
  }

  /** Every request begins with this. */
  refresh(): Promise<void> {
    return this.#liveness.failWhenSilent(this.#refreshing.after(() => this.#refresh()))
  }

  async #refresh(): Promise<void> {
    const known = this.#versions.number
    const [row] = await this.all('select number, versions from writer where number <> ?', [known])
    if (row) {
      this.#requireNotBehind(row.number as bigint, known)
      this.#versions.seen({ number: row.number as bigint, versions: String(row.versions) })
    }
    await this.#requireKnownSchema(this)
  }

  invalidate(): void {
    this.#versions.forget()
  }

  /** Commits are counted in the store: one that has fewer than were seen was put back to an older state. */
  #requireNotBehind(number: bigint, known: bigint): void {
    if (number >= known) return
    this.invalidate()
    this.#onDoubt()
    const message = 'the store has been put back to an older state. It is being compared: try again'
    throw new Fault('unavailable', message)
  }

  onSignal(listener: SignalListener): void {
    this.#logSignal.listen(listener)
  }

  signal(): void {
    this.#logSignal.ring()
  }

  transaction<T>(
    work: (tx: Transaction) => Promise<T>,
    actor?: Actor,
    first?: (tx: Transaction) => Promise<void>,
  ): Promise<T> {
    return this.#inTurn(async () => {
      try {
        const result = await this.#write(work, actor, first)
        this.#condition.wrote()
        return result
      } catch (error) {
        if (isTrouble(error)) this.#condition.failed('writing', error)
        throw error
      }
    })
  }

  /** Where the server is silent, whoever still waits for a turn does not get it. */
  async #inTurn<T>(task: () => Promise<T>): Promise<T> {
    const turn = Promise.withResolvers<void>()
    let isGivenUp = false
    const done = this.#turns.run(async () => {
      turn.resolve()
      return isGivenUp ? undefined : task()
    })
    try {
      await this.#liveness.failWhenSilent(turn.promise)
    } catch (error) {
      isGivenUp = true
      throw error
    }
    return done as Promise<T>
  }

  writeConcurrently<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#writeBeside(this.#besides, work)
  }

  writeUrgently<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#writeBeside(this.#urgent, work)
  }

  /** What arrives is kept in this way, and the lease is renewed: nothing goes on where that fails. */
  async #writeBeside<T>(pool: pg.Pool, work: (tx: Transaction) => Promise<T>): Promise<T> {
    try {
      return await this.#tryBeside(pool, work)
    } catch (error) {
      if (isTrouble(error)) this.#condition.failed('beside', error, () => this.#probeRoom())
      throw error
    }
  }

  async #tryBeside<T>(pool: pg.Pool, work: (tx: Transaction) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const session = await connect(pool, this.#hosts)
      try {
        await this.#lookAtClock(session)
        const tx = this.#open(session)
        const result = await inTransaction(
          session,
          () => session.query('begin'),
          () => tx.work(work),
        )
        session.release()
        tx.committed()
        return result
      } catch (error) {
        // The reason is not known; another connection is soon opened.
        session.release(true)
        if (!isBadMoment(error) || attempt >= attemptsApart) throw error
      }
    }
  }

  migrate(script: string, { mark }: MigrationStep): Promise<void> {
    // Text is compared by code point, as SQLite does, whatever the database's own language.
    const postgres = script
      .replace(/\btext\b/g, 'text collate "C"')
      .replace(/^-- unlogged\ncreate table/gm, 'create unlogged table')
    return this.#turns.run(async () => {
      const session = await this.#writer.client()
      const open = this.#open(session)
      let writer: WriterRow = { number: 0n, versions: '{}' }
      const begin = async () => {
        await this.#lookAtClock(session)
        // One service changes the schema, while nobody writes; the others find it done.
        await session.query('begin')
        await session.query(`set local lock_timeout = ${patience}`)
        await session.query(`select pg_advisory_xact_lock(${schemaLock})`)
        await session.query(writerTable)
        writer = (await session.query(writerSql)).rows[0]
      }
      await inTransaction(session, begin, () =>
        open.work(async (tx) => {
          if (!(await mark(tx))) return
          await session.query(postgres)
          // Others see by the version of the table of migrations that the store has changed.
          const { versions } = rowAfter(writer, open.written) ?? writer
          await session.query('update writer set number = number + 1, versions = $1', [versions])
        }),
      )
    })
  }

  /** Another program may have changed the store, while this one runs, in a way that it does not understand. */
  async #requireKnownSchema(reader: Reader): Promise<void> {
    const schema = this.#versions.of('migration')
    if (schema === this.#schema) return
    const fault = await this.#whyUnusable(reader)
    if (fault) {
      this.#onFatal(fault)
      throw fault
    }
    this.#schema = schema
  }

  async #write<T>(
    work: (tx: Transaction) => Promise<T>,
    actor?: Actor,
    first?: (tx: Transaction) => Promise<void>,
  ): Promise<T> {
    const session = await this.#writer.client()
    const tx = this.#open(session, actor)
    let held: WriterRow | undefined
    let next: WriterRow | undefined
    const result = await inTransaction(
      session,
      async () => {
        held = await this.#takeTurn(session, () => {
          tx.begin()
          return first?.(tx.tx)
        })
      },
      async () => {
        const done = await tx.work(work)
        requireAudited(actor, tx.written)
        next = held && rowAfter(held, tx.written)
        if (next) await this.#statements.query(session, versionsSql, [next.number, next.versions])
        return done
      },
    )
    if (next) this.#versions.held(next)
    tx.committed()
    return result
  }

  #lookAtClock(session: pg.ClientBase): Promise<void> {
    return this.#storeClock.look(async () => {
      const { rows } = await session.query(`select ${clockSql} as now`)
      return Number(rows[0].now)
    })
  }

  async #planAnew(session: pg.ClientBase): Promise<void> {
    const now = performance.now()
    if (now - this.#plannedAt < plansHold) return
    this.#plannedAt = now
    await session.query('discard plans')
  }

  /**
   * Opens a transaction that is the only one to write, over all services. Locks are taken in one order by all: the
   * fence of the leader, which comes first, the writer's row, then counters by name and tallies in their order,
   * inside the work. Whoever has the writer's row sees what all others have written.
   */
  async #takeTurn(session: pg.ClientBase, first: () => Promise<void> | undefined): Promise<WriterRow> {
    const until = performance.now() + patience
    for (;;) {
      try {
        await this.#lookAtClock(session)
        await this.#planAnew(session)
        // Sent at once, and done in this order: each answer that is waited for is a turn of the processor.
        await Promise.all([session.query('begin'), first()])
        const known = this.#versions.number
        const { rows } = await session.query(writerSql)
        if (rows.length === 0) throw new Fault('unavailable', 'the store is empty, or is being restored')
        this.#requireNotBehind(rows[0].number, known)
        this.#versions.held(rows[0])
        await this.#requireKnownSchema({
          all: async (sql, parameters) => (await this.#statements.query(session, sql, parameters)).rows,
        })
        return rows[0]
      } catch (error) {
        // Nothing has been done yet: it may be tried again.
        if (!isBadMoment(error) || performance.now() > until) throw error
        await session.query('rollback')
      }
    }
  }

  #open(session: pg.ClientBase, actor?: Actor): PostgresTransaction {
    return new PostgresTransaction({
      session,
      statements: this.#statements,
      versions: this.#versions,
      now: this.#clock,
      actor,
      seen: this.#seen,
    })
  }

  close(): Promise<void> {
    this.#closed ??= this.#end()
    return this.#closed
  }

  async #end(): Promise<void> {
    await this.#turns.idle()
    await this.#work.close()
    await this.#logSignal.close()
    await this.#writer.close()
    await this.#besides.end()
    await this.#urgent.end()
    await this.#readers.end()
    this.#liveness.close()
  }
}
