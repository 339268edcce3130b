// The store in PostgreSQL: one session writes, a pool reads, and two more pools write small, independent transactions
// concurrently. Other services may use the same store.

import type pg from 'pg'
import { Fault } from '../../fault.ts'
import { SharedCheck } from '../../pacing/serial-queue.ts'
import {
  type Actor,
  type MigrationStep,
  type Reader,
  type Row,
  type SignalListener,
  type SqlValue,
  type Store,
  type Transaction,
  type TransactionOptions,
  untilEnough,
  type Values,
} from '../database.ts'
import { probeSql, StoreCondition } from '../store-condition.ts'
import { Hosts, hostsIn } from './hosts.ts'
import { Liveness } from './liveness.ts'
import type { PostgresOptions } from './open-postgres.ts'
import { isStoreFailure, isTransient } from './postgres-faults.ts'
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
import { PostgresThreads } from './postgres-work.ts'
import { PostgresWriter } from './postgres-writer.ts'
import { probeDiskSpace } from './probe.ts'
import { Statements } from './statements.ts'
import { StoreClock } from './store-clock.ts'
import { StoredVersions } from './stored-versions.ts'

/** Connections of the pools. */
const readingConnections = 4
const concurrentConnections = 2
/** Of a concurrent write that meets a deadlock or the like. */
const concurrentAttempts = 5

/** Connections are made when needed. */
export class Postgres implements Store {
  readonly kind = 'postgres'
  readonly #storeClock = new StoreClock()
  readonly #clock: () => number
  readonly #versions = new StoredVersions()
  readonly #hosts: Hosts
  readonly #writer: PostgresWriter
  readonly #readers: pg.Pool
  readonly #concurrent: pg.Pool
  /** One connection for heartbeats. */
  readonly #urgent: pg.Pool
  readonly #statements = new Statements()
  readonly #refreshing = new SharedCheck()
  readonly #logSignal: PostgresSignal
  readonly #work: PostgresThreads
  readonly #liveness: Liveness
  readonly #condition: StoreCondition
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
    }: PostgresOptions = {},
  ) {
    this.#clock = clock ?? (() => this.#storeClock.now())
    this.#condition = new StoreCondition(() => this.transaction((tx) => tx.run(probeSql)), onTrouble)
    this.#hosts = new Hosts(hostsIn(address), () => this.#versions.invalidate(), timelineFile)
    const settings = connectionSettings(this.#hosts, passwordFile)
    const writing = connectionSettings(this.#hosts, passwordFile, { pipeline: true })
    this.#liveness = new Liveness(settings)
    const lifeline = { onLost, liveness: this.#liveness }
    this.#writer = new PostgresWriter({
      session: new Session(writing, this.#hosts, lifeline, onDoubt),
      statements: this.#statements,
      versions: this.#versions,
      liveness: this.#liveness,
      storeClock: this.#storeClock,
      clock: this.#clock,
      seen,
      onDoubt,
      whyUnusable,
      onFatal,
    })
    const canWrite = async (session: pg.ClientBase) => {
      await this.#hosts.require(session)
      await prepareSession(session)
    }
    const canRead = async (session: pg.ClientBase) => {
      await this.#hosts.require(session)
      await session.query(`set lock_timeout = ${lockTimeout}`)
    }
    this.#readers = openPool(settings, { max: readingConnections, prepare: canRead }, lifeline)
    this.#concurrent = openPool(writing, { max: concurrentConnections, prepare: canWrite }, lifeline)
    this.#urgent = openPool(writing, { max: 1, prepare: canWrite }, lifeline)
    this.#work = new PostgresThreads({ address, passwordFile })
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

  /** Writes as blocks of traps are written; fails also if one of those has just failed. */
  async probe(): Promise<void> {
    await this.#probeRoom()
    const failure = this.#condition.failureOf('beside')
    if (failure) throw failure
  }

  #probeRoom(): Promise<void> {
    return probeDiskSpace((work) => this.writeConcurrently(work))
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

  /** Called at the beginning of every request. */
  refresh(): Promise<void> {
    return this.#liveness.failWhenSilent(this.#refreshing.after(() => this.#refresh()))
  }

  async #refresh(): Promise<void> {
    const known = this.#versions.number
    const [row] = await this.all('select number, versions from writer where number <> ?', [known])
    if (row) {
      this.#writer.requireNotOlder(row.number as bigint, known)
      this.#versions.update({ number: row.number as bigint, versions: String(row.versions) })
    }
    await this.#writer.requireKnownSchema(this)
  }

  invalidate(): void {
    this.#versions.invalidate()
  }

  onSignal(listener: SignalListener): void {
    this.#logSignal.listen(listener)
  }

  signal(): void {
    this.#logSignal.send()
  }

  get requested(): number {
    return this.#writer.requested
  }

  async transaction<T>(
    work: (tx: Transaction) => Promise<T>,
    actor?: Actor,
    options?: TransactionOptions,
  ): Promise<T> {
    try {
      const result = await this.#writer.transaction(work, actor, options)
      this.#condition.wrote()
      return result
    } catch (error) {
      if (isStoreFailure(error)) this.#condition.failed('writing', error)
      throw error
    }
  }

  migrate(script: string, step: MigrationStep): Promise<void> {
    return this.#writer.migrate(script, step)
  }

  writeConcurrently<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#writeInPool(this.#concurrent, work)
  }

  writeUrgently<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#writeInPool(this.#urgent, work)
  }

  /** Blocks of traps are stored and the lease is renewed in this way: if that fails, the service cannot go on. */
  async #writeInPool<T>(pool: pg.Pool, work: (tx: Transaction) => Promise<T>): Promise<T> {
    try {
      return await this.#tryInPool(pool, work)
    } catch (error) {
      if (isStoreFailure(error)) this.#condition.failed('beside', error, () => this.#probeRoom())
      throw error
    }
  }

  async #tryInPool<T>(pool: pg.Pool, work: (tx: Transaction) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const session = await connect(pool, this.#hosts)
      try {
        await this.#writer.readClock(session)
        const tx = this.#writer.newTransaction(session)
        const result = await inTransaction(
          session,
          () => session.query('begin'),
          () => tx.work(work),
        )
        session.release()
        tx.committed()
        return result
      } catch (error) {
        // The connection may be broken: close it.
        session.release(true)
        if (!isTransient(error) || attempt >= concurrentAttempts) throw error
      }
    }
  }

  close(): Promise<void> {
    this.#closed ??= this.#end()
    return this.#closed
  }

  async #end(): Promise<void> {
    await this.#writer.idle()
    await this.#work.close()
    await this.#logSignal.close()
    await this.#writer.close()
    await this.#concurrent.end()
    await this.#urgent.end()
    await this.#readers.end()
    this.#liveness.close()
  }
}
