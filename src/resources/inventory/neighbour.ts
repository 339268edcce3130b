// The neighbours of devices, as these have learnt them by LLDP and CDP.

import { list } from '../../schema/list.ts'
import { assigned, derived, empty, type RecordOf, resource } from '../../schema/resource.ts'
import { bool, instant, long, text } from '../../schema/scalar.ts'
import type { Database } from '../../store/database.ts'
import { collection } from '../collection.ts'
import { deviceHeads } from './device.ts'
import { neighbourDevices } from './neighbour-devices.ts'

const word = text({ maxLength: 255 })

export const neighbour = resource(
  'neighbour',
  {
    id: assigned(long),
    deviceId: assigned(long),
    deviceName: derived(text(), empty),
    /** The device's own port; 0: unknown. */
    ifIndex: assigned(long),
    portName: assigned(word, empty),
    protocol: assigned(text({ maxLength: 10 })),
    chassis: assigned(word, empty),
    sysName: assigned(word, { ...empty, keyed: true }),
    remotePort: assigned(word, empty),
    remotePortDescription: assigned(word, empty),
    address: assigned(word, empty),
    platform: assigned(word, empty),
    learnt: assigned(instant),
    /** The device did not name it when it was last asked; it is forgotten if that happens again. */
    missing: assigned(bool),
    /** The device of the inventory that it is, where that is certain. */
    neighbourId: derived(long, { mayBeAbsent: true }),
    neighbourName: derived(text(), empty),
  },
  { table: 'neighbour', key: 'id' },
)
export type Neighbour = RecordOf<typeof neighbour.fields>

export const neighbours = collection({
  resource: neighbour,
  noun: 'neighbour',
  list: list('/plat/neighbour', neighbour, {
    filters: ({ anyOf, equals, wildcard }) => ({
      deviceId: anyOf('deviceId'),
      ifIndex: equals('ifIndex'),
      protocol: anyOf('protocol'),
      sysName: wildcard('sysName'),
    }),
    orderBy: { id: 'id', sysName: 'sysName' },
    unindexed: true,
  }),
  rules: { show: showDevices },
})

async function showDevices(database: Database, records: Neighbour[]): Promise<void> {
  const known = await neighbourDevices(database, records)
  const heads = await deviceHeads(database, [
    ...new Set([...records.map(({ deviceId }) => deviceId), ...known.values()]),
  ])
  for (const record of records) {
    record.deviceName = heads.get(record.deviceId)?.label ?? ''
    const head = heads.get(known.get(record.id) ?? 0n)
    record.neighbourName = head?.label ?? ''
    if (head) record.neighbourId = head.id
  }
}
