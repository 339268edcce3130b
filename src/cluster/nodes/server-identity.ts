// The PostgreSQL server as nodes see it: its clock, and which history of which database it serves.

import type { Row } from '../../store/database.ts'

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
