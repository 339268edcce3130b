// What links are made of: neighbours that are devices of the inventory, and the numbers of the ports that they name.

import type { Database, Row } from '../../store/database.ts'
import { allWithValues } from '../../store/where.ts'
import { neighbourDevices } from './neighbour-devices.ts'

/** A neighbour that is a device of the inventory. */
export interface NamedDevice {
  /** Of the neighbour. */
  readonly id: bigint
  readonly deviceId: bigint
  readonly ifIndex: bigint
  readonly otherId: bigint
  /** The port of the other device, as it calls it. */
  readonly remotePort: string
  readonly remotePortDescription: string
}

const batch = 1000

export async function namedDevices(database: Database): Promise<NamedDevice[]> {
  const found: NamedDevice[] = []
  for (let after = 0n; ; ) {
    const rows = await database.all(
      'select id, device_id, if_index, address, chassis, sys_name, remote_port, remote_port_description from neighbour where id > ? order by id limit ?',
      [after, batch],
    )
    const named = rows.map((row) => ({
      ...{ id: row.id as bigint, deviceId: row.device_id as bigint, ifIndex: row.if_index as bigint },
      ...{ address: String(row.address), chassis: String(row.chassis), sysName: String(row.sys_name) },
      ...{ remotePort: String(row.remote_port), remotePortDescription: String(row.remote_port_description) },
    }))
    const devices = await neighbourDevices(database, named)
    for (const { address: _, chassis: _chassis, sysName: _name, ...one } of named) {
      const otherId = devices.get(one.id)
      if (otherId !== undefined) found.push({ ...one, otherId })
    }
    const last = named.at(-1)
    if (!last || named.length < batch) return found
    after = last.id
  }
}

/** Devices whose ports are read at a time. */
const devicesAtOnce = 100

/** The index of the port that each neighbour names, by the id of the neighbour; what would fit several ports is none. */
export async function portNumbers(
  database: Database,
  named: readonly NamedDevice[],
): Promise<Map<bigint, bigint>> {
  const found = new Map<bigint, bigint>()
  const byOther = [...Map.groupBy(named, ({ otherId }) => otherId)]
  for (let from = 0; from < byOther.length; from += devicesAtOnce) {
    const some = byOther.slice(from, from + devicesAtOnce)
    const rows = await allWithValues(
      database,
      some.map(([id]) => id),
      (marks) =>
        `select device_id, if_index, name, description, alias, mac from port where device_id in (${marks})`,
    )
    const ports = Map.groupBy(rows, (row) => row.device_id as bigint)
    for (const [id, neighbours] of some) {
      const byName = namesOf(ports.get(id) ?? [])
      for (const { id: neighbour, remotePort, remotePortDescription } of neighbours) {
        const index = byName.get(remotePort) ?? byName.get(remotePortDescription)
        if (index !== undefined) found.set(neighbour, index)
      }
    }
  }
  return found
}

function namesOf(ports: readonly Row[]): ReadonlyMap<string, bigint | undefined> {
  const byName = new Map<string, bigint | undefined>()
  for (const port of ports) {
    const texts = [port.name, port.description, port.alias, port.mac].map(String)
    for (const text of new Set(texts)) {
      if (text !== '') byName.set(text, byName.has(text) ? undefined : (port.if_index as bigint))
    }
  }
  return byName
}
