// Reads outages from the store: intervals in which alarms reported a device or an interface as unreachable.

import { type Maintenance, readMaintenances } from '../resources/alarms/maintenance.ts'
import { membersOf, readViews } from '../resources/inventory/custom-view.ts'
import { CompiledWindow, inForce, nextChange } from '../rules/maintenance-windows.ts'
import type { ZoneTime } from '../rules/zone-time.ts'
import type { Reader } from '../store/database.ts'
import type { ReportInput } from './report.ts'
import { type Intervals, type Period, union } from './report-period.ts'
import { oneOf } from './report-scope.ts'

export type Of = 'device' | 'interface'

/** Above this number of devices, the alarms are read in one scan rather than device by device. */
const lookedUp = 100

/** The events whose alarms mean that something is out of reach: by their definition now, or when they were raised. */
export async function outageEvents({ reader, period }: ReportInput): Promise<string[]> {
  const rows = await reader.all(
    `select event_oid as oid from trap_event where out_of_reach = 1
     union select a.oid from alarm a where a.out_of_reach = 1 and ${during}`,
    [period.end, period.begin],
  )
  return rows.map((row) => String(row.oid))
}

/** The outages of one device or interface, in milliseconds. */
export interface Sum {
  readonly ifDesc: string | null
  readonly outage: number
  readonly outages: number
  readonly longest: number
}

/** Of one device: by interface, or of the device itself by null. */
export type Sums = Map<bigint | null, Sum>

/** The outages of devices themselves or of their interfaces, summed up by the store. */
export async function outageSums(
  of: Of,
  input: ReportInput,
  devices: readonly bigint[],
): Promise<Map<bigint, Sums>> {
  if (devices.length === 0) return new Map()
  // With a sign before it, the column is not looked up in its index.
  const ids = oneOf(devices.length > lookedUp ? '+a.device_id' : 'a.device_id', devices)
  const about = `a.if_index is ${of === 'device' ? 'null' : 'not null'}${ids.sql}`
  const rows = await input.reader.all(
    `${intervalsSql(about)} select device_id, if_index, max(if_desc) as if_desc, count(*) as outages,
       cast(sum(until - since) as bigint) as outage, max(until - since) as longest
     from g group by device_id, if_index`,
    [...valuesOf(input), ...ids.values],
  )
  const found = new Map<bigint, Sums>()
  for (const row of rows) {
    const own: Sums = found.get(row.device_id as bigint) ?? new Map()
    const number = (name: string) => Number(row[name])
    own.set(row.if_index as bigint | null, {
      ifDesc: row.if_desc as string | null,
      outage: number('outage'),
      outages: number('outages'),
      longest: number('longest'),
    })
    found.set(row.device_id as bigint, own)
  }
  return found
}

/** The outages of one place, one after the other. */
export async function outagesOf(input: ReportInput, { deviceId, ifIndex }: Place): Promise<Intervals> {
  const about = `a.device_id = ? and a.if_index ${ifIndex === null ? 'is null' : '= ?'}`
  const place = ifIndex === null ? [deviceId] : [deviceId, ifIndex]
  const rows = await input.reader.all(`${intervalsSql(about)} select since, until from g order by since`, [
    ...valuesOf(input),
    ...place,
  ])
  return rows.map((row) => ({ begin: Number(row.since), end: Number(row.until) }))
}

const valuesOf = ({ period, now }: ReportInput) => [
  ...[period.begin, period.begin, now, period.end],
  ...[period.end, period.begin],
]

/** Alarms that were open in the period: begun before its end, and not over before its beginning. */
const during = 'a.fault_time < ? and (a.rec_status = 0 or a.rec_time > ?)'

/**
 * The intervals out of reach, cut at the edges of the period. Alarms that overlap are merged by the store: each begins
 * a new interval only where all before it have ended.
 */
const intervalsSql = (about: string) => `with c as (
  select a.device_id, a.if_index, a.if_desc, a.id,
    case when a.fault_time < cast(? as bigint) then cast(? as bigint) else a.fault_time end as since,
    case when a.rec_status = 1 then a.rec_time else cast(? as bigint) end as ends, cast(? as bigint) as latest
  from alarm a left join trap_event e on e.event_oid = a.oid
  where (a.out_of_reach = 1 or e.out_of_reach = 1) and a.is_receover_fault = 0 and ${during} and ${about}),
o as (select c.*, case when ends > latest then latest else ends end as until from c),
b as (
  select o.*, max(until) over (partition by device_id, if_index order by since, id
    rows between unbounded preceding and 1 preceding) as ended_before from o where until > since),
s as (
  select b.*, sum(case when ended_before is null or since > ended_before then 1 else 0 end)
    over (partition by device_id, if_index order by since, id) as stretch from b),
g as (
  select device_id, if_index, max(if_desc) as if_desc, min(since) as since, max(until) as until
  from s group by device_id, if_index, stretch)`

// Computes when devices and interfaces were in maintenance, from the stored windows.

/** A device, or one of its interfaces. */
export interface Place {
  readonly deviceId: bigint
  readonly zoneId: bigint
  readonly ifIndex: bigint | null
  readonly ifDesc: string | null
}

interface TimedWindow {
  readonly covering: CompiledWindow
  readonly intervals: Intervals
}

export class MaintenanceTime {
  readonly #windows: readonly TimedWindow[]
  readonly #events: readonly string[]
  /** By the windows that cover a device or interface: most are covered by none, or by the same ones. */
  readonly #known = new Map<string, Intervals>()

  private constructor(windows: readonly TimedWindow[], events: readonly string[]) {
    this.#windows = windows
    this.#events = events
  }

  /** `events` are those whose alarms count as outage: a window for other events is ignored. */
  static async read(
    reader: Reader,
    period: Period,
    zone: ZoneTime,
    events: readonly string[],
  ): Promise<MaintenanceTime> {
    const views = membersOf(await readViews(reader))
    const windows = (await readMaintenances(reader)).flatMap((window) => {
      const intervals = intervalsOf(window, zone, period)
      return intervals.length === 0 ? [] : [{ covering: new CompiledWindow(window, zone, views), intervals }]
    })
    return new MaintenanceTime(windows, events)
  }

  of(place: Place): Intervals {
    const covering = this.#windows.filter((window) =>
      this.#events.some((event) => window.covering.covers({ ...place, OID: event, alarmType: event })),
    )
    const key = covering.map((window) => window.covering.id).join()
    let intervals = this.#known.get(key)
    if (!intervals) {
      intervals = union(covering.flatMap((window) => window.intervals))
      this.#known.set(key, intervals)
    }
    return intervals
  }
}

/** The parts of a period in which a window is in force. */
function intervalsOf(window: Maintenance, zone: ZoneTime, { begin, end }: Period): Intervals {
  const isInForce = inForce(window, zone)
  const found: Period[] = []
  for (let at = begin, isNow = isInForce(begin); at < end; isNow = !isNow) {
    const turn = Math.min(nextChange(window, zone, at), end)
    if (isNow) found.push({ begin: at, end: turn })
    at = turn
  }
  return found
}
