// Applies one action to all alarms that match a filter, in short transactions and in the order of ids. Progress is stored,
// so that an interrupted batch continues after a restart.

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
import { applyToEach, type OperatorAction, resolveTimes } from './operator-actions.ts'

export interface BatchRequest {
  readonly action: OperatorAction
  /** Query parameters of the alarm list. */
  readonly filter: Parameters
  /** Skips alarms that were never pushed. */
  readonly pushedOnly: boolean
  readonly userName: string
  /** How many alarms matched when the request came. */
  readonly matched: number
}

export interface Batch {
  readonly id: bigint
  /** Alarms that still matched when it was their turn, and how many of these were changed. */
  readonly found: bigint
  readonly changed: bigint
}

const limits = {
  /** Alarms per transaction. */
  alarms: { fewest: 10, most: 500 },
  /** Batches running at the same time. */
  batches: 10,
}
/** A batch without progress for this long was interrupted. */
const abandonedAfter = 5000
/** How long the result of a batch is available. */
const retentionMs = 3_600_000

export class AlarmBatches {
  readonly #database: Database
  readonly #engine: Pick<AlarmEngine, 'change'>
  readonly #running = new Map<bigint, Promise<unknown>>()
  #isStopping = false

  constructor(database: Database, engine: Pick<AlarmEngine, 'change'>) {
    this.#database = database
    this.#engine = engine
  }

  /** Stores a batch and records it in the audit log, on behalf of the caller; returns its id. */
  async start(database: Database, request: BatchRequest): Promise<bigint> {
    return await database.transaction(async (tx) => {
      const [open] = await tx.all('select count(*) as n from alarm_batch where ended_at = 0')
      if (Number(open?.n) >= limits.batches) {
        const message = `${limits.batches} changes of many alarms are under way: try again when one is done`
        throw new Fault('conflict', message)
      }
      const action = resolveTimes(request.action, tx.now)
      const id = await nextId(tx, 'alarm_batch')
      // Alarms raised later are not included.
      const last = await readCounter(tx, 'alarm')
      await tx.run(
        'insert into alarm_batch (id, action, filter, content, user_name, done_to, up_to, changed, started_at, touched_at) values (?, ?, ?, ?, ?, 0, ?, 0, ?, ?)',
        [
          id,
          action.action,
          filterText(request),
          JSON.stringify(action),
          request.userName,
          last ?? 0n,
          tx.now,
          tx.now,
        ],
      )
      const detail = filterAsQuery(request.filter)
      await audit(tx, { action: action.action, resource: alarm.name, count: request.matched, detail })
      return id
    })
  }

  /** Runs a batch; returns when it is done. Throws if the service stops first. */
  async finish(id: bigint): Promise<Batch> {
    const alreadyRunning = this.#running.get(id)
    if (!alreadyRunning) {
      const running = this.#run(id).finally(() => this.#running.delete(id))
      this.#running.set(id, running)
    }
    await (alreadyRunning ?? this.#running.get(id))
    const [row] = await this.#database.all('select * from alarm_batch where id = ?', [id])
    if (!row?.ended_at) {
      const message = `the service stops: it goes on with the rest when it is started again, ${row?.changed ?? 0n} are done`
      throw new Fault('unavailable', message)
    }
    return { id, found: row.found as bigint, changed: row.changed as bigint }
  }

  /** Resumes interrupted batches, and removes old results. Called periodically. */
  async resume(now: number): Promise<void> {
    const rows = await this.#database.all('select id, touched_at, ended_at from alarm_batch order by id')
    const isOld = ({ ended_at }: Row) => ended_at !== 0n && now - Number(ended_at) > retentionMs
    if (rows.some(isOld)) {
      await this.#database.transaction(async (tx) => {
        await tx.run('delete from alarm_batch where ended_at > 0 and ended_at < ?', [tx.now - retentionMs])
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
    const options = { ...limits.alarms, isOver: () => this.#isStopping }
    await chunkByChunk((limit, begin) => this.#processChunk(id, limit, begin), options)
  }

  /** Processes the next alarms; returns how many were found. */
  async #processChunk(id: bigint, limit: number, begin: () => void): Promise<number> {
    const [batch] = await this.#database.all('select * from alarm_batch where id = ?', [id])
    if (batch?.ended_at !== 0n) return 0
    const conditions = conditionsOf(String(batch.filter))
    // In the background, because a filter without an index may have to scan all alarms.
    const next = selectIds(conditions, {
      sql: 'id > ? and id <= ?',
      parameters: [batch.done_to ?? 0n, batch.up_to ?? 0n],
    })
    const found = await this.#database.readInBackground(`${next.sql} limit ?`, [...next.parameters, limit])
    const ids = found.map((row) => row.id as bigint)
    const action: OperatorAction = JSON.parse(String(batch.content))
    return await this.#engine
      .change(async (changes, tx) => {
        begin()
        const isLast = ids.length < limit
        const doneTo = ids.at(-1) ?? batch.done_to ?? 0n
        const matching = ids.length === 0 ? [] : await tx.all(...stillMatching(conditions, ids))
        const loaded = await changes.load(matching.map((row) => row.id as bigint))
        loaded.sort((a, b) => (a.id < b.id ? -1 : 1))
        const changed = await applyToEach(changes, loaded, action, String(batch.user_name), tx.now)
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

/** Another node has continued the batch: the transaction is rolled back. */
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

const selectIds = (conditions: readonly Condition[], more: Clause): Clause => {
  const where = whereClause(conditions, more)
  return { ...where, sql: `select id from alarm${where.sql} order by id` }
}

function stillMatching(
  conditions: readonly Condition[],
  ids: readonly bigint[],
): [string, Clause['parameters']] {
  const marks = ids.map(() => '?').join(', ')
  const { sql, parameters } = selectIds(conditions, { sql: `id in (${marks})`, parameters: [...ids] })
  return [sql, parameters]
}

const filterText = ({ filter, pushedOnly }: BatchRequest) =>
  JSON.stringify({ filter: [...filter], pushedOnly })

function conditionsOf(text: string): Condition[] {
  const { filter, pushedOnly } = JSON.parse(text)
  const conditions = readConditions(alarms.list, new Map(filter))
  return pushedOnly ? [...conditions, { kind: 'equals', column: 'hidden', value: 0 }] : conditions
}

const filterTextLimit = 900

/** For the audit log. */
function filterAsQuery(filter: Parameters): string {
  const query = [...filter].flatMap(([name, values]) => values.map((value) => `${name}=${value}`)).join('&')
  return query.length > filterTextLimit ? `${query.slice(0, filterTextLimit)}…` : query
}
