// Sums up a span of the alarm log for the daily figures, in the background thread.

import { defaultZone, zonesOfDevices } from '../../resources/inventory/zone.ts'
import type { Reader, Row, SqlValue } from '../../store/database.ts'
import { allWithValues } from '../../store/where.ts'
import { oldestEntry } from '../log/alarm-log.ts'

/** Figures are kept for all alarms, and per zone, device and event. */
export const dimensions = ['all', 'zone', 'device', 'event'] as const
export type Dimension = (typeof dimensions)[number]

/** The sums of one member of a dimension. Times are in milliseconds: total and longest. */
export interface FigureSums {
  raised: number
  acknowledged: number
  ackTime: number
  ackMost: number
  ended: number
  endTime: number
  endMost: number
}

/** Entries after `after` up to `until`, at most `limit`. */
export interface LogSpan {
  readonly after: bigint
  readonly until: bigint
  readonly limit: number
  readonly timeZone: string
}

export interface SpanSums {
  /** The number of entries, and the number of the last one. */
  readonly entries: number
  readonly last: bigint
  /** Dimension, day, member and sums. */
  readonly rows: readonly SqlValue[][]
}

export async function work(reader: Reader, { after, until, limit, timeZone }: LogSpan): Promise<SpanSums> {
  // Skips entries that retention removed before they were counted.
  const gone = (await oldestEntry(reader)) - 1n
  const entries = await reader.all(
    'select number, kind, at, alarm_id, oid, device_id, cleared from alarm_log where number > ? and number <= ? order by number limit ?',
    [gone > after ? gone : after, until, limit],
  )
  const last = (entries.at(-1)?.number as bigint | undefined) ?? after
  return { entries: entries.length, last, rows: await rowsOf(reader, entries, new LocalDays(timeZone)) }
}

interface LogChange {
  readonly kind: 'raise' | 'acknowledge' | 'end'
  readonly at: number
  readonly oid: string
  readonly deviceId: bigint
  /** Milliseconds since it was raised. */
  readonly took: number
}

async function rowsOf(reader: Reader, entries: readonly Row[], days: LocalDays): Promise<SqlValue[][]> {
  const changes = await changesIn(reader, entries)
  const zones = await zonesOfDevices(reader, [...new Set(changes.map(({ deviceId }) => deviceId))])
  const byDay = new Map<string, DaySums>()
  for (const change of changes) {
    const { oid, deviceId } = change
    const sums = getOrAdd(byDay, days.dayOf(change.at), newDay)
    add(getOrAdd(sums.all, '', noSums), change)
    add(getOrAdd(sums.zone, zones.get(deviceId) ?? defaultZone, noSums), change)
    add(getOrAdd(sums.device, deviceId, noSums), change)
    add(getOrAdd(sums.event, oid, noSums), change)
  }
  return [...byDay].flatMap(([day, sums]) =>
    dimensions.flatMap((dimension) =>
      Array.from(sums[dimension], ([member, memberSums]) => [
        dimension,
        day,
        String(member),
        ...valuesOf(memberSums),
      ]),
    ),
  )
}

/** The sums of a day, by dimension and member. */
type DaySums = Readonly<Record<Dimension, Map<string | bigint, FigureSums>>>

const newDay = (): DaySums => ({ all: new Map(), zone: new Map(), device: new Map(), event: new Map() })

function getOrAdd<K, V>(entries: Map<K, V>, key: K, make: () => V): V {
  let entry = entries.get(key)
  if (entry === undefined) {
    entry = make()
    entries.set(key, entry)
  }
  return entry
}

/** A raise is described by its entry; other changes need the alarm. */
async function changesIn(reader: Reader, entries: readonly Row[]): Promise<LogChange[]> {
  const alarms = await alarmRows(reader, [...new Set(entries.flatMap(alarmsOf))])
  const changes: LogChange[] = []
  for (const entry of entries) {
    const at = Number(entry.at)
    if (entry.kind === 'raise') {
      changes.push({
        kind: 'raise',
        at,
        oid: String(entry.oid),
        deviceId: entry.device_id as bigint,
        took: 0,
      })
      continue
    }
    for (const id of alarmsOf(entry)) {
      const alarm = alarms.get(id)
      if (!alarm) continue
      const [oid, deviceId] = [String(alarm.oid), alarm.device_id as bigint]
      const since = Number(alarm.fault_time)
      if (entry.kind === 'recover') {
        changes.push({ kind: 'end', at, oid, deviceId, took: Math.max(0, Number(alarm.rec_time) - since) })
      } else if (Number(alarm.first_ack_time) === at) {
        // Only the first acknowledgement counts, even if it was withdrawn.
        changes.push({ kind: 'acknowledge', at, oid, deviceId, took: Math.max(0, at - since) })
      }
    }
  }
  return changes
}

/** The alarms to look up for an entry. */
function alarmsOf({ kind, alarm_id: id, cleared }: Row): bigint[] {
  if (kind === 'acknowledge') return [id as bigint]
  if (kind !== 'recover') return []
  return JSON.parse(String(cleared)).map(([one]: [string]) => BigInt(one))
}

async function alarmRows(reader: Reader, ids: readonly bigint[]): Promise<Map<bigint, Row>> {
  const rows = await allWithValues(
    reader,
    ids,
    (marks) =>
      `select id, oid, device_id, fault_time, rec_time, first_ack_time from alarm where id in (${marks})`,
  )
  return new Map(rows.map((row) => [row.id as bigint, row]))
}

const noSums = (): FigureSums => ({
  raised: 0,
  acknowledged: 0,
  ackTime: 0,
  ackMost: 0,
  ended: 0,
  endTime: 0,
  endMost: 0,
})

function add(sums: FigureSums, { kind, took }: LogChange): void {
  if (kind === 'raise') sums.raised += 1
  else if (kind === 'acknowledge') {
    sums.acknowledged += 1
    sums.ackTime += took
    sums.ackMost = Math.max(sums.ackMost, took)
  } else {
    sums.ended += 1
    sums.endTime += took
    sums.endMost = Math.max(sums.endMost, took)
  }
}

const valuesOf = (sums: FigureSums): SqlValue[] => [
  sums.raised,
  sums.acknowledged,
  sums.ackTime,
  sums.ackMost,
  sums.ended,
  sums.endTime,
  sums.endMost,
]

/** Formats days of a time zone as yyyy-MM-dd. Caches the last minute, because formatting takes 30 µs or more. */
export class LocalDays {
  readonly #format: Intl.DateTimeFormat
  #minute = Number.NaN
  #day = ''

  constructor(timeZone: string) {
    // The locale that formats dates as yyyy-MM-dd.
    this.#format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })
  }

  dayOf(at: number): string {
    // In every time zone, days begin on a whole minute.
    const minute = Math.floor(at / 60_000)
    if (minute !== this.#minute) {
      this.#day = this.#format.format(at)
      this.#minute = minute
    }
    return this.#day
  }
}
