// Recognises devices that answer at several addresses: they say the same of themselves at each.

import type { Found } from '../../resources/inventory/discovered.ts'
import { fold, ipKey } from '../../schema/scalar.ts'
import type { Candidate } from './candidate.ts'

interface Facts {
  readonly sysName: string
  readonly sysOid: string
  readonly serialNumber: string
  readonly address: readonly string[]
}

/** What only one device says; undefined where too little is known of it. */
export function identityOf({ sysName, sysOid, serialNumber, address }: Facts): string | undefined {
  if (sysName === '' || (serialNumber === '' && address.length === 0)) return undefined
  return JSON.stringify([fold(sysName), sysOid, serialNumber, address.toSorted()])
}

export interface SingleDevice {
  readonly found: Found
  readonly identity: string | undefined
  /** All that it says are its own. */
  readonly addresses: readonly string[]
}

/**
 * One for each device, under the lowest address at which it answered. Its other addresses are those in the ranges at which no
 * other device answered or says to be.
 */
export function singleDevices(
  candidates: readonly Candidate[],
  isAllowed: (address: string) => boolean,
): SingleDevice[] {
  const sorted = candidates.toSorted((a, b) => (ipKey(a.found.ip) < ipKey(b.found.ip) ? -1 : 1))
  const groups = Map.groupBy(sorted, ({ found, addresses }) =>
    found.state === 'answering' ? (identityOf({ ...found, address: addresses }) ?? found.ip) : found.ip,
  )
  const owners = new Map<string, Set<string>>()
  for (const [key, members] of groups)
    for (const { found, addresses } of members)
      for (const address of [found.ip, ...addresses])
        owners.set(address, (owners.get(address) ?? new Set()).add(key))
  return [...groups.values()].flatMap((members) => {
    const [first] = members
    if (!first) return []
    const { found, addresses } = first
    const all = new Set([...members.map((one) => one.found.ip), ...addresses])
    all.delete(found.ip)
    const otherAddress = [...all].filter((one) => isAllowed(one) && owners.get(one)?.size === 1)
    const identity = found.state === 'answering' ? identityOf({ ...found, address: addresses }) : undefined
    return [{ found: { ...found, otherAddress: otherAddress.toSorted() }, identity, addresses: [...all] }]
  })
}
