// What was read from tables, or made of it, is valid until one of them is written to.

import type { Database } from './database.ts'

interface AtVersion<T> {
  readonly version: number
  readonly value: T
}

export class TableCache<T> {
  readonly #database: Pick<Database, 'version'>
  readonly #tables: readonly string[]
  #read: AtVersion<T> | undefined
  #reading: (AtVersion<Promise<T>> & { readonly by: unknown }) | undefined

  constructor(database: Pick<Database, 'version'>, ...tables: readonly string[]) {
    this.#database = database
    this.#tables = tables
  }

  /** Grows with every commit that wrote to one of the tables. */
  get version(): number {
    return versionOf(this.#database, this.#tables)
  }

  get isCurrent(): boolean {
    return this.#read?.version === this.version
  }

  /** As it was when it was last read. */
  get last(): T | undefined {
    return this.#read?.value
  }

  /** Calls `read` where a table has changed since; callers with the same reader share one call. What fails is not kept. */
  async get<R>(reader: R, read: (reader: R) => Promise<T>): Promise<T> {
    // The version is read first: what is committed during the read causes another one.
    const { version } = this
    if (this.#read?.version === version) return this.#read.value
    if (this.#reading?.version !== version || this.#reading.by !== reader) {
      this.#reading = { version, by: reader, value: read(reader) }
    }
    const reading = this.#reading
    try {
      const value = await reading.value
      // A call that began later may have been quicker.
      if (version >= (this.#read?.version ?? -1)) this.#read = { version, value }
      return value
    } finally {
      if (this.#reading === reading) this.#reading = undefined
    }
  }
}

/** Grows with every commit that wrote to one of the tables. */
export const versionOf = (database: Pick<Database, 'version'>, tables: readonly string[]): number =>
  tables.reduce((sum, table) => sum + database.version(table), 0)
