// Sessions of PostgreSQL that belong to no service, such as an administrator's, and keep all services from writing.

import type { Reader } from '../../store/database.ts'

/**
 * Both tables have one row, which every change locks, or every one of the leader. Reading, and what PostgreSQL does
 * by itself in the background, locks nothing against that. A transaction that was prepared for a commit has no session.
 */
const foreignLocksSql = `select l.pid, a.application_name as name, l.relation::regclass::text as locked
  from pg_locks l left join pg_stat_activity a on a.pid = l.pid
  where l.locktype = 'relation' and l.granted and l.relation in ('writer'::regclass, 'fence'::regclass)
    and l.database = (select oid from pg_database where datname = current_database())
    and l.mode not in ('AccessShareLock', 'ShareUpdateExclusiveLock')
    and coalesce(a.application_name, '') not like 'belfry %'
  order by l.pid limit 1`

/** Who has locked what, in words. */
export async function foreignLockHolder(reader: Reader): Promise<string | undefined> {
  const [row] = await reader.all(foreignLocksSql)
  if (!row) return undefined
  const { pid, name, locked } = row
  const session = pid === null ? 'a prepared transaction' : `process ${pid} of PostgreSQL`
  return `${session}${name ? ` (${name})` : ''}, which is no service, has locked ${locked}`
}
