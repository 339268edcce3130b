// What a span of the alarm log adds to the figures: read and summed up in the thread of long reads.

import { defaultZone, zonesOfDevices } from '../../resources/inventory/zone.ts'
import type { Reader, Row, SqlValue } from '../../store/database.ts'
import { allWithValues } from '../../store/where.ts'
import { oldest } from '../log/alarm-log.ts'

/** What figures are kept by: all alarms together, and each zone, device and event. */
export const dimensions = ['all', 'zone', 'device', 'event'] as const
export type Dimension = (typeof dimensions)[number]

/** Of one member of a dimension. Times are in milliseconds: the sum of all, and the longest. */
export interface Sums {
  raised: number
  acknowledged: number
  ackTime: number
  ackMost: number
  ended: number
  endTime: number
  endMost: number
}

/** Entries after a number, at most up to another one, and at most `limit` of them. */
export interface LogSpan {
  readonly after: bigint
  readonly until: bigint
  readonly limit: number
  readonly timeZone: string
}

export interface SpanSums {
  /** How many entries it has, and the number of the last. */
  readonly entries: number
  readonly last: bigint
  /** Dimension, day, member and sums. */
  readonly rows: readonly SqlValue[][]
}

export async function work(reader: Reader, { after, until, limit, timeZone }: LogSpan): Promise<SpanSums> {
  // Entries that retention has removed before they were counted are skipped.
  const gone = (await oldest(reader)) - 1n
  const entries = await reader.all(
    'select number, kind, at, alarm_id, oid, device_id, cleared from alarm_log where number > ? and number <= ? order by number limit ?',
    [gone > after ? gone : after, until, limit],
  )
  const last = (entries.at(-1)?.number as bigint | undefined) ?? after
  return { entries: entries.length, last, rows: await rowsOf(reader, entries, new LocalDays(timeZone)) }
}

/** Something that happened to an alarm. */
interface LogChange {
  readonly kind: 'raise' | 'acknowledge' | 'end'
  readonly at: number
  readonly oid: string
  readonly deviceId: bigint
  /** Milliseconds since it was raised. */
  readonly took: number
}

async function rowsOf(reader: Reader, entries: readonly Row[], days: LocalDays): Promise<SqlValue[][]> {
  const all = await happenedIn(reader, entries)
  const zones = await zonesOfDevices(reader, [...new Set(all.map(({ deviceId }) => deviceId))])
  const byDay = new Map<string, DaySums>()
  for (const one of all) {
    const { oid, deviceId } = one
    const { all: every, zone, device, event } = entryOf(byDay, days.of(one.at), newDay)
    add(entryOf(every, '', nothing), one)
    add(entryOf(zone, zones.get(deviceId) ?? defaultZone, nothing), one)
    add(entryOf(device, deviceId, nothing), one)
    add(entryOf(event, oid, nothing), one)
  }
  return [...byDay].flatMap(([day, sums]) =>
    dimensions.flatMap((dimension) =>
      Array.from(sums[dimension], ([member, of]) => [dimension, day, String(member), ...valuesOf(of)]),
    ),
  )
}

/** The sums of a day, by dimension and member. */
type DaySums = Readonly<Record<Dimension, Map<string | bigint, Sums>>>

const newDay = (): DaySums => ({ all: new Map(), zone: new Map(), device: new Map(), event: new Map() })

function entryOf<K, V>(entries: Map<K, V>, key: K, make: () => V): V {
  let entry = entries.get(key)
  if (entry === undefined) {
    entry = make()
    entries.set(key, entry)
  }
  return entry
}

/** A raise is in its entry; for the rest, the alarm is needed. */
async function happenedIn(reader: Reader, entries: readonly Row[]): Promise<LogChange[]> {
  const alarms = await alarmRows(reader, [...new Set(entries.flatMap(alarmsOf))])
  const all: LogChange[] = []
  for (const entry of entries) {
    const at = Number(entry.at)
    if (entry.kind === 'raise') {
      all.push({
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
        all.push({ kind: 'end', at, oid, deviceId, took: Math.max(0, Number(alarm.rec_time) - since) })
      } else if (Number(alarm.first_ack_time) === at) {
        // An acknowledgement that was withdrawn and given again counts with the time of the first.
        all.push({ kind: 'acknowledge', at, oid, deviceId, took: Math.max(0, at - since) })
      }
    }
  }
  return all
}

/** The alarms that must be looked up. */
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

const nothing = (): Sums => ({
  raised: 0,
  acknowledged: 0,
  ackTime: 0,
  ackMost: 0,
  ended: 0,
  endTime: 0,
  endMost: 0,
})

function add(sums: Sums, { kind, took }: LogChange): void {
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

const valuesOf = (sums: Sums): SqlValue[] => [
  sums.raised,
  sums.acknowledged,
  sums.ackTime,
  sums.ackMost,
  sums.ended,
  sums.endTime,
  sums.endMost,
]

/** Days of a time zone as yyyy-MM-dd. Computing one takes 30 µs and more, and most calls are for the same minute. */
export class LocalDays {
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
