// The fence: a row that every transaction of the node that settles locks before anything else, and compares. A node that
// was stopped for a minute and wakes up finds another term there, and changes nothing.

import { Fault } from '../fault.ts'
import type { Database, Transaction } from '../store/database.ts'
import { placeOf, placeSql, type StorePlace } from './server.ts'

const fenceSql = 'select term from fence where one = 1 for update'

/** Throws where another node settles by now. */
export async function passFence(tx: Transaction, term: bigint | undefined): Promise<void> {
  const [row] = await tx.all(fenceSql)
  if (term === undefined || row?.term !== term) throw new Fault('conflict', notOurs)
}

const notOurs = 'another node settles by now: nothing was changed'

export interface Raised {
  /** Where the store was when the last term began, and where it is. */
  readonly before: StorePlace
  readonly now: StorePlace
}

/** Begins a term: what is of an earlier one is shut out from now on. */
export async function raiseFence(tx: Transaction, term: bigint): Promise<Raised> {
  const [row] = await tx.all('select term, system, timeline from fence where one = 1 for update')
  if (!row || (row.term as bigint) >= term) throw new Fault('conflict', notOurs)
  const [here] = await tx.all(`select ${placeSql}`)
  const now = placeOf(here)
  await tx.run(
    "update fence set term = ?, backend = current_setting('application_name'), system = ?, timeline = ? where one = 1",
    [term, now.system, now.timeline],
  )
  return { before: placeOf(row), now }
}

/** Ends what the node that settled before may have left unfinished: it is stopped, or cut off, and holds locks. */
export async function endFormer(database: Database): Promise<void> {
  await database.all(
    `select pg_terminate_backend(a.pid) from pg_stat_activity a join fence f on f.backend = a.application_name
     where a.xact_start is not null and a.application_name <> current_setting('application_name')`,
  )
}

/** The same database for work that only the node that settles does: in no term, or in one that is over, it changes nothing. */
export function fenced(database: Database, term: () => bigint | undefined): Database {
  const transaction: Database['transaction'] = (work, actor) =>
    database.transaction(work, actor, (tx) => passFence(tx, term()))
  return new Proxy(database, {
    get(target, name) {
      if (name === 'transaction' || name === 'bulk') return transaction
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
