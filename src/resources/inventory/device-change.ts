// What changed of devices, as it was found by asking them: a port that was renamed, another neighbour, other software.

import { list } from '../../schema/list.ts'
import { assigned, derived, empty, type RecordOf, resource } from '../../schema/resource.ts'
import { instant, long, text } from '../../schema/scalar.ts'
import type { Database } from '../../store/database.ts'
import { collection } from '../collection.ts'
import { oneOf } from '../notify/gateway.ts'
import { deviceHeads } from './device.ts'
import { zoneOfDevice } from './zone.ts'

const changeKinds = [
  'sysName',
  'sysDescription',
  'sysOid',
  'location',
  'contact',
  'serialNumber',
  'model',
  'software',
  'addressAdded',
  'addressRemoved',
  'portAdded',
  'portRemoved',
  'portRenamed',
  'portRenumbered',
  'portAlias',
  'portType',
  'portSpeed',
  'portMac',
  'portAdminStatus',
  'neighbourAdded',
  'neighbourRemoved',
  'neighbourChanged',
  /** There were more than are recorded of one round. */
  'more',
] as const
export type ChangeKind = (typeof changeKinds)[number]

export const deviceChange = resource(
  'deviceChange',
  {
    id: assigned(long),
    deviceId: assigned(long),
    deviceName: derived(text(), empty),
    /** 0: it is not about a port. */
    ifIndex: assigned(long),
    portName: assigned(text({ maxLength: 255 }), empty),
    time: assigned(instant),
    kind: assigned(oneOf(...changeKinds)),
    oldValue: assigned(text(), empty),
    newValue: assigned(text(), empty),
  },
  { table: 'device_change', key: 'id' },
)
export type DeviceChange = RecordOf<typeof deviceChange.fields>

export const deviceChanges = collection({
  resource: deviceChange,
  noun: 'change of a device',
  list: list('/plat/deviceChange', deviceChange, {
    filters: ({ anyOf, equals, period, through }) => ({
      deviceId: anyOf('deviceId'),
      ifIndex: equals('ifIndex'),
      kind: anyOf('kind'),
      startTime: period('time', 'from'),
      endTime: period('time', 'until'),
      zoneId: through('deviceId', zoneOfDevice, long),
    }),
    orderBy: { id: 'id', time: 'time' },
    descendingWithoutOrder: true,
    unindexed: true,
  }),
  rules: { show: showDevices },
})

async function showDevices(database: Database, records: DeviceChange[]): Promise<void> {
  const heads = await deviceHeads(database, [...new Set(records.map(({ deviceId }) => deviceId))])
  for (const record of records) record.deviceName = heads.get(record.deviceId)?.label ?? ''
}
