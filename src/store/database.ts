// The interface of a database to the rest of the service. SQL is written once, with `?`, in the part both stores share.

import type { Fault } from '../fault.ts'
import type { Row, SqlType, SqlValue } from '../schema/row.ts'

export type { Row, SqlType, SqlValue }

export type Values = readonly (readonly SqlValue[])[]

export interface Reader {
  /** Every integer comes as a bigint. */
  all(sql: string, parameters?: readonly SqlValue[]): Promise<Row[]>
}

/** On whose behalf something is changed. */
export interface Actor {
  readonly name: string
  readonly role: string
  readonly address: string
}

/**
 * A statement for many rows, written as for one. PostgreSQL wants to know the types of the parameters: there it is one
 * statement for all of them. An insert ends in `values (…)`, with `on conflict` behind it or not; an update or a delete
 * has a `where` at its end.
 */
export interface Bulk {
  readonly sql: string
  readonly types: readonly SqlType[]
}

export const bulk = (sql: string, types: readonly SqlType[]): Bulk => ({ sql, types })

/** What a transaction has numbered and counted in memory; it is written once, at its end, however many rows there are. */
export interface Unwritten {
  /** The last number of each counter that was read, and the names of those from which some were taken. */
  ids?: { readonly last: Map<string, bigint>; readonly taken: Set<string> }
  /** What is added to the tallies: by table, column and value. */
  tallies?: Map<string, Map<string, Map<string, number>>>
}

export interface Transaction extends Reader {
  /** Absent where the service acts by itself. */
  readonly actor: Actor | undefined
  /** Milliseconds since 1970 on the store's clock, the same throughout the transaction: the only clock inside it. */
  readonly now: number
  /** The last number of a counter that this service knows was taken; absent where the store has it to itself. */
  readonly seen?: ((counter: string) => bigint) | undefined
  /** As `version` of the database, with what was committed before this transaction though it may not be durable yet. */
  version(table: string): number
  readonly unwritten: Unwritten
  /** Runs a task when the work is done, still inside the transaction. */
  beforeCommit(task: () => Promise<void>): void
  /**
   * Runs a task after the commit, before anyone else writes: for what is cached of the store. The commit may not be
   * durable yet: others are told of it when `transaction` has returned. Where several transactions share a commit, it runs
   * before the next one of them; if the commit then fails, `undo` runs, and all versions of tables grow.
   */
  afterCommit(task: () => void, undo?: () => void): void
  /** Returns the number of rows changed. */
  run(sql: string, parameters?: readonly SqlValue[]): Promise<number>
  /** Runs a statement with each of the rows. No two of them may concern the same row of the table. */
  runEach(statement: Bulk, rows: readonly (readonly SqlValue[])[]): Promise<void>
  /** What a query finds with any of the keys, in no particular order. */
  allEach(query: Bulk, keys: readonly (readonly SqlValue[])[]): Promise<Row[]>
}

/** Called when another service on the same store signals. */
export interface SignalListener {
  /** Another service has signalled a change. */
  heard(): void
  /** Signals do not arrive, with the reason; without one when it works again. */
  warn(reason: string | undefined): void
}

/** How a transaction waits, and whether it shares a commit with others that wait. */
export interface TransactionOptions {
  /** Where several services use the store: locks what must be locked before the turn to write is taken. */
  readonly first?: ((tx: Transaction) => Promise<void>) | undefined
  /** It may take long, or write much: those before it do not wait for it with their commit. */
  readonly isLong?: boolean | undefined
  /** Called when it has failed by itself and is undone: transactions requested here come before all that wait. */
  readonly onUndone?: ((error: unknown) => void) | undefined
}

/** What is done in the transaction of a migration's script. */
export interface MigrationStep {
  /** Records it, and returns whether the script is still due: another node may have been faster. */
  recordIfDue(tx: Transaction): Promise<boolean>
}

/** What most of the service uses of its store: reads, and one transaction after the other. */
export interface Database extends Reader {
  readonly kind: 'sqlite' | 'postgres'
  /** Milliseconds since 1970, on the clock of the store: on PostgreSQL that of the server, for all nodes. */
  now(): number
  /**
   * Runs `work` alone: what it wrote is kept, durably, when it returns, and rolled back when it throws. What is written
   * for an actor must be recorded in the audit log by the same work, or it is rolled back too. Transactions run in the
   * order in which they were requested; those that wait share a commit.
   */
  transaction<T>(
    work: (tx: Transaction) => Promise<T>,
    actor?: Actor,
    options?: TransactionOptions,
  ): Promise<T>
  /** How many transactions have been requested since the start. */
  readonly requested: number
  /**
   * Grows with every commit that wrote to the table, when it is durable: what was read at one version is valid until the
   * next.
   */
  version(table: string): number
  /**
   * Where others write to the same store: afterwards `version` includes everything that was committed before the call.
   * Inside a transaction it does anyway.
   */
  refresh(): Promise<void>
  /** For reads that may take long (counts, deep pages, patterns): nothing else waits for them. */
  readInBackground(sql: string, parameters?: readonly SqlValue[]): Promise<Row[]>
  /**
   * Rows as the values of their columns, in order, without their names: for many rows. `long` as for `readInBackground`. Where
   * `enough` is given, the row with which their text reaches that many characters is the last.
   */
  values(sql: string, parameters: readonly SqlValue[], long: boolean, enough?: number): Promise<Values>
  /** For work of minutes: reads that all see one snapshot; nothing else waits for it, not even other long reads. */
  readSnapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T>
  /** Writes the whole store as of one moment to a new file, marked as a backup, while others write on. */
  copyTo(file: string): Promise<void>
  /**
   * Work that reads very much and computes on it: a module's function `work(reader, input)`. Only long reads wait for
   * it, so it should be done in short parts, or in a thread of its own. Input and result are copied.
   */
  workInBackground<T>(module: URL, input: unknown, options?: { readonly ownThread?: boolean }): Promise<T>
}

