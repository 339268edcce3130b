// The fence: a row that every transaction of the leader locks first and compares with its term. A node that was
// suspended for a minute and wakes up finds another term there, and changes nothing.

import { Fault } from '../../fault.ts'
import type { Row, Store, Transaction } from '../../store/database.ts'
import { identityOf, identitySql, type ServerIdentity } from './server-identity.ts'

/** Whether commits wait for a synchronous standby; `synchronous_commit` is on. */
const waitsSql = "(current_setting('synchronous_standby_names') <> '')::int"

/** Reads the fence row; `more` is an additional column. */
const fenceSql = (
  more = '',
) => `select ${more}term, f.system = '' or (f.system, f.timeline) = (here.system, here.timeline) as is_here, waits, ${waitsSql} as waits_now
  from fence f, (select ${identitySql}) here where one = 1`

/**
 * Milliseconds that the server allows between two statements of the leader. The usual timeout is too short for a node
 * that gets too little processor time to send the next statement sooner, and would lose its work again and again. A
 * suspended node does not delay others longer by this: whoever takes over ends its session.
 */
const idleSql = "set_config('idle_in_transaction_session_timeout', ?, true), "
const idleWhenLate = '15000'

/** Throws if another node is the leader by now, or if no term has begun on this server. For `isLate`, see above. */
async function passFence(tx: Transaction, term: bigint | undefined, isLate: boolean): Promise<void> {
  const [row] = isLate
    ? await tx.all(`${fenceSql(idleSql)} for update of f`, [idleWhenLate])
    : await tx.all(`${fenceSql()} for update of f`)
  if (term === undefined || row?.term !== term) throw new Fault('conflict', notOurs)
  requireHere(row)
  await noteWaiting(tx, row)
}

/** Records whether commits wait for a standby, which may change at any time. */
async function noteWaiting(tx: Transaction, row: Row | undefined): Promise<void> {
  if (row && row.waits !== row.waits_now) await tx.run(`update fence set waits = ${waitsSql} where one = 1`)
}

/**
 * A promoted server may lack entries that clients have seen: until a term has begun there, it would issue the same
 * numbers again.
 */
function requireHere(row: Row | undefined): void {
  if (row?.is_here) return
  const message =
    'the store is served by another PostgreSQL than before, and no node is the leader there yet: try again'
  throw new Fault('unavailable', message)
}

const notOurs = 'another node is the leader by now: nothing was changed'

export const isTermOver = (error: unknown) => error instanceof Fault && error.message === notOurs

export interface FenceRaise {
  /** The server and timeline of the store when the last term began, and now. */
  readonly before: ServerIdentity
  readonly now: ServerIdentity
  /** Whether commits waited for a synchronous standby until then; a promoted one lacks none of them. */
  readonly waited: boolean
}

/** Begins a term: transactions of earlier terms are refused from now on. */
export async function raiseFence(tx: Transaction, term: bigint): Promise<FenceRaise> {
  const [row] = await tx.all('select term, system, timeline, waits from fence where one = 1 for update')
  if (!row || (row.term as bigint) >= term) throw new Fault('conflict', notOurs)
  const [here] = await tx.all(`select ${identitySql}`)
  const now = identityOf(here)
  await tx.run(
    `update fence set term = ?, backend = current_setting('application_name'), system = ?, timeline = ?, waits = ${waitsSql} where one = 1`,
    [term, now.system, now.timeline],
  )
  return { before: identityOf(row), now, waited: row.waits === 1n }
}

/** Ends transactions of the previous leader, which may be suspended or cut off and still hold locks. */
export async function endFormerSessions(database: Store): Promise<void> {
  await database.writeUrgently((tx) =>
    tx.all(
      `select pg_terminate_backend(a.pid) from pg_stat_activity a join fence f on f.backend = a.application_name
       where f.backend <> '' and a.datname = current_database() and a.xact_start is not null
         and a.application_name <> current_setting('application_name')`,
    ),
  )
}

/** The database for work that only the leader does: without a current term, its transactions change nothing. */
export const leaderOnly = (
  database: Store,
  term: () => bigint | undefined,
  isLate: () => boolean = () => false,
): Store => withCheck(database, (tx) => passFence(tx, term(), isLate()))

/**
 * The database for changes of alarms by people and programs, at any node: they do not depend on a term, but on the
 * server and timeline, and on a store that is not older than this node has seen it.
 */
export const onCurrentServer = (database: Store, requireLevel: () => void = () => undefined): Store =>
  withCheck(database, async (tx) => {
    requireLevel()
    const [row] = await tx.all(fenceSql())
    requireHere(row)
    await noteWaiting(tx, row)
  })

function withCheck(database: Store, first: (tx: Transaction) => Promise<void>): Store {
  const transaction: Store['transaction'] = (work, actor, turn) =>
    database.transaction(work, actor, { ...turn, first })
  return new Proxy(database, {
    get(target, name) {
      if (name === 'transaction') return transaction
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
