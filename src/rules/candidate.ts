// Prepares a trap for trap rules, whether it has just arrived or is read from the store.

import type { EventDefinition } from '../events/event-catalog.ts'
import type { NamedValue, Variable } from '../events/naming.ts'
import type { Candidate } from './rules.ts'

const interfaceNames = ['ifDescr', 'ifName', 'ifAlias']

interface TrapFacts {
  readonly oid: string
  readonly deviceId: bigint
  readonly at: number
  readonly variables: readonly Variable[]
}

/** `interfaces` are the names of the device's interfaces by ifIndex. */
export function candidate(
  { oid, deviceId, at, variables }: TrapFacts,
  event: EventDefinition | undefined,
  values: readonly NamedValue[],
  interfaces: ReadonlyMap<string, string>,
): Candidate {
  return {
    oid,
    eventOid: event?.oid ?? oid,
    deviceId,
    at,
    own: false,
    variables,
    values,
    interfaces: interfacesOf(values, interfaces),
  }
}

/** Every name of the interface that a trap is about: those it carries, and the known name of its ifIndex. */
export function interfacesOf(
  values: readonly NamedValue[],
  interfaces: ReadonlyMap<string, string>,
): readonly string[] {
  const names: string[] = []
  let ifIndex: string | undefined
  for (const { name, value } of values) {
    if (name === 'ifIndex') ifIndex ??= value
    else if (interfaceNames.includes(name)) names.push(value)
  }
  const known = ifIndex === undefined ? undefined : interfaces.get(ifIndex)
  if (known !== undefined) names.push(known)
  return names
}
