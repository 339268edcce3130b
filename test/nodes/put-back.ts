// A store in PostgreSQL that is put back to an older state in its place: as pg_restore --clean does in one transaction,
// on the same server, in the same database.

import { Postgres } from '../../src/store/postgres/postgres.ts'

const tablesSql = `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'public' and c.relkind = 'r'`

export class Copies {
  readonly #address: string

  constructor(address: string) {
    this.#address = address
  }

  async #change(statements: (tables: readonly string[]) => readonly string[]): Promise<void> {
    const database = new Postgres(this.#address)
    try {
      const tables = (await database.all(tablesSql)).map(({ name }) => String(name))
      await database.writeConcurrently(async (tx) => {
        for (const sql of statements(tables)) await tx.run(sql)
      })
    } finally {
      await database.close()
    }
  }

  /** Keeps everything as it is now, under a name. */
  keep(name: string): Promise<void> {
    return this.#change((tables) => [
      `create schema ${name}`,
      ...tables.map((table) => `create table ${name}.${table} as table public.${table}`),
    ])
  }

  putBack(name: string): Promise<void> {
    return this.#change((tables) => [
      ...tables.map((table) => `truncate public.${table}`),
      ...tables.map((table) => `insert into public.${table} select * from ${name}.${table}`),
    ])
  }
}
