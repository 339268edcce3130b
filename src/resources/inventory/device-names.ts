// Which device a name means, for messages that a relay passes on: as the inventory labels it, or as it calls itself.

import { isIP } from 'node:net'
import { TimeSlice } from '../../pacing/time-slice.ts'
import { inSpace } from '../../schema/space.ts'
import type { Reader } from '../../store/database.ts'

/** Addresses by space and name, in small letters; a name that several devices have leads to none. */
export interface DeviceNames {
  readonly whole: ReadonlyMap<string, string | undefined>
  /** The first part of names that have a domain. */
  readonly first: ReadonlyMap<string, string | undefined>
}

export const noDeviceNames: DeviceNames = { whole: new Map(), first: new Map() }

/** Where names are. */
export const namedIn = ['device'] as const

export async function deviceNames(reader: Pick<Reader, 'all'>): Promise<DeviceNames> {
  const whole = new Map<string, string | undefined>()
  const first = new Map<string, string | undefined>()
  const timeSlice = new TimeSlice()
  for (const row of await reader.all('select ip, space, label, sys_name from device')) {
    const space = Number(row.space)
    const address = inSpace(String(row.ip), space)
    const names = [row.label, row.sys_name].map((name) => folded(String(name ?? '')))
    for (const name of new Set(names.filter((one) => one !== '' && isIP(one) === 0))) {
      note(whole, keyOf(name, space), address)
      if (name.includes('.')) note(first, keyOf(firstOf(name), space), address)
    }
    await timeSlice.step()
  }
  return { whole, first }
}

function note(names: Map<string, string | undefined>, name: string, address: string): void {
  names.set(name, names.has(name) && names.get(name) !== address ? undefined : address)
}

/**
 * A host with a domain is also the device whose name has none, and the other way round; two different domains are two
 * devices.
 */
export function addressOfName(
  { whole, first }: DeviceNames,
  host: string,
  space: number,
): string | undefined {
  const name = folded(host)
  const key = keyOf(name, space)
  if (whole.has(key)) return whole.get(key)
  return name.includes('.') ? whole.get(keyOf(firstOf(name), space)) : first.get(key)
}

/** The space comes first: a name may have any characters. */
const keyOf = (name: string, space: number) => `${space} ${name}`
const folded = (name: string) => name.trim().toLowerCase()
const firstOf = (name: string) => name.slice(0, name.indexOf('.'))
