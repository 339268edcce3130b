// A store of which nothing is kept: an import is tried there, on copies of the tables it concerns.

import { TimeSlice } from '../pacing/time-slice.ts'
import { type Actor, bulk, type Reader, type Row, type SqlValue, type Transaction } from './database.ts'
import { readMigrations } from './migrate.ts'
import { Connection, forSqlite } from './sqlite/sqlite-connection.ts'

/** A table that is copied, and the columns of its primary key. */
export interface CopiedTable {
  readonly name: string
  readonly key: readonly string[]
}

const rowsAtOnce = 2000
/** Written with every record, and not read by its rules. */
const traces = ['audit', 'tally']

export class Scratch {
  readonly #connection: Connection
  readonly #pace = new TimeSlice()
  /** One transaction, from beginning to end. */
  readonly tx: Transaction

  /** What depends on the caller is as it will be when the actor writes to the store. */
  constructor(file: string, now: number, actor: Actor) {
    const connection = new Connection(file, 'scratch')
    this.#connection = connection
    for (const { script } of readMigrations()) connection.exec(forSqlite(script))
    connection.exec('begin')
    const pace = this.#pace
    this.tx = {
      actor,
      now,
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

  /** A failed attempt leaves nothing behind for what comes after it. */
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

  /** Copies tables. Of the others only those that records leave traces in stay: reading another one fails. */
  async copy(reader: Reader, tables: readonly CopiedTable[]): Promise<void> {
    const kept = new Set([...tables.map(({ name }) => name), ...traces])
    const all = this.#connection.all("select name from sqlite_master where type = 'table'")
    for (const name of all.map((row) => String(row.name)))
      if (!kept.has(name) && !name.startsWith('sqlite_')) this.#connection.run(`drop table ${name}`)
    for (const table of tables) await this.#copyRows(reader, table)
  }

  /** Some at a time: what others change meanwhile may be in the copy or not. */
  async #copyRows(reader: Reader, { name, key }: CopiedTable): Promise<void> {
    this.#connection.run(`delete from ${name}`)
    const columns = key.join(', ')
    const behind = `where (${columns}) > (${key.map(() => '?').join(', ')})`
    let last: Row | undefined
    do {
      const from = last
      const rows: Row[] = await reader.all(
        `select * from ${name} ${from ? behind : ''} order by ${columns} limit ${rowsAtOnce}`,
        from ? key.map((column) => from[column] as SqlValue) : [],
      )
      await this.#add(name, rows)
      last = rows.length === rowsAtOnce ? rows.at(-1) : undefined
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
