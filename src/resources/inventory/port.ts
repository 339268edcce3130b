// The ports of devices, as these name them when they are asked. A port keeps its id while it keeps its name: indexes may
// change with every restart.

import { list } from '../../schema/list.ts'
import { assigned, derived, empty, type RecordOf, resource } from '../../schema/resource.ts'
import { instant, int, long, text } from '../../schema/scalar.ts'
import type { Database, Reader } from '../../store/database.ts'
import { findAll } from '../../store/table.ts'
import { allWithValues } from '../../store/where.ts'
import { collection } from '../collection.ts'
import { type Device, devices } from './device.ts'

const word = text({ maxLength: 255 })

export const port = resource(
  'port',
  {
    id: assigned(long),
    deviceId: assigned(long),
    deviceName: derived(text(), empty),
    ifIndex: assigned(long),
    name: assigned(word, { ...empty, keyed: true }),
    description: assigned(word, empty),
    alias: assigned(word, { ...empty, keyed: true }),
    /** IANAifType. */
    type: assigned(long),
    /** Bits a second. */
    speed: assigned(long),
    mac: assigned(text({ maxLength: 17 }), empty),
    /** 1 up, 2 down, 3 testing; 0: the device does not say it. */
    adminStatus: assigned(int()),
    /** 1 up, 2 down, 3 testing, 4 unknown, 5 dormant, 6 notPresent, 7 lowerLayerDown. */
    operStatus: assigned(int()),
    /** When the state changed last, as the device says. */
    lastChange: assigned(instant),
    /** When anything of this was last found different. */
    learnt: assigned(instant),
    /** The description that people typed in for its index, where it is another. */
    typed: derived(text(), empty),
  },
  { table: 'port', key: 'id' },
)
export type Port = RecordOf<typeof port.fields>

export const ports = collection({
  resource: port,
  noun: 'port',
  list: list('/plat/port', port, {
    filters: ({ anyOf, equals, wildcard, macPart }) => ({
      deviceId: anyOf('deviceId'),
      ifIndex: equals('ifIndex'),
      name: wildcard('name'),
      alias: wildcard('alias'),
      mac: macPart('mac'),
      operStatus: anyOf('operStatus'),
    }),
    orderBy: { id: 'id', name: 'name' },
    unindexed: true,
  }),
  rules: { show: showDevices },
})

/** The name by which a port is recognised and shown. */
export const portName = ({ name, description }: Pick<Port, 'name' | 'description'>): string =>
  name === '' ? description : name

async function showDevices(database: Database, records: Port[]): Promise<void> {
  const ids = [...new Set(records.map(({ deviceId }) => deviceId))]
  const found = (await findAll(database, devices.table, ids)) as Device[]
  const byId = new Map(found.map((one) => [one.id, one]))
  for (const record of records) {
    const one = byId.get(record.deviceId)
    record.deviceName = one?.label ?? ''
    const typed = one?.interfaces.find(({ ifIndex }) => ifIndex === record.ifIndex)?.ifDesc ?? ''
    const isKnown = [record.name, record.description, record.alias].includes(typed)
    record.typed = isKnown ? '' : typed
  }
}

export type PortStanding = Pick<
  Port,
  'ifIndex' | 'name' | 'description' | 'alias' | 'speed' | 'adminStatus' | 'operStatus'
>

/** The ports of devices, by device. */
export async function portsOf(reader: Reader, ids: readonly bigint[]): Promise<Map<bigint, PortStanding[]>> {
  const rows = await allWithValues(
    reader,
    ids,
    (marks) =>
      `select device_id, if_index, name, description, alias, speed, admin_status, oper_status from port where device_id in (${marks}) order by device_id, if_index`,
  )
  const found = new Map<bigint, PortStanding[]>()
  for (const row of rows) {
    const id = row.device_id as bigint
    const own = found.get(id) ?? []
    found.set(id, own)
    own.push({
      ...{ ifIndex: row.if_index as bigint, name: String(row.name), description: String(row.description) },
      ...{ alias: String(row.alias), speed: row.speed as bigint },
      ...{ adminStatus: Number(row.admin_status), operStatus: Number(row.oper_status) },
    })
  }
  return found
}

/** The indexes of a device's ports that have this name or description. */
export async function portsCalled(reader: Reader, deviceId: bigint, name: string): Promise<bigint[]> {
  const rows = await reader.all(
    'select if_index from port where device_id = ? and (name = ? or description = ?) order by id',
    [deviceId, name, name],
  )
  return rows.map((row) => row.if_index as bigint)
}
