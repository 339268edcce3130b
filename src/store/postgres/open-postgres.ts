// Opens a store in PostgreSQL. Loads the driver on demand: most services use SQLite, and start faster without it.

import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../fault.ts'
import type { Reader, Store, Transaction } from '../database.ts'

export interface PostgresOptions {
  /** Instead of the server's clock. */
  readonly clock?: (() => number) | undefined
  /** Empty: the password is in PGPASSWORD or PGPASSFILE. */
  readonly passwordFile?: string
  /** The file for the timeline of the store that was seen last. */
  readonly timelineFile?: string
  /** The last number of a counter that this service knows to be in use. */
  readonly seen?: Transaction['seen']
  /** Called when the store may have been replaced, or restored to an older state, and must be compared. */
  readonly onDoubt?: () => void
  /** Why this program cannot use a store with its present migrations; called when these have changed. */
  readonly whyUnusable?: (reader: Reader) => Promise<Fault | undefined>
  /** Called when this program may no longer use the store: the process must stop. */
  readonly onFatal?: (fault: Fault) => void
  /** Called when a connection that nobody is using breaks; the next use opens another. */
  readonly onLost?: (error: Error) => void
  /** Called when writing begins to fail, and without a fault when it works again. */
  readonly onTrouble?: (trouble: Fault | undefined) => void
}

/** Opens a store by its address, `postgres://user@host/database`. */
export async function openPostgres(address: string, options: PostgresOptions = {}): Promise<Store> {
  const { Postgres } = await import('./postgres.ts')
  return new Postgres(address, options)
}

/**
 * The server lists a session for a while after it has ended, so it is asked repeatedly, at this interval in
 * milliseconds.
 */
const attempts = 20
const interval = 250

/** To be called before work that needs exclusive use of the store. */
export async function requireNoService(reader: Reader): Promise<void> {
  for (let attempt = 1; await isUsed(reader); attempt += 1) {
    if (attempt === attempts)
      throw new Fault('unavailable', 'a service uses this store in PostgreSQL: stop all of its nodes first')
    await sleep(interval)
  }
}

async function isUsed(reader: Reader): Promise<boolean> {
  const [row] = await reader.all(
    `select count(distinct application_name) as n from pg_stat_activity
     where datname = current_database() and application_name like 'belfry %' and application_name <> current_setting('application_name')`,
  )
  return row?.n !== 0n
}
