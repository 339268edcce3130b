// The MAC addresses that devices have learnt at their ports, as they said when they were asked for their bridge tables.

import { list } from '../../schema/list.ts'
import { assigned, derived, empty, type RecordOf, resource } from '../../schema/resource.ts'
import { anyMac, bool, instant, int, long, text } from '../../schema/scalar.ts'
import type { Database } from '../../store/database.ts'
import { collection } from '../collection.ts'
import { deviceHeads } from './device.ts'

export const macEntry = resource(
  'macEntry',
  {
    id: assigned(long),
    deviceId: assigned(long),
    deviceName: derived(text(), empty),
    mac: assigned(anyMac),
    /** 0: the device does not tell VLANs apart. */
    vlan: assigned(int()),
    /** 0: unknown. */
    ifIndex: assigned(long),
    portName: assigned(text({ maxLength: 255 }), empty),
    /** Whether other devices are behind the port: the address is somewhere behind it. */
    uplink: assigned(bool),
    /** Since when it is at this port. */
    learnt: assigned(instant),
    /** Since when the device does not name it any more; 0: it does. */
    gone: assigned(instant),
  },
  { table: 'mac_entry', key: 'id' },
)
export type MacEntry = RecordOf<typeof macEntry.fields>

export const macEntries = collection({
  resource: macEntry,
  noun: 'MAC address at a port',
  list: list('/plat/macEntry', macEntry, {
    filters: ({ anyOf, equals, macPart }) => ({
      deviceId: anyOf('deviceId'),
      mac: macPart('mac'),
      vlan: equals('vlan'),
      ifIndex: equals('ifIndex'),
      uplink: equals('uplink'),
    }),
    orderBy: { id: 'id', mac: 'mac' },
    unindexed: true,
  }),
  rules: { show: showDevices },
})

export async function showDevices(
  database: Database,
  records: { deviceId: bigint; deviceName: string }[],
): Promise<void> {
  const heads = await deviceHeads(database, [...new Set(records.map(({ deviceId }) => deviceId))])
  for (const record of records) record.deviceName = heads.get(record.deviceId)?.label ?? ''
}

/** Not a group address, and not all zeros. */
export const isStationMac = (mac: string): boolean =>
  Number.parseInt(mac.slice(0, 2), 16) % 2 === 0 && mac !== '00:00:00:00:00:00'
