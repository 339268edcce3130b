// Figures over many alarms, by day: how many were raised, acknowledged and ended, and how long that took. They are
// updated from the alarm log, in batches, and never counted anew: each entry is counted once, and the position up to
// which that was done is stored in the same transaction.

import { withZones } from '../../resources/inventory/zone.ts'
import { holdCounter, readCounter, setCounter } from '../../store/counter.ts'
import { bulk, type Database, type Row, type SqlValue, type Transaction } from '../../store/database.ts'
import { inPieces } from '../../store/pieces.ts'
import { head, oldest } from '../log.ts'

/** What figures are kept by: all alarms together, and each zone, device and event. */
export const dimensions = ['all', 'zone', 'device', 'event'] as const
export type Dimension = (typeof dimensions)[number]

/** Of one member of a dimension. Times are in milliseconds: the sum of all, and the longest. */
interface Sums {
  raised: number
  acknowledged: number
  ackTime: number
  ackMost: number
  ended: number
  endTime: number
  endMost: number
}

const place = 'alarm figures'
/** Entries in one transaction. */
const most = 500
/** A year, and a month to compare it with. */
const keepDays = 400
const day = 24 * 3600 * 1000

export class Figures {
  readonly #database: Database
  readonly #days: LocalDays

  constructor(database: Database, timeZone: string) {
    this.#database = database
    this.#days = new LocalDays(timeZone)
  }

  /**
   * Counts the entries that the log has gained since the last time. What comes during that is left for the next call:
   * there may be no end to it.
   */
  async catchUp(isOver = () => false): Promise<void> {
    const until = await head(this.#database)
    if (((await readCounter(this.#database, place)) ?? 0n) >= until) return
    await inPieces(this.#database, (tx, limit) => this.#count(tx, until, limit), { most, isOver })
  }

  /** Counts at most this many entries; returns how many there were. */
  async #count(tx: Transaction, until: bigint, limit: number): Promise<number> {
    // Locked: where several services share a store, no two of them count the same entries.
    let after = await holdCounter(tx, place)
    // Entries that retention has removed before they were counted are skipped.
    const gone = (await oldest(tx)) - 1n
    if (gone > after) after = gone
    const entries = await tx.all(
      'select number, kind, at, alarm_id, cleared from alarm_log where number > ? and number <= ? order by number limit ?',
      [after, until, limit],
    )
    const last = (entries.at(-1)?.number as bigint | undefined) ?? after
    await this.#add(tx, entries)
    await setCounter(tx, place, last)
    return entries.length
  }

  async #add(tx: Transaction, entries: readonly Row[]): Promise<void> {
    const touched = entries.flatMap(alarmsOf)
    if (touched.length === 0) return
    const alarms = await alarmRows(tx, [...new Set(touched.map(({ id }) => id))])
    const sums = new Map<string, Sums>()
    for (const { kind, id, at } of touched) {
      const alarm = alarms.get(id)
      if (!alarm) continue
      const own = sumsOf(alarm, kind, at)
      if (!own) continue
      const localDay = this.#days.of(at)
      for (const [dimension, member] of membersOf(alarm)) {
        const key = `${dimension}\0${localDay}\0${member}`
        sums.set(key, together(sums.get(key), own))
      }
    }
    await tx.runEach(
      added,
      [...sums].map(([key, sum]) => [...key.split('\0'), ...valuesOf(sum)]),
    )
  }

  /** Removes the figures of days beyond the retention time. */
  async forget(now: number): Promise<void> {
    const border = this.#days.of(now - keepDays * day)
    const [old] = await this.#database.all(
      'select 1 from alarm_figure where dimension = ? and day < ? limit 1',
      ['all', border],
    )
    if (!old) return
    await this.#database.transaction(async (tx) => {
      for (const dimension of dimensions) {
        await tx.run('delete from alarm_figure where dimension = ? and day < ?', [dimension, border])
      }
    })
  }
}

/** Days of a time zone as yyyy-MM-dd. Computing one takes 30 µs and more, and most calls are for the same minute. */
class LocalDays {
  readonly #format: Intl.DateTimeFormat
  #minute = Number.NaN
  #day = ''

  constructor(timeZone: string) {
    // The one locale whose plain form is yyyy-MM-dd.
    this.#format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })
  }

