// How much of a period devices and interfaces were within reach. An alarm whose event definition has `outOfReach`, now
// or when it was raised, is an outage, from its beginning to its end; what overlaps counts once.

import { defaultZone } from '../resources/inventory/zone.ts'
import type { Row } from '../store/database.ts'
import { type Content, column, figure, rowLimit, section, type Value } from './document.ts'
import { MaintenanceTime, type Place } from './maintenance-time.ts'
import { lengthOf, type Period, type Stretches, shared } from './period.ts'
import type { Report, ReportInput } from './report.ts'
import { times } from './request.ts'
import { oneOf } from './scope.ts'

type Of = 'device' | 'interface'

const report = (of: Of): Report => ({
  name: `${of}/availability`,
  words: `how much of the period each ${of} was within reach, maintenance apart`,
  takes: [...times, 'device', 'view', 'zone'],
  make: (input) => make(of, input),
})

export const deviceAvailability = report('device')
export const interfaceAvailability = report('interface')

const devicesAtOnce = 2000
/** Above this number of devices, the alarms are read in one scan rather than device by device. */
const lookedUp = 100

/** The state of one device or interface over the period, in milliseconds. */
export interface Availability {
  /** Out of reach outside of maintenance: in this many intervals; the longest of them. */
  readonly outage: number
  readonly outages: number
  readonly longest: number
  readonly maintenance: number
  /** Out of reach while in maintenance. */
  readonly down: number
  /** Of the time outside of maintenance; undefined where there was none. */
  readonly share: number | null
}

export function availabilityOf(period: Period, out: Stretches, maintenance: Stretches): Availability {
  const whole = period.end - period.begin
  const planned = lengthOf(maintenance)
  const down = shared(out, maintenance)
  const unplanned = shared(out, gapsIn(period, maintenance))
  const outage = lengthOf(unplanned)
  const measured = whole - planned
  return {
    outage,
    outages: unplanned.length,
    longest: unplanned.reduce((most, { begin, end }) => Math.max(most, end - begin), 0),
    maintenance: planned,
    down: lengthOf(down),
    share: measured === 0 ? null : (measured - outage) / measured,
  }
}

/** The parts of a period that none of the intervals covers. */
function gapsIn({ begin, end }: Period, stretches: Stretches): Stretches {
  const gaps: Period[] = []
  let from = begin
  for (const stretch of stretches) {
    if (stretch.begin > from) gaps.push({ begin: from, end: stretch.begin })
    from = stretch.end
  }
  if (from < end) gaps.push({ begin: from, end })
  return gaps
}

interface Assessed extends Availability {
  readonly words: string
  readonly more: string
}

async function make(of: Of, input: ReportInput): Promise<Content> {
  const { reader, period, zone } = input
  const flagged = await reader.all(
    `select event_oid as oid from trap_event where out_of_reach = 1
     union select a.oid from alarm a where a.out_of_reach = 1 and ${during}`,
    [period.end, period.begin],
  )
  const events = flagged.map((row) => String(row.oid))
  const remarks =
    events.length === 0
      ? ['No event definition says that its alarm means out of reach (outOfReach): nothing counts as outage.']
      : []
  const planned = await MaintenanceTime.read(reader, period, zone, events)
  const found: Assessed[] = []
  let places = 0
  let shares = 0
  let measured = 0
  for await (const assessed of assess(of, input, planned)) {
    places += 1
    if (assessed.share !== null) {
      shares += assessed.share
      measured += 1
    }
    // The others had no outage: they are counted, and not listed.
    if (assessed.outage + assessed.down + assessed.maintenance > 0) found.push(assessed)
  }
  found.sort((a, b) => b.outage - a.outage || b.down - a.down || (a.words < b.words ? -1 : 1))
  return {
    remarks,
    figures: figuresOf(of, found, places, measured === 0 ? null : shares / measured),
    sections: sectionsOf(of, found),
  }
}

function figuresOf(of: Of, found: readonly Assessed[], places: number, average: number | null) {
  const sum = (name: 'outage' | 'outages' | 'maintenance' | 'down') =>
    found.reduce((all, one) => all + one[name], 0)
  const several = of === 'device' ? 'Devices' : 'Interfaces'
  return [
    figure(several, places),
    figure('Available on average', average, 'share'),
    figure(`${several} with outages`, found.filter(({ outage }) => outage > 0).length),
    figure('Outages', sum('outages')),
    figure('Outage time, all together', sum('outage'), 'duration'),
    figure('Out of reach in maintenance', sum('down'), 'duration'),
  ]
}

