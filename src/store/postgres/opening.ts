// Opens a store on PostgreSQL. Its driver is loaded only then: most services have none, and start sooner without it.

import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../fault.ts'
import type { Database, Reader } from '../database.ts'
import type { PostgresOptions } from './postgres.ts'

export async function openPostgres(address: string, options: PostgresOptions = {}): Promise<Database> {
  const { openPostgres: open } = await import('./postgres.ts')
  return open(address, options)
}

/** How often to look, with this many milliseconds between: the server shows a session for a while after it has ended. */
const looks = 20
const between = 250

/** For work that needs the store for itself. */
export async function requireUnused(reader: Reader): Promise<void> {
  for (let look = 1; await isUsed(reader); look += 1) {
    if (look === looks)
      throw new Fault('unavailable', 'a service uses this store in PostgreSQL: stop all of its nodes first')
    await sleep(between)
  }
}

async function isUsed(reader: Reader): Promise<boolean> {
  const [row] = await reader.all(
    `select count(distinct application_name) as n from pg_stat_activity
     where datname = current_database() and application_name like 'belfry %' and application_name <> current_setting('application_name')`,
  )
  return row?.n !== 0n
}
