// The fence: a row that every transaction of the settling node locks before anything else, and compares. A node that
// was suspended for a minute and wakes up finds another term there, and changes nothing.

import { Fault } from '../fault.ts'
import type { Database, Row, Transaction } from '../store/database.ts'
import { placeOf, placeSql, type StorePlace } from './server.ts'

const fenceSql = `select term, f.system = '' or (f.system, f.timeline) = (here.system, here.timeline) as is_here
  from fence f, (select ${placeSql}) here where one = 1`

/** Throws where another node settles by now, or where no term has begun on this server. */
export async function passFence(tx: Transaction, term: bigint | undefined): Promise<void> {
  const [row] = await tx.all(`${fenceSql} for update of f`)
  if (term === undefined || row?.term !== term) throw new Fault('conflict', notOurs)
  requireHere(row)
}

/**
 * A server that was promoted may lack what clients have seen: until a term has begun there, it would issue numbers that
 * clients already have.
 */
function requireHere(row: Row | undefined): void {
  if (row?.is_here) return
  const message =
    'the store is served by another PostgreSQL than before, and no node settles there yet: try again'
  throw new Fault('unavailable', message)
}

const notOurs = 'another node settles by now: nothing was changed'

export const isTermOver = (error: unknown) => error instanceof Fault && error.message === notOurs

export interface Raised {
  /** Which server and timeline the store had when the last term began, and which it has now. */
  readonly before: StorePlace
  readonly now: StorePlace
}

/** Begins a term: transactions of earlier ones are refused from now on. */
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

/** Ends what the node that settled before may have left unfinished: it is suspended, or cut off, and holds locks. */
export async function endFormer(database: Database): Promise<void> {
  await database.urgent((tx) =>
    tx.all(
      `select pg_terminate_backend(a.pid) from pg_stat_activity a join fence f on f.backend = a.application_name
       where f.backend <> '' and a.datname = current_database() and a.xact_start is not null
         and a.application_name <> current_setting('application_name')`,
    ),
  )
}

/**
 * The same database for work of the settling node alone: without a term, or in one that is over, it changes nothing.
 */
export const fenced = (database: Database, term: () => bigint | undefined): Database =>
  behind(database, (tx) => passFence(tx, term()))

/**
 * The same for changes of alarms by people and programs, at any node: they depend on no term, but on the server and
 * timeline.
 */
export const placed = (database: Database): Database =>
  behind(database, async (tx) => requireHere((await tx.all(fenceSql))[0]))

function behind(database: Database, first: (tx: Transaction) => Promise<void>): Database {
  const transaction: Database['transaction'] = (work, actor) => database.transaction(work, actor, first)
  return new Proxy(database, {
    get(target, name) {
      if (name === 'transaction') return transaction
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
