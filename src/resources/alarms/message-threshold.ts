// Which syslog messages are read: those that are as severe as a threshold says, for all devices, or for some.

import { Fault } from '../../fault.ts'
import { TimeSlice } from '../../pacing/time-slice.ts'
import { list } from '../../schema/list.ts'
import { assigned, empty, optional, type RecordOf, required, resource, set } from '../../schema/resource.ts'
import { int, long, text } from '../../schema/scalar.ts'
import { inSpace } from '../../schema/space.ts'
import type { Reader, Row } from '../../store/database.ts'
import { collection, requireRoom } from '../collection.ts'
import { devicesIn, maxPlaces, type Place, places } from './named-devices.ts'

export const messageThreshold = resource(
  'messageThreshold',
  {
    id: assigned(long),
    /** The least severe messages that are read: 0 (emergency) to 7 (debug). */
    severity: required(int({ min: 0, max: 7 })),
    /** Of these facilities; without any, of all. */
    facility: set(int({ min: 0, max: 23 })),
    /** Of these devices, or devices of these types, or in these zones; without any, of all. */
    device: set(long),
    typeName: set(text()),
    zone: set(long),
    description: optional(text(), empty),
  },
  { table: 'message_threshold', key: 'id' },
)

type MessageThreshold = RecordOf<typeof messageThreshold.fields>

/** All of them are looked through whenever a device changes. */
const maxThresholds = 1000
export const messageThresholds = collection({
  resource: messageThreshold,
  noun: 'message threshold',
  list: list('/fault/messageThreshold', messageThreshold, { size: { default: 100, negative: 'default' } }),
  rules: {
    check(threshold) {
      const given = places.filter((place) => threshold[place].length > 0)
      if (given.length > 1)
        throw new Fault(
          'invalid',
          `${given.join(' and ')}: expected one of device, typeName, zone, or none`,
          {
            field: given[0] ?? 'device',
          },
        )
      for (const place of given)
        if (threshold[place].length > maxPlaces)
          throw new Fault('invalid', `${place}: expected at most ${maxPlaces}`, { field: place })
    },
    async saving(tx, _, before) {
      if (!before)
        await requireRoom(
          tx,
          'message_threshold',
          maxThresholds,
          'message thresholds already: delete one first',
        )
    },
  },
})

/** Of each facility, the least severe that is read. */
export type FacilityLimits = readonly number[]

export interface DeviceThresholds {
  readonly overall: FacilityLimits
  /** Of devices that have others, by each of their addresses, written as by `inSpace`. */
  readonly byAddress: ReadonlyMap<string, FacilityLimits>
}

const facilities = 24
const everything: FacilityLimits = Array.from({ length: facilities }, () => 7)

export async function thresholdsOfDevices(reader: Pick<Reader, 'all'>): Promise<DeviceThresholds> {
  const { form, name } = messageThresholds.table
  const rows = await reader.all(`select ${form.names} from ${name} order by id`)
  const all = rows.map((row) => form.toRecord(row) as MessageThreshold)
  const overall = limitsOf(everything, all.filter(isForAll))
  const byAddress = new Map<string, FacilityLimits>()
  const timeSlice = new TimeSlice()
  const named = new Map(places.map((place) => [place, byPlace(all, place)]))
  for (const row of await devicesOf(reader, named)) {
    const values = { zone: row.zone_id, typeName: row.type_name, device: row.device_id }
    let limits = overall
    // A more exact one counts.
    for (const place of places) limits = limitsOf(limits, named.get(place)?.get(values[place]) ?? [])
    byAddress.set(inSpace(String(row.ip), Number(row.space)), limits)
    await timeSlice.step()
  }
  return { overall, byAddress }
}

const isForAll = (threshold: MessageThreshold) => places.every((place) => threshold[place].length === 0)

type Named = Map<unknown, MessageThreshold[]>

/** The thresholds by each device, type or zone that they name. */
function byPlace(all: readonly MessageThreshold[], place: Place): Named {
  const found: Named = new Map()
  for (const threshold of all) {
    for (const value of new Set<unknown>(threshold[place])) {
      const known = found.get(value)
      if (known) known.push(threshold)
      else found.set(value, [threshold])
    }
  }
  return found
}

/** Of two thresholds that are equally exact, the one by which more is read counts. */
function limitsOf(below: FacilityLimits, thresholds: readonly MessageThreshold[]): FacilityLimits {
  if (thresholds.length === 0) return below
  return below.map((limit, facility) => {
    const about = thresholds.filter((one) => one.facility.length === 0 || one.facility.includes(facility))
    return about.length === 0 ? limit : Math.max(...about.map(({ severity }) => severity))
  })
}

async function devicesOf(reader: Pick<Reader, 'all'>, named: ReadonlyMap<Place, Named>): Promise<Row[]> {
  const rows: Row[] = []
  for (const [place, values] of named) {
    const found = await devicesIn(reader, place, [...values.keys()] as (bigint | string)[])
    rows.push(...found)
  }
  return rows
}
