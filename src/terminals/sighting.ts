// A sighting: a terminal was seen at a port of a device, or has left it.

import type { Binding } from '../resources/inventory/mac-access-bind.ts'
import { type PortPlace, standing } from '../resources/inventory/terminal-standing.ts'
import { macOf } from '../schema/scalar.ts'

/** A port of a device, with the names of both. */
export interface Place extends PortPlace {
  readonly deviceIp: string
  readonly deviceName: string
  readonly port: string
}

export interface Sighting {
  readonly mac: string
  readonly at: number
  readonly place: Place
  readonly source: 'authorize' | 'accounting' | 'trap'
  /** Whether it has left. */
  readonly isGone?: boolean
  /** The answer to the switch that asked. */
  readonly verdict?: AccessDecision
  readonly ip?: string | null
  readonly vlan?: number | null
}

/** Identifies a port, even if its name matches no known interface. */
export const portKey = ({ ifIndex, port }: Pick<Place, 'ifIndex' | 'port'>): string =>
  ifIndex === null ? `port=${port.replaceAll(';', ',')}` : `ifIndex=${ifIndex}`

export const isSamePort = (a: Omit<Place, 'deviceName'>, b: Omit<Place, 'deviceName'>): boolean =>
  a.deviceId === b.deviceId && a.deviceIp === b.deviceIp && portKey(a) === portKey(b)

/** The words are stable: programs and people search for them. */
type Reason =
  | 'bound-anywhere'
  | 'bound-here'
  | 'unknown-admitted'
  | 'unknown-terminal'
  | 'bound-elsewhere'
  | 'unknown-device'
  | 'unknown-interface'
  | 'no-mac-address'
  | 'user-name-differs'

export interface AccessDecision {
  readonly admits: boolean
  readonly reason: Reason
  readonly vlan: number | null
}

/** The two attributes that identify a terminal and must agree. */
export interface AccessClaim {
  readonly userName: string
  readonly callingStationId: string
}

const refused = (reason: Reason): AccessDecision => ({ admits: false, reason, vlan: null })

/**
 * The MAC address of the terminal, or the reason for a refusal. A switch authenticates a MAC address by sending it both
 * as name and as calling station; if they differ, somebody typed the name.
 */
export function terminalOf({ userName, callingStationId }: AccessClaim): string | AccessDecision {
  const named = macOf(userName)
  if (named === undefined) return refused('no-mac-address')
  return named === macOf(callingStationId) ? named : refused('user-name-differs')
}

export function decide(
  binding: Binding | undefined,
  place: PortPlace,
  unknownTerminals: 'reject' | 'admit',
): AccessDecision {
  const vlan = binding?.vlan ?? null
  switch (standing(binding, place)) {
    case 'unbound':
      return unknownTerminals === 'admit'
        ? { admits: true, reason: 'unknown-admitted', vlan }
        : refused('unknown-terminal')
    case 'anywhere':
      return { admits: true, reason: 'bound-anywhere', vlan }
    case 'here':
      return { admits: true, reason: 'bound-here', vlan }
    case 'elsewhere':
      return refused('bound-elsewhere')
    case 'unclear':
      return refused(place.deviceId === 0n ? 'unknown-device' : 'unknown-interface')
  }
}
