// One action on many alarms, chosen by a filter: in short transactions, alarm by alarm in the order of their ids. The
// progress is kept in the store: after an interruption, the next start goes on.

import { Fault } from '../../fault.ts'
import { audit } from '../../resources/access/audit-entry.ts'
import { alarm, alarms } from '../../resources/alarms/alarm.ts'
import { type Parameters, readConditions } from '../../schema/list.ts'
import type { Condition } from '../../schema/list-filter.ts'
import { chunkByChunk } from '../../store/chunked-work.ts'
import { readCounter } from '../../store/counter.ts'
import type { Database, Row } from '../../store/database.ts'
import { nextId } from '../../store/ids.ts'
import { type Clause, whereClause } from '../../store/where.ts'
import type { AlarmEngine } from '../engine/engine.ts'
import { timed, type Work, workOnEach } from './work-requests.ts'

/** What is asked for, and of which alarms. */
export interface Order {
  readonly work: Work
  /** The filters of the list of alarms. */
  readonly filter: Parameters
  /** Leaves out what was pushed to nobody. */
  readonly pushedOnly: boolean
  readonly userName: string
  /** How many there were when they were counted. */
  readonly matched: number
}

export interface Batch {
  readonly id: bigint
  /** Alarms that the filter found when it was their turn, and those of them that were changed. */
  readonly found: bigint
  readonly changed: bigint
}

const limits = {
  /** Alarms in one transaction. */
  alarms: { fewest: 10, most: 500 },
  /** Batches under way at the same time. */
  batches: 10,
}
/** A batch without progress for this long was interrupted. */
const abandonedAfter = 5000
/** How long its outcome is kept for whoever asked. */
const keptFor = 3_600_000

export class AlarmBatches {
  readonly #database: Database
  readonly #engine: Pick<AlarmEngine, 'change'>
  readonly #running = new Map<bigint, Promise<unknown>>()
  #isStopping = false

  constructor(database: Database, engine: Pick<AlarmEngine, 'change'>) {
    this.#database = database
    this.#engine = engine
  }

  /** Stores what is asked for, on behalf of the caller; it is recorded in the audit log here, once. Returns its id. */
  async start(database: Database, order: Order): Promise<bigint> {
    return await database.transaction(async (tx) => {
      const [open] = await tx.all('select count(*) as n from alarm_batch where ended_at = 0')
      if (Number(open?.n) >= limits.batches) {
        const message = `${limits.batches} changes of many alarms are under way: try again when one is done`
        throw new Fault('conflict', message)
      }
      const work = timed(order.work, tx.now)
      const id = await nextId(tx, 'alarm_batch')
      // Alarms that come later are not included.
      const last = await readCounter(tx, 'alarm')
      await tx.run(
        'insert into alarm_batch (id, action, filter, content, user_name, done_to, up_to, changed, started_at, touched_at) values (?, ?, ?, ?, ?, 0, ?, 0, ?, ?)',
        [
          id,
          work.action,
          filterText(order),
          JSON.stringify(work),
          order.userName,
          last ?? 0n,
          tx.now,
          tx.now,
        ],
      )
      const detail = filterWords(order.filter)
      await audit(tx, { action: work.action, resource: alarm.name, count: order.matched, detail })
      return id
    })
  }

