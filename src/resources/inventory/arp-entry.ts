// Which addresses of IP belong to which MAC addresses, as devices said when they were asked for their tables of ARP and
// neighbour discovery.

import { list } from '../../schema/list.ts'
import { assigned, derived, empty, type RecordOf, resource } from '../../schema/resource.ts'
import { anyMac, instant, ip, long, text } from '../../schema/scalar.ts'
import type { Reader } from '../../store/database.ts'
import { collection } from '../collection.ts'
import { showDevices } from './mac-entry.ts'

export const arpEntry = resource(
  'arpEntry',
  {
    id: assigned(long),
    deviceId: assigned(long),
    deviceName: derived(text(), empty),
    ip: assigned(ip),
    mac: assigned(anyMac),
    ifIndex: assigned(long),
    portName: assigned(text({ maxLength: 255 }), empty),
    /** Since when the address has this MAC address. */
    learnt: assigned(instant),
    /** Since when the device does not name it any more; 0: it does. */
    gone: assigned(instant),
  },
  { table: 'arp_entry', key: 'id' },
)
export type ArpEntry = RecordOf<typeof arpEntry.fields>

export const arpEntries = collection({
  resource: arpEntry,
  noun: 'address in a table of ARP',
  list: list('/plat/arpEntry', arpEntry, {
    filters: ({ anyOf, anySpelling, equals, macPart }) => ({
      deviceId: anyOf('deviceId'),
      ip: anySpelling('ip'),
      mac: macPart('mac'),
      ifIndex: equals('ifIndex'),
    }),
    orderBy: { id: 'id', ip: 'ip' },
    unindexed: true,
  }),
  rules: { show: showDevices },
})

/** What a device knows now, in the order of the addresses as text. */
export async function arpOf(
  reader: Reader,
  deviceId: bigint,
): Promise<Pick<ArpEntry, 'ip' | 'mac' | 'ifIndex'>[]> {
  const rows = await reader.all(
    'select ip, mac, if_index from arp_entry where device_id = ? and gone = 0 order by ip, id',
    [deviceId],
  )
  return rows.map((row) => ({ ip: String(row.ip), mac: String(row.mac), ifIndex: row.if_index as bigint }))
}
