// What devices say of themselves when they are asked. What people typed in stays as it is, and wins: the difference is
// shown.

import { list } from '../../schema/list.ts'
import { assigned, assignedSet, derived, empty, type RecordOf, resource } from '../../schema/resource.ts'
import { instant, ip, long, text } from '../../schema/scalar.ts'
import type { Database, Reader } from '../../store/database.ts'
import { findAll } from '../../store/table.ts'
import { allWithValues } from '../../store/where.ts'
import { collection } from '../collection.ts'
import { type Device, devices } from './device.ts'
import { zoneOfDevice } from './zone.ts'

const word = text({ maxLength: 255 })

export const deviceFacts = resource(
  'deviceFacts',
  {
    deviceId: assigned(long),
    deviceIp: derived(ip, empty),
    deviceName: derived(text(), empty),
    sysName: assigned(word, { ...empty, keyed: true }),
    sysDescription: assigned(text(), empty),
    sysOid: assigned(text({ maxLength: 1408 }), empty),
    location: assigned(word, empty),
    contact: assigned(word, empty),
    serialNumber: assigned(word, empty),
    model: assigned(word, empty),
    software: assigned(word, empty),
    address: assignedSet(ip),
    /** When one of these was last found different. */
    learnt: assigned(instant),
    /** When it was last asked for all of this. */
    asked: assigned(instant),
    /** What was missing in its last answers, and why. */
    problem: assigned(text({ maxLength: 500 }), empty),
    /** The fields of the device in which people typed in something else. */
    differs: derived(text(), empty),
  },
  { table: 'device_facts', key: 'deviceId' },
)
export type DeviceFacts = RecordOf<typeof deviceFacts.fields>

export const deviceFactsList = collection({
  resource: deviceFacts,
  noun: 'record of device',
  list: list('/plat/deviceFacts', deviceFacts, {
    filters: ({ anyOf, wildcard, through }) => ({
      deviceId: anyOf('deviceId'),
      sysName: wildcard('sysName'),
      zoneId: through('id', zoneOfDevice, long),
    }),
    orderBy: { id: 'deviceId', sysName: 'sysName' },
  }),
  rules: { show: showDevices },
})

const typedFields = ['sysName', 'sysDescription', 'sysOid', 'location', 'contact'] as const

async function showDevices(database: Database, records: DeviceFacts[]): Promise<void> {
  const found = (await findAll(
    database,
    devices.table,
    records.map(({ deviceId }) => deviceId),
  )) as Device[]
  const byId = new Map(found.map((one) => [one.id, one]))
  for (const record of records) {
    const one = byId.get(record.deviceId)
    record.deviceIp = one?.ip ?? ''
    record.deviceName = one?.label ?? ''
    record.differs = typedFields
      .filter((name) => (one?.[name] ?? '') !== '' && one?.[name] !== record[name])
      .join(',')
  }
}

/** When devices were last asked for everything, by device. */
export async function lastAsked(reader: Reader, ids: readonly bigint[]): Promise<Map<bigint, number>> {
  const rows = await allWithValues(
    reader,
    ids,
    (marks) => `select id, asked from device_facts where id in (${marks})`,
  )
  return new Map(rows.map((row) => [row.id as bigint, Number(row.asked)]))
}