  /** Does what was asked for; returns when all of it is done, or the service stops. */
  async finish(id: bigint): Promise<Batch> {
    const known = this.#running.get(id)
    if (!known) {
      const running = this.#run(id).finally(() => this.#running.delete(id))
      this.#running.set(id, running)
    }
    await (known ?? this.#running.get(id))
    const [row] = await this.#database.all('select * from alarm_batch where id = ?', [id])
    if (!row?.ended_at) {
      const message = `the service stops: it goes on with the rest when it is started again, ${row?.changed ?? 0n} are done`
      throw new Fault('unavailable', message)
    }
    return { id, found: row.found as bigint, changed: row.changed as bigint }
  }

  /** Resumes interrupted batches, and removes those that ended long ago. Called now and then. */
  async resume(now: number): Promise<void> {
    const rows = await this.#database.all('select id, touched_at, ended_at from alarm_batch order by id')
    const isOld = ({ ended_at }: Row) => ended_at !== 0n && now - Number(ended_at) > keptFor
    if (rows.some(isOld)) {
      await this.#database.transaction(async (tx) => {
        await tx.run('delete from alarm_batch where ended_at > 0 and ended_at < ?', [tx.now - keptFor])
      })
    }
    for (const { id, touched_at, ended_at } of rows) {
      const isAbandoned = ended_at === 0n && Math.abs(now - Number(touched_at)) > abandonedAfter
      if (isAbandoned && !this.#isStopping) await this.finish(id as bigint)
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await Promise.allSettled(this.#running.values())
  }

  async #run(id: bigint): Promise<void> {
    const pace = { ...limits.alarms, isOver: () => this.#isStopping }
    await chunkByChunk((limit, begin) => this.#step(id, limit, begin), pace)
  }

  /** Handles the next alarms; returns how many it has found. */
  async #step(id: bigint, limit: number, begin: () => void): Promise<number> {
    const [batch] = await this.#database.all('select * from alarm_batch where id = ?', [id])
    if (batch?.ended_at !== 0n) return 0
    const conditions = conditionsOf(String(batch.filter))
    // A long read: a filter without an index may have to look at every alarm there is.
    const next = within(conditions, {
      sql: 'id > ? and id <= ?',
      parameters: [batch.done_to ?? 0n, batch.up_to ?? 0n],
    })
    const found = await this.#database.readInBackground(`${next.sql} limit ?`, [...next.parameters, limit])
    const ids = found.map((row) => row.id as bigint)
    const work: Work = JSON.parse(String(batch.content))
    return await this.#engine
      .change(async (changes, tx) => {
        begin()
        const isLast = ids.length < limit
        const doneTo = ids.at(-1) ?? batch.done_to ?? 0n
        const still = ids.length === 0 ? [] : await tx.all(...among(conditions, ids))
        const loaded = await changes.load(still.map((row) => row.id as bigint))
        loaded.sort((a, b) => (a.id < b.id ? -1 : 1))
        const changed = await workOnEach(changes, loaded, work, String(batch.user_name), tx.now)
        const isOurs = await tx.run(
          'update alarm_batch set done_to = ?, found = found + ?, changed = changed + ?, touched_at = ?, ended_at = ? where id = ? and done_to = ? and ended_at = 0',
          [doneTo, loaded.length, changed, tx.now, isLast ? tx.now : 0, id, batch.done_to ?? 0n],
        )
        if (isOurs === 0) throw new ContinuedElsewhere(limit)
        return ids.length
      })
      .catch(continueBatch)
  }
}

/** Another node has continued it in the meantime: what was done here is rolled back. */
class ContinuedElsewhere extends Error {
  readonly limit: number

  constructor(limit: number) {
    super('the batch was gone on with elsewhere')
    this.limit = limit
  }
}

function continueBatch(error: unknown): number {
  if (error instanceof ContinuedElsewhere) return error.limit
  throw error
}

const within = (conditions: readonly Condition[], more: Clause): Clause => {
  const where = whereClause(conditions, more)
  return { ...where, sql: `select id from alarm${where.sql} order by id` }
}

function among(conditions: readonly Condition[], ids: readonly bigint[]): [string, Clause['parameters']] {
  const marks = ids.map(() => '?').join(', ')
  const { sql, parameters } = within(conditions, { sql: `id in (${marks})`, parameters: [...ids] })
  return [sql, parameters]
}

const filterText = ({ filter, pushedOnly }: Order) => JSON.stringify({ filter: [...filter], pushedOnly })

function conditionsOf(text: string): Condition[] {
  const { filter, pushedOnly } = JSON.parse(text)
  const asked = readConditions(alarms.list, new Map(filter))
  return pushedOnly ? [...asked, { kind: 'equals', column: 'hidden', value: 0 }] : asked
}

const longestWords = 900

/** As a query says it. */
function filterWords(filter: Parameters): string {
  const words = [...filter].flatMap(([name, values]) => values.map((value) => `${name}=${value}`)).join('&')
  return words.length > longestWords ? `${words.slice(0, longestWords)}…` : words
}
