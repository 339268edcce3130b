// What was read from tables, or made of it, is valid until one of them is written to.

import type { Database } from './database.ts'

/** A database, or a transaction, which sees more than others do. */
type Versioned = Pick<Database, 'version'>

interface AtVersion<T> {
  readonly version: number
  readonly value: T
}

export class TableCache<T> {
  readonly #database: Versioned
  readonly #tables: readonly string[]
  #read: AtVersion<T> | undefined
  #reading: (AtVersion<Promise<T>> & { readonly by: unknown }) | undefined

  constructor(database: Versioned, ...tables: readonly string[]) {
    this.#database = database
    this.#tables = tables
  }

  /** Grows with every commit that wrote to one of the tables; as the reader sees them. */
  version(reader: unknown = this.#database): number {
    return versionOf(isVersioned(reader) ? reader : this.#database, this.#tables)
  }

  isCurrent(reader: unknown): boolean {
    return this.#read !== undefined && this.#read.version >= this.version(reader)
  }

  /** As it was when it was last read. */
  get last(): T | undefined {
    return this.#read?.value
  }

  /**
   * Calls `read` where a table has changed since; callers with the same reader share one call. What fails is not kept.
   * A transaction may have read more than is durable: others take that over rather than go back.
   */
  async get<R>(reader: R, read: (reader: R) => Promise<T>): Promise<T> {
    // The version is read first: what is committed during the read causes another one.
    const version = this.version(reader)
    if (this.#read && this.#read.version >= version) return this.#read.value
    if (this.#reading?.version !== version || this.#reading.by !== reader) {
      this.#reading = { version, by: reader, value: read(reader) }
    }
    const reading = this.#reading
    try {
      const value = await reading.value
      // A call that began later may have been quicker.
      if (version >= (this.#read?.version ?? -1)) this.#read = { version, value }
      return this.#read?.value ?? value
    } finally {
      if (this.#reading === reading) this.#reading = undefined
    }
  }
}

const isVersioned = (reader: unknown): reader is Versioned =>
  typeof (reader as Partial<Versioned>).version === 'function'

/** Grows with every commit that wrote to one of the tables. */
export const versionOf = (database: Versioned, tables: readonly string[]): number =>
  tables.reduce((sum, table) => sum + database.version(table), 0)
