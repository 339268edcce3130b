// Maintains daily figures of alarms: how many were raised, acknowledged and ended, and how long that took. Each log entry
// is counted once; the position reached is stored in the same transaction. Entries are summed in another thread, and only
// the sums are written here, so that traps do not wait.

import { chunkByChunk } from '../../store/chunked-work.ts'
import { lockCounter, readCounter, setCounter } from '../../store/counter.ts'
import { bulk, type Database, type Row, type SqlValue } from '../../store/database.ts'
import { threadFile } from '../../store/worker-thread.ts'
import { lastEntryNumber } from '../log/epochs.ts'
import {
  type Dimension,
  dimensions,
  type FigureSums,
  LocalDays,
  type LogSpan,
  type SpanSums,
} from './figure-sums.ts'

const sumsModule = threadFile('./figure-sums.ts', import.meta.url)
const positionCounter = 'alarm figures'
/** Log entries per transaction. */
const minRows = 100
const maxRows = 5000
/** A year, plus a month for comparison. */
const keepDays = 400
const day = 24 * 3600 * 1000

export class AlarmFigures {
  readonly #database: Database
  readonly #timeZone: string

  constructor(database: Database, timeZone: string) {
    this.#database = database
    this.#timeZone = timeZone
  }

  /** Counts the entries added since the last call, but none that are added meanwhile: there may be no end to them. */
  async catchUp(isOver = () => false): Promise<void> {
    const until = await lastEntryNumber(this.#database)
    if (((await readCounter(this.#database, positionCounter)) ?? 0n) >= until) return
    await chunkByChunk((limit, begin) => this.#count(until, limit, begin), { minRows, maxRows, isOver })
  }

  /** Counts at most `limit` entries; returns fewer if none are left. */
  async #count(until: bigint, limit: number, begin: () => void): Promise<number> {
    const after = (await readCounter(this.#database, positionCounter)) ?? 0n
    const span: LogSpan = { after, until, limit, timeZone: this.#timeZone }
    const { entries, last, rows } = await this.#database.workInBackground<SpanSums>(sumsModule, span)
    if (entries === 0) return 0
    return this.#database.transaction(async (tx) => {
      begin()
      // Another node, or a request for figures, may have counted them meanwhile: continue from there.
      if ((await lockCounter(tx, positionCounter)) !== after) return limit
      await tx.runEach(upsertFigures, rows)
      await setCounter(tx, positionCounter, last)
      return entries
    })
  }

  /** Removes the figures of days beyond the retention time. */
  async deleteOld(now: number): Promise<void> {
    const oldestDay = new LocalDays(this.#timeZone).dayOf(now - keepDays * day)
    const [old] = await this.#database.all(
      'select 1 from alarm_figure where dimension = ? and day < ? limit 1',
      ['all', oldestDay],
    )
    if (!old) return
    await this.#database.transaction(async (tx) => {
      for (const dimension of dimensions) {
        await tx.run('delete from alarm_figure where dimension = ? and day < ?', [dimension, oldestDay])
      }
    })
  }
}

const keepGreater = (column: string) =>
  `${column} = case when excluded.${column} > alarm_figure.${column} then excluded.${column} else alarm_figure.${column} end`
const addTo = (column: string) => `${column} = alarm_figure.${column} + excluded.${column}`

const upsertFigures = bulk(
  `insert into alarm_figure (dimension, day, member, raised, acknowledged, ack_time, ack_most, ended, end_time, end_most)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (dimension, day, member) do update set
  ${['raised', 'acknowledged', 'ack_time', 'ended', 'end_time'].map(addTo).join(', ')},
  ${['ack_most', 'end_most'].map(keepGreater).join(', ')}`,
  ['text', 'text', 'text', ...Array<'bigint'>(7).fill('bigint')],
)

/** By day: the figures of one member. Otherwise: the figures of each member over the whole period. */
export interface FigureQuery {
  readonly by: 'day' | 'zone' | 'device' | 'event'
  readonly of: { readonly dimension: Dimension; readonly member: string }
  /** Days as yyyy-MM-dd, both included. */
  readonly from: string
  readonly to: string
  readonly start: number
  readonly size: number
}

export interface Figure extends FigureSums {
  /** The day, or the member. */
  readonly key: string
}

/** Days in order; members by their number of alarms, descending. */
export async function readFigures(
  database: Database,
  query: FigureQuery,
): Promise<{ total: number; figures: Figure[] }> {
  const { by, of, from, to, start, size } = query
  const column = by === 'day' ? 'day' : 'member'
  const dimension = by === 'day' ? of.dimension : by
  const oneMember = by === 'day' || of.dimension === by
  const where = `dimension = ? and day >= ? and day <= ?${oneMember ? ' and member = ?' : ''}`
  const values: SqlValue[] = [dimension, from, to, ...(oneMember ? [of.member] : [])]
  const [count] = await database.readInBackground(
    `select count(distinct ${column}) as n from alarm_figure where ${where}`,
    values,
  )
  const order = by === 'day' ? 'day' : 'sum(raised) desc, member'
  const rows = await database.readInBackground(
    `select ${column} as figure_key, ${summed} from alarm_figure where ${where} group by ${column} order by ${order} limit ? offset ?`,
    [...values, size, start],
  )
  return { total: Number(count?.n ?? 0n), figures: rows.map(figureOf) }
}

/** PostgreSQL sums bigint columns as numeric: cast back. */
const cast = (fn: 'sum' | 'max', column: string) => `cast(${fn}(${column}) as bigint) as ${column}`
const summed = [
  ...['raised', 'acknowledged', 'ack_time', 'ended', 'end_time'].map((column) => cast('sum', column)),
  ...['ack_most', 'end_most'].map((column) => cast('max', column)),
].join(', ')

const figureOf = (row: Row): Figure => ({
  key: String(row.figure_key),
  raised: Number(row.raised),
  acknowledged: Number(row.acknowledged),
  ackTime: Number(row.ack_time),
  ackMost: Number(row.ack_most),
  ended: Number(row.ended),
  endTime: Number(row.end_time),
  endMost: Number(row.end_most),
})