  of(at: number): string {
    // In every zone a day begins with a whole minute.
    const minute = Math.floor(at / 60_000)
    if (minute !== this.#minute) {
      this.#day = this.#format.format(at)
      this.#minute = minute
    }
    return this.#day
  }
}

interface Touched {
  readonly kind: 'raise' | 'acknowledge' | 'end'
  readonly id: bigint
  readonly at: number
}

function alarmsOf(entry: Row): Touched[] {
  const at = Number(entry.at)
  if (entry.kind === 'raise' || entry.kind === 'acknowledge') {
    return [{ kind: entry.kind, id: entry.alarm_id as bigint, at }]
  }
  if (entry.kind !== 'recover') return []
  const cleared: [string][] = JSON.parse(String(entry.cleared))
  return cleared.map(([id]) => ({ kind: 'end', id: BigInt(id), at }))
}

async function alarmRows(tx: Transaction, ids: readonly bigint[]): Promise<Map<bigint, Row>> {
  const rows = await tx.all(
    `select id, oid, device_id, fault_time, rec_time, first_ack_time from alarm where id in (${ids.map(() => '?').join(', ')})`,
    ids,
  )
  const placed = await withZones(tx, rows)
  return new Map(placed.map((row) => [row.id as bigint, row]))
}

const nothing: Sums = {
  raised: 0,
  acknowledged: 0,
  ackTime: 0,
  ackMost: 0,
  ended: 0,
  endTime: 0,
  endMost: 0,
}

/** An acknowledgement that was withdrawn and given again counts with the time of the first. */
function sumsOf(alarm: Row, kind: Touched['kind'], at: number): Sums | undefined {
  if (kind === 'raise') return { ...nothing, raised: 1 }
  const since = Number(alarm.fault_time)
  if (kind === 'end') {
    const took = Math.max(0, Number(alarm.rec_time) - since)
    return { ...nothing, ended: 1, endTime: took, endMost: took }
  }
  if (Number(alarm.first_ack_time) !== at) return undefined
  const took = Math.max(0, at - since)
  return { ...nothing, acknowledged: 1, ackTime: took, ackMost: took }
}

const membersOf = (alarm: Row): [Dimension, string][] => [
  ['all', ''],
  ['zone', String(alarm.zone_id ?? 1n)],
  ['device', String(alarm.device_id)],
  ['event', String(alarm.oid)],
]

const together = (one: Sums = nothing, other: Sums): Sums => ({
  raised: one.raised + other.raised,
  acknowledged: one.acknowledged + other.acknowledged,
  ackTime: one.ackTime + other.ackTime,
  ackMost: Math.max(one.ackMost, other.ackMost),
  ended: one.ended + other.ended,
  endTime: one.endTime + other.endTime,
  endMost: Math.max(one.endMost, other.endMost),
})

const valuesOf = (sums: Sums): SqlValue[] => [
  sums.raised,
  sums.acknowledged,
  sums.ackTime,
  sums.ackMost,
  sums.ended,
  sums.endTime,
  sums.endMost,
]

const greater = (column: string) =>
  `${column} = case when excluded.${column} > alarm_figure.${column} then excluded.${column} else alarm_figure.${column} end`
const more = (column: string) => `${column} = alarm_figure.${column} + excluded.${column}`

const added = bulk(
  `insert into alarm_figure (dimension, day, member, raised, acknowledged, ack_time, ack_most, ended, end_time, end_most)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (dimension, day, member) do update set
  ${['raised', 'acknowledged', 'ack_time', 'ended', 'end_time'].map(more).join(', ')},
  ${['ack_most', 'end_most'].map(greater).join(', ')}`,
  ['text', 'text', 'text', ...Array<'bigint'>(7).fill('bigint')],
)

/** A query: figures of the days of one member, or of each member over all of the days. */
export interface FigureQuery {
  readonly by: 'day' | 'zone' | 'device' | 'event'
  readonly of: { readonly dimension: Dimension; readonly member: string }
  /** Days as yyyy-MM-dd, both included. */
  readonly from: string
  readonly to: string
  readonly start: number
  readonly size: number
}

export interface Figure extends Sums {
  /** The day, or the member. */
  readonly key: string
}

/** Days in their order; members by how many alarms they had, the most first. */
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
  const [count] = await database.longRead(
    `select count(distinct ${column}) as n from alarm_figure where ${where}`,
    values,
  )
  const order = by === 'day' ? 'day' : 'sum(raised) desc, member'
  const rows = await database.longRead(
    `select ${column} as figure_key, ${summed} from alarm_figure where ${where} group by ${column} order by ${order} limit ? offset ?`,
    [...values, size, start],
  )
  return { total: Number(count?.n ?? 0n), figures: rows.map(figureOf) }
}

/** Sums of bigint columns are numeric on one of the stores: they are cast back. */
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
