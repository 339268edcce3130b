// The report on the availability of devices and interfaces. An alarm whose event definition has `outOfReach`, now or
// when it was raised, is an outage; overlapping outages count once.

import { defaultZone } from '../resources/inventory/zone.ts'
import type { Row } from '../store/database.ts'
import { AskedDevices } from './asked-devices.ts'
import {
  MaintenanceTime,
  type Of,
  outageEvents,
  outageSums,
  outagesOf,
  type Place,
  type Sum,
  type Sums,
} from './outages.ts'
import { type Report, type ReportInput, times } from './report.ts'
import { type Content, column, figure, rowLimit, section, type Value } from './report-document.ts'
import { type Intervals, intersection, lengthOf, type Period } from './report-period.ts'

const report = (of: Of): Report => ({
  name: `${of}/availability`,
  words: `how much of the period each ${of} was within reach, maintenance apart`,
  takes: [...times, 'device', 'view', 'zone'],
  make: (input) => make(of, input),
})

export const deviceAvailability = report('device')
export const interfaceAvailability = report('interface')

const devicesAtOnce = 2000

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

function availabilityOf(period: Period, out: Intervals, maintenance: Intervals): Availability {
  const whole = period.end - period.begin
  const planned = lengthOf(maintenance)
  const down = intersection(out, maintenance)
  const unplanned = intersection(out, gapsIn(period, maintenance))
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
function gapsIn({ begin, end }: Period, stretches: Intervals): Intervals {
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
  const events = await outageEvents(input)
  const remarks =
    events.length === 0
      ? ['No event definition says that its alarm means out of reach (outOfReach): nothing counts as outage.']
      : []
  const planned = await MaintenanceTime.read(reader, period, zone, events)
  const found: Assessed[] = []
  let places = 0
  let shares = 0
  let measured = 0
  const asked = new AskedDevices()
  for await (const assessed of assess(of, input, planned, asked)) {
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
    figures: [...figuresOf(of, found, places, measured === 0 ? null : shares / measured), ...asked.figures],
    sections: [...sectionsOf(of, found), ...asked.sections],
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
async function* assess(
  of: Of,
  input: ReportInput,
  planned: MaintenanceTime,
  asked: AskedDevices,
): AsyncGenerator<Assessed> {
  const { reader, scope, period } = input
  const where = scope.places('id')
  for (let last = 0n; ; ) {
    const devices = await reader.all(
      `select id, label, ip, zone_id, interfaces from device where id > ?${where.sql} order by id limit ${devicesAtOnce}`,
      [last, ...where.values],
    )
    const ids = devices.map((row) => row.id as bigint)
    const sums = await outageSums(of, input, ids)
    if (of === 'device') await asked.add(input, devices)
    for (const device of devices) {
      const own: Sums = sums.get(device.id as bigint) ?? new Map()
      for (const { place, words, more } of placesOf(of, device, own)) {
        const maintenance = planned.of(place)
        const sum = own.get(place.ifIndex)
        // The intervals themselves are needed only where both are to be compared.
        const found =
          sum && maintenance.length > 0
            ? availabilityOf(period, await outagesOf(input, place), maintenance)
            : withoutMaintenance(period, sum, maintenance)
        yield { ...found, words, more }
      }
    }
    if (devices.length < devicesAtOnce) return
    last = devices.at(-1)?.id as bigint
  }
}

function withoutMaintenance(period: Period, sum: Sum | undefined, maintenance: Intervals): Availability {
  const none = availabilityOf(period, [], maintenance)
  if (!sum) return none
  const { outage, outages, longest } = sum
  const whole = period.end - period.begin
  return { ...none, outage, outages, longest, share: (whole - outage) / whole }
}

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
