// Identifies the PostgreSQL server: its database and timeline, and the installation that the store belongs to.

import { Fault } from '../../fault.ts'
import type { Database, Reader, Row } from '../../store/database.ts'

export { clockSql } from '../../store/postgres/store-clock.ts'

/** Columns that identify the server: the database in its cluster, and the timeline, which grows with a promotion. */
export const identitySql = `(select system_identifier::text from pg_control_system()) || '/' || (select oid from pg_database where datname = current_database()) as system,
  ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint as timeline`

export interface ServerIdentity {
  readonly system: string
  readonly timeline: bigint
}

export const identityOf = (row: Row | undefined): ServerIdentity => ({
  system: String(row?.system ?? ''),
  timeline: (row?.timeline as bigint | undefined) ?? 0n,
})

export const isSameServer = (a: ServerIdentity, b: ServerIdentity) =>
  a.system === b.system && a.timeline === b.timeline

/**
 * The store knows the name of its installation, so that a node with the wrong address does not join. Called before the
 * store is upgraded.
 */
export async function refuseOtherInstallation(database: Database, name: string): Promise<void> {
  if (name === '' || database.kind === 'sqlite') return
  const [table] = await database.all("select to_regclass('installation') is not null as is_there")
  if (table?.is_there) await requireSame(database, name)
}

/** Names a store that has no name yet. A store in SQLite may be renamed, because only this service uses it. */
export async function nameInstallation(database: Database, name: string): Promise<void> {
  if (name === '') return
  const onConflict = database.kind === 'sqlite' ? 'update set name = excluded.name' : 'nothing'
  await database.transaction(async (tx) => {
    await tx.run(`insert into installation (one, name) values (1, ?) on conflict (one) do ${onConflict}`, [
      name,
    ])
    await requireSame(tx, name)
  })
}

async function requireSame(reader: Reader, name: string): Promise<void> {
  const [row] = await reader.all('select name from installation where one = 1')
  if (!row || row.name === name) return
  const message = `the store belongs to the installation "${row.name}", and this node to "${name}" (setting installation): is store the right address?`
  throw new Fault('conflict', message, { field: 'installation' })
}
