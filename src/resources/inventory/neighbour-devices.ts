// Finds the devices of the inventory that neighbours are: by address, by MAC address, by name, in this order. What would fit
// several devices is none of them. A neighbour is in the same address space as the device that names it.

import { fold } from '../../schema/scalar.ts'
import { defaultSpace } from '../../schema/space.ts'
import type { Reader } from '../../store/database.ts'
import { allWithValues } from '../../store/where.ts'

export interface NeighbourIds {
  readonly id: bigint
  readonly deviceId: bigint
  readonly address: string
  readonly chassis: string
  readonly sysName: string
}

/** By the id of the neighbour. */
export async function neighbourDevices(
  reader: Reader,
  neighbours: readonly NeighbourIds[],
): Promise<Map<bigint, bigint>> {
  const spaces = await spacesOf(reader, [...new Set(neighbours.map(({ deviceId }) => deviceId))])
  const byAddress = await only(reader, valuesOf(neighbours, 'address'), (marks) => [
    `select ip as value, space, device_id as id from device_address where ip in (${marks})`,
  ])
  const byMac = await only(
    reader,
    valuesOf(neighbours, 'chassis').filter((value) => macForm.test(value)),
    (marks) => [
      `select distinct mac as value, space, device.id as id from port join device on device.id = port.device_id where mac in (${marks})`,
    ],
  )
  const byName = await only(reader, valuesOf(neighbours, 'sysName').map(fold), (marks) => [
    `select device_facts.sys_name_key as value, space, device.id as id from device_facts join device on device.id = device_facts.id where device_facts.sys_name_key in (${marks})`,
    `select sys_name_key as value, space, id from device where sys_name_key in (${marks})`,
  ])
  const found = new Map<bigint, bigint>()
  for (const { id, deviceId, address, chassis, sysName } of neighbours) {
    const space = spaces.get(deviceId) ?? defaultSpace
    const device =
      byAddress.get(keyOf(space, address)) ??
      byMac.get(keyOf(space, chassis)) ??
      byName.get(keyOf(space, fold(sysName)))
    // A device is not its own neighbour.
    if (device !== undefined && device !== deviceId) found.set(id, device)
  }
  return found
}

const macForm = /^(?:[0-9a-f]{2}:){5}[0-9a-f]{2}$/

const valuesOf = (neighbours: readonly NeighbourIds[], name: 'address' | 'chassis' | 'sysName') => [
  ...new Set(neighbours.map((one) => one[name]).filter((value) => value !== '')),
]

/** The spaces of devices that are not in the default one. */
async function spacesOf(reader: Reader, ids: readonly bigint[]): Promise<Map<bigint, number>> {
  const rows = await allWithValues(
    reader,
    ids,
    (marks) => `select id, space from device where id in (${marks}) and space is not null`,
  )
  return new Map(rows.map((row) => [row.id as bigint, Number(row.space)]))
}

const keyOf = (space: number, value: string) => `${space} ${value}`

/** The device of each value that one device alone has in its space. */
async function only(
  reader: Reader,
  values: readonly string[],
  queries: (marks: string) => readonly string[],
): Promise<Map<string, bigint>> {
  const found = new Map<string, bigint | undefined>()
  for (const index of queries('').keys()) {
    const rows = await allWithValues(reader, values, (marks) => queries(marks)[index] as string)
    for (const row of rows) {
      const value = keyOf(Number(row.space ?? defaultSpace), String(row.value))
      const isOther = found.has(value) && found.get(value) !== row.id
      found.set(value, isOther ? undefined : (row.id as bigint))
    }
  }
  return new Map([...found].flatMap(([value, id]) => (id === undefined ? [] : [[value, id] as const])))
}
