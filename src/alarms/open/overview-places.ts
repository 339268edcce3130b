// The state of zones and views: how many alarms are open in each, and how severe the worst of them is.

import { membersOf, readViews } from '../../resources/inventory/custom-view.ts'
import { allZoneNames, defaultZone, zonesOfDevices } from '../../resources/inventory/zone.ts'
import type { Database } from '../../store/database.ts'

interface OpenOfDevice {
  readonly deviceId: bigint
  readonly zoneId: bigint
  readonly worst: number
  readonly count: number
  readonly unacknowledged: number
}

interface Place {
  readonly id: bigint
  readonly name: string
  /** Of the worst open alarm; 0 where none is open. */
  readonly alarmLevel: number
  readonly count: bigint
  readonly unacknowledged: bigint
}

/** No more of either are sent. */
const maxPlaces = 60

/** Zones and views, the worst first; what is held back counts nowhere. A view of all devices would repeat the whole. */
export async function placesOf(database: Database): Promise<Record<'zone' | 'view', object[]>> {
  const devices = await openByDevice(database)
  const byZone = Map.groupBy(devices, ({ zoneId }) => zoneId)
  const zones = await allZoneNames(database)
  const views = await readViews(database)
  const members = membersOf(views)
  const ofView = ({ symbolId, name }: (typeof views)[number]) => {
    const held = members.get(symbolId) ?? new Set<bigint>()
    if (held === 'all') return []
    return [
      placeOf(
        symbolId,
        name,
        devices.filter(({ deviceId }) => held.has(deviceId)),
      ),
    ]
  }
  return {
    zone: worstFirst(Array.from(zones, ([id, name]) => placeOf(id, name, byZone.get(id)))).map(
      ({ id: zoneId, ...place }) => ({ zoneId, ...place }),
    ),
    view: worstFirst(views.flatMap(ofView)).map(({ id: symbolId, ...place }) => ({ symbolId, ...place })),
  }
}

/** What belongs to no known device counts as in the default zone, as in lists. */
async function openByDevice(database: Database): Promise<OpenOfDevice[]> {
  const rows = await database.readInBackground(
    'select device_id, min(alarm_level) as worst, count(*) as n, sum(1 - ack_status) as waiting from alarm where rec_status = 0 and suppressed = 0 group by device_id',
  )
  const ids = rows.map((row) => BigInt(String(row.device_id)))
  const zones = await zonesOfDevices(database, ids)
  return rows.map((row, index) => ({
    deviceId: ids[index] ?? 0n,
    zoneId: zones.get(ids[index] ?? 0n) ?? defaultZone,
    worst: Number(row.worst),
    count: Number(row.n),
    unacknowledged: Number(row.waiting),
  }))
}

function placeOf(id: bigint, name: string, devices: readonly OpenOfDevice[] = []): Place {
  const sum = (of: (one: OpenOfDevice) => number) =>
    BigInt(devices.reduce((total, one) => total + of(one), 0))
  return {
    ...{ id, name },
    alarmLevel: devices.reduce((worst, one) => (worst === 0 ? one.worst : Math.min(worst, one.worst)), 0),
    count: sum(({ count }) => count),
    unacknowledged: sum(({ unacknowledged }) => unacknowledged),
  }
}

/** Those without alarms come last, by name. */
function worstFirst(places: readonly Place[]): Place[] {
  const rank = ({ alarmLevel }: Place) => (alarmLevel === 0 ? Number.POSITIVE_INFINITY : alarmLevel)
  const byName = (a: Place, b: Place) => (a.name < b.name ? -1 : 1)
  return places
    .toSorted((a, b) => {
      const [one, other] = [rank(a), rank(b)]
      return one === other ? Number(b.count - a.count) || byName(a, b) : one - other
    })
    .slice(0, maxPlaces)
}