function sectionsOf(of: Of, found: readonly Assessed[]) {
  const names = [column('device', 'Device'), ...(of === 'device' ? [] : [column('interface', 'Interface')])]
  const words = (one: Assessed): Value[] => (of === 'device' ? [one.words] : [one.words, one.more])
  const worst = found.filter(({ outage }) => outage > 0).slice(0, 10)
  const remark =
    'Availability is of the time outside of maintenance. What had neither outage nor maintenance is not listed.'
  return [
    section(
      'Out of reach for the longest time',
      [column('place', of === 'device' ? 'Device' : 'Interface'), column('outage', 'Outage', 'duration')],
      worst.map((one) => [words(one).join(' '), one.outage]),
      { chart: { kind: 'bars', label: 'place', series: ['outage'] } },
    ),
    section(
      'Outages and maintenance',
      [
        ...names,
        column('share', 'Available', 'share'),
        column('outages', 'Outages', 'number'),
        column('outage', 'Outage', 'duration'),
        column('longest', 'Longest', 'duration'),
        column('maintenance', 'In maintenance', 'duration'),
        column('down', 'Of that, out of reach', 'duration'),
      ],
      found
        .slice(0, rowLimit)
        .map((one) => [
          ...words(one),
          one.share,
          one.outages,
          one.outage,
          one.longest,
          one.maintenance,
          one.down,
        ]),
      { remark, total: found.length },
    ),
  ]
}

/** So many devices at a time that their data in memory stays small. */
async function* assess(of: Of, input: ReportInput, planned: MaintenanceTime): AsyncGenerator<Assessed> {
  const { reader, scope, period } = input
  const where = scope.places('id')
  for (let last = 0n; ; ) {
    const devices = await reader.all(
      `select id, label, ip, zone_id, interfaces from device where id > ?${where.sql} order by id limit ${devicesAtOnce}`,
      [last, ...where.values],
    )
    const sums = await sumsOf(of, input, devices)
    for (const device of devices) {
      const own: Sums = sums.get(device.id as bigint) ?? new Map()
      for (const { place, words, more } of placesOf(of, device, own)) {
        const maintenance = planned.of(place)
        const sum = own.get(place.ifIndex)
        // The intervals themselves are needed only where both are to be compared.
        const found =
          sum && maintenance.length > 0
            ? availabilityOf(period, await stretchesOf(input, place), maintenance)
            : withoutMaintenance(period, sum, maintenance)
        yield { ...found, words, more }
      }
    }
    if (devices.length < devicesAtOnce) return
    last = devices.at(-1)?.id as bigint
  }
}

function withoutMaintenance(period: Period, sum: Sum | undefined, maintenance: Stretches): Availability {
  const none = availabilityOf(period, [], maintenance)
  if (!sum) return none
  const { outage, outages, longest } = sum
  const whole = period.end - period.begin
  return { ...none, outage, outages, longest, share: (whole - outage) / whole }
}

interface Sum {
  readonly ifDesc: string | null
  readonly outage: number
  readonly outages: number
  readonly longest: number
}

/** Of one device: by interface, or of the device itself by null. */
type Sums = Map<bigint | null, Sum>

async function sumsOf(of: Of, input: ReportInput, devices: readonly Row[]): Promise<Map<bigint, Sums>> {
  if (devices.length === 0) return new Map()
  // With a sign before it, the column is not looked up in its index.
  const ids = oneOf(
    devices.length > lookedUp ? '+a.device_id' : 'a.device_id',
    devices.map((row) => row.id as bigint),
  )
  const about = `a.if_index is ${of === 'device' ? 'null' : 'not null'}${ids.sql}`
  const rows = await input.reader.all(
    `${stretchesSql(about)} select device_id, if_index, max(if_desc) as if_desc, count(*) as outages,
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

async function stretchesOf(input: ReportInput, { deviceId, ifIndex }: Place): Promise<Stretches> {
  const about = `a.device_id = ? and a.if_index ${ifIndex === null ? 'is null' : '= ?'}`
  const place = ifIndex === null ? [deviceId] : [deviceId, ifIndex]
  const rows = await input.reader.all(`${stretchesSql(about)} select since, until from g order by since`, [
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
const stretchesSql = (about: string) => `with c as (
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

interface Listed {
  readonly place: Place
  readonly words: string
  readonly more: string
}

/** The device itself, or its interfaces: those that are known, and those that alarms were about. */
function placesOf(of: Of, device: Row, out: Sums): Listed[] {
  const deviceId = device.id as bigint
  const zoneId = (device.zone_id as bigint | null) ?? defaultZone
  const words = String(device.label)
  if (of === 'device') {
    return [{ place: { deviceId, zoneId, ifIndex: null, ifDesc: null }, words, more: '' }]
  }
  const known: { ifIndex: string; ifDesc: string }[] = JSON.parse(String(device.interfaces))
  const interfaces = new Map(known.map(({ ifIndex, ifDesc }) => [BigInt(ifIndex), ifDesc]))
  for (const [ifIndex, { ifDesc }] of out) {
    if (ifIndex !== null && !interfaces.has(ifIndex)) interfaces.set(ifIndex, ifDesc ?? '')
  }
  return Array.from(interfaces, ([ifIndex, ifDesc]) => ({
    place: { deviceId, zoneId, ifIndex, ifDesc },
    words,
    more: ifDesc === '' ? `ifIndex ${ifIndex}` : ifDesc,
  }))
}
