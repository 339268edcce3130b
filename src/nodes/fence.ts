// The fence: a row that every transaction of the node that settles locks before anything else, and compares. A node that
// was stopped for a minute and wakes up finds another term there, and changes nothing.

import { Fault } from '../fault.ts'
import type { Actor, Database, Row, SqlValue, Transaction } from '../store/database.ts'
import { placeOf, placeSql, type StorePlace } from './server.ts'

const fenceSql = 'select term from fence where one = 1 for update'

/** Throws where another node settles by now. */
export async function passFence(tx: Transaction, term: bigint | undefined): Promise<void> {
  const [row] = await tx.all(fenceSql)
  if (term === undefined || row?.term !== term) throw new Fault('unavailable', notOurs)
}

const notOurs = 'another node settles by now: nothing was changed'

export interface Raised {
  /** Where the store was when the last term began, and where it is. */
  readonly before: StorePlace
  readonly now: StorePlace
}

/** Begins a term: what is of an earlier one is shut out from now on. */
export async function raiseFence(tx: Transaction, term: bigint): Promise<Raised> {
  const [row] = await tx.all(
    `select term, system as fenced_system, timeline as fenced_timeline, ${placeSql.replace('as system', 'as system_now').replace('as timeline', 'as timeline_now')} from fence where one = 1 for update`,
  )
  if (!row || (row.term as bigint) >= term) throw new Fault('unavailable', notOurs)
  const now = placeOf({ system: row.system_now ?? '', timeline: row.timeline_now ?? 0n })
  await tx.run(
    "update fence set term = ?, backend = current_setting('application_name'), system = ?, timeline = ? where one = 1",
    [term, now.system, now.timeline],
  )
  return { before: { system: String(row.fenced_system), timeline: row.fenced_timeline as bigint }, now }
}

/** Ends what the node that settled before may have left unfinished: it is stopped, or cut off, and holds locks. */
export async function endFormer(database: Database): Promise<void> {
  await database.all(
    `select pg_terminate_backend(a.pid) from pg_stat_activity a join fence f on f.backend = a.application_name
     where a.xact_start is not null and a.application_name <> current_setting('application_name')`,
  )
}

/** The same database for work that only the node that settles does. */
export class FencedDatabase implements Database {
  readonly #database: Database
  readonly #term: () => bigint | undefined

  constructor(database: Database, term: () => bigint | undefined) {
    this.#database = database
    this.#term = term
  }
}