/** The whole store, for those who open, watch or share it. */
export interface Store extends Database {
  /**
   * A transaction beside the one that writes, for rows that concern their owner alone: how far a client has come. Nobody
   * waits for it, and it waits for nobody; it increments no version, and may be run more than once.
   */
  writeConcurrently<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** The same for signs of life, on a connection of its own: other transactions of this kind may be many, or wait. */
  writeUrgently<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** The store is not what it was: whatever was read of it at any version is no longer valid. */
  invalidate(): void
  /** Notifies other services on the same store, soon and without a guarantee, that there is something to look at. */
  signal(): void
  /** Listens to the signals of other services. */
  onSignal(listener: SignalListener): void
  /** What is wrong with it, as far as is known: something could not be read or written, and has not worked since. */
  readonly trouble: Fault | undefined
  /** Throws the reason why it cannot read or write; where that is in doubt, it tries. */
  requireHealthy(): Promise<void>
  /** Makes a write, bounded and removed again, that shows whether what arrives can be kept; throws the reason why not. */
  probe(): Promise<void>
  /** Runs a script of statements that return nothing, inside one transaction with its record. */
  migrate(script: string, step: MigrationStep): Promise<void>
  close(): Promise<void>
}

/** The same database, on behalf of someone: a change that is not recorded in the audit log fails. */
export class ActorDatabase implements Database {
  readonly #database: Database
  readonly #actor: Actor

  constructor(database: Database, actor: Actor) {
    this.#database = database
    this.#actor = actor
  }

  /** The database itself, on behalf of nobody. */
  static withoutActor(database: Database): Database {
    return database instanceof ActorDatabase ? database.#database : database
  }

  get kind(): Database['kind'] {
    return this.#database.kind
  }

  now(): number {
    return this.#database.now()
  }

  all(sql: string, parameters?: readonly SqlValue[]): Promise<Row[]> {
    return this.#database.all(sql, parameters)
  }

  readInBackground(sql: string, parameters?: readonly SqlValue[]): Promise<Row[]> {
    return this.#database.readInBackground(sql, parameters)
  }

  values(sql: string, parameters: readonly SqlValue[], long: boolean, enough?: number): Promise<Values> {
    return this.#database.values(sql, parameters, long, enough)
  }

  readSnapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#database.readSnapshot(work)
  }

  copyTo(file: string): Promise<void> {
    return this.#database.copyTo(file)
  }

  workInBackground<T>(module: URL, input: unknown, options?: { readonly ownThread?: boolean }): Promise<T> {
    return this.#database.workInBackground(module, input, options)
  }

  version(table: string): number {
    return this.#database.version(table)
  }

  refresh(): Promise<void> {
    return this.#database.refresh()
  }

  transaction<T>(
    work: (tx: Transaction) => Promise<T>,
    _actor?: Actor,
    options?: TransactionOptions,
  ): Promise<T> {
    return this.#database.transaction(work, this.#actor, options)
  }

  get requested(): number {
    return this.#database.requested
  }
}

export const auditTable = 'audit'
/**
 * The progress of files that are imported in batches. The first batch of one is recorded in the audit log, for all of
 * them.
 */
export const importTable = 'import_progress'
/** A counter is opened before it is known whether anything will be numbered. */
const notAudited = new Set<string | undefined>(['counter', undefined])

/** Called with the tables a transaction wrote to, before the commit. */
export function requireAudited(actor: Actor | undefined, written: ReadonlySet<string | undefined>): void {
  if (!actor || written.has(auditTable) || written.has(importTable)) return
  const unrecorded = [...written].filter((table) => !notAudited.has(table))
  if (unrecorded.length > 0)
    throw new Error(`a change of ${unrecorded.join(', ')} was not recorded in the audit log`)
}

/** The rows up to the one with which their text reaches a length. */
export function untilEnough(rows: Iterable<readonly SqlValue[]>, enough: number): Values {
  const taken: (readonly SqlValue[])[] = []
  let length = 0
  for (const row of rows) {
    taken.push(row)
    length += textLength([row])
    if (length >= enough) break
  }
  return taken
}

/** The characters of all texts in the rows. */
export function textLength(rows: Values): number {
  let length = 0
  for (const row of rows) {
    for (const value of row) if (typeof value === 'string') length += value.length
  }
  return length
}

/** Counts the commits that wrote to each table. */
export class Versions {
  readonly #versions = new Map<string, number>()
  readonly #written = new Map<string, string | undefined>()

  of(table: string): number {
    return this.#versions.get(table) ?? 0
  }

  /** The table a statement writes to, parsed from the statement so that no writer can forget to name it. */
  writtenBy(sql: string): string | undefined {
    if (!this.#written.has(sql)) {
      if (this.#written.size > 1000) this.#written.clear()
      this.#written.set(sql, /^\s*(?:insert into|update|delete from)\s+(\w+)/i.exec(sql)?.[1])
    }
    return this.#written.get(sql)
  }

  committed(tables: Iterable<string | undefined>): void {
    for (const table of tables) if (table) this.#versions.set(table, (this.#versions.get(table) ?? 0) + 1)
  }
}
