// A temporary store in which an import is tried, on copies of the tables it touches.

import { TimeSlice } from '../pacing/time-slice.ts'
import { type Actor, bulk, type Reader, type Row, type SqlValue, type Transaction } from './database.ts'
import { readMigrations } from './migrate.ts'
import { Connection, forSqlite } from './sqlite/sqlite-connection.ts'

/** A table that is copied, and the columns of its primary key. */
export interface CopiedTable {
  readonly name: string
  readonly key: readonly string[]
}

const batchSize = 2000
/** Written with every record, but not read by its rules: they stay empty. */
const writtenTables = ['audit', 'tally']

export class ScratchStore {
  readonly #connection: Connection
  readonly #slice = new TimeSlice()
  /** One transaction, from beginning to end. */
  readonly tx: Transaction

  /** Results that depend on the caller are as for `actor`. */
  constructor(file: string, now: number, actor: Actor) {
    const connection = new Connection(file, 'scratch')
    this.#connection = connection
    for (const { script } of readMigrations()) connection.exec(forSqlite(script))
    connection.exec('begin')
    const pace = this.#slice
    this.tx = {
      actor,
      now,
      version: () => 0,
      unwritten: {},
      beforeCommit: () => undefined,
      afterCommit: () => undefined,
      all: async (sql, parameters) => connection.all(sql, parameters),
      run: async (sql, parameters) => connection.run(sql, parameters),
      runEach: async ({ sql }, rows) => {
        await pace.step()
        connection.runEach({ sql, rows })
      },
      allEach: async ({ sql }, keys) => connection.allEach(sql, keys),
    }
  }

  /** A failed attempt is rolled back. */
  async attempt<T>(work: () => Promise<T>): Promise<T> {
    this.#connection.exec('savepoint attempt')
    try {
      const done = await work()
      this.#connection.exec('release attempt')
      return done
    } catch (error) {
      this.#connection.exec('rollback to attempt; release attempt')
      throw error
    }
  }

  /** Copies tables, and drops all others except those that every record writes to: reading a dropped one fails. */
  async copy(reader: Reader, tables: readonly CopiedTable[]): Promise<void> {
    const keptTables = new Set([...tables.map(({ name }) => name), ...writtenTables])
    const all = this.#connection.all("select name from sqlite_master where type = 'table'")
    for (const name of all.map((row) => String(row.name)))
      if (!keptTables.has(name) && !name.startsWith('sqlite_')) this.#connection.run(`drop table ${name}`)
    for (const table of tables) await this.#copyRows(reader, table)
  }

  /** In batches: concurrent changes may or may not be in the copy. */
  async #copyRows(reader: Reader, { name, key }: CopiedTable): Promise<void> {
    this.#connection.run(`delete from ${name}`)
    const columns = key.join(', ')
    const afterLast = `where (${columns}) > (${key.map(() => '?').join(', ')})`
    let last: Row | undefined
    do {
      const from = last
      const rows: Row[] = await reader.all(
        `select * from ${name} ${from ? afterLast : ''} order by ${columns} limit ${batchSize}`,
        from ? key.map((column) => from[column] as SqlValue) : [],
      )
      await this.#add(name, rows)
      last = rows.length === batchSize ? rows.at(-1) : undefined
    } while (last)
  }

  async #add(name: string, rows: readonly Row[]): Promise<void> {
    const names = Object.keys(rows[0] ?? {})
    if (names.length === 0) return
    const sql = `insert into ${name} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`
    await this.tx.runEach(
      bulk(sql, []),
      rows.map((row) => names.map((column) => row[column] ?? null)),
    )
  }

  close(): void {
    this.#connection.close()
  }
}
