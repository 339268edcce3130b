// Finds the addresses of devices that a record names by themselves, by their types, or by their zones.

import { inSpace } from '../../schema/space.ts'
import type { Reader, Row } from '../../store/database.ts'
import { allWithValues } from '../../store/where.ts'

/** What a record may name, from the least to the most exact. */
export const places = ['zone', 'typeName', 'device'] as const
export type Place = (typeof places)[number]

/** Parameters of a statement are limited. */
export const maxPlaces = 500

const columns: Readonly<Record<Place, string>> = {
  zone: 'zone_id',
  typeName: 'type_name',
  device: 'device_id',
}

type Values = readonly (bigint | string)[]

/** One row for each address of a device that has one of these values. */
export function devicesIn(reader: Pick<Reader, 'all'>, place: Place, values: Values): Promise<Row[]> {
  return allWithValues(
    reader,
    values,
    (marks) =>
      `select device_address.ip, device_address.space, device_id, zone_id, type_name from device join device_address on device_address.device_id = device.id where ${columns[place]} in (${marks})`,
  )
}

/** The addresses of the devices of each value, in their spaces. */
export async function addressesIn(
  reader: Pick<Reader, 'all'>,
  place: Place,
  values: Values,
): Promise<ReadonlyMap<unknown, ReadonlySet<string>>> {
  const found = new Map<unknown, Set<string>>()
  for (const row of await devicesIn(reader, place, values)) {
    const value = row[columns[place]]
    const address = inSpace(String(row.ip), Number(row.space))
    const addresses = found.get(value)
    if (addresses) addresses.add(address)
    else found.set(value, new Set([address]))
  }
  return found
}
