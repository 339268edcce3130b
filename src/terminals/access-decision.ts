// Decides whether a terminal is admitted: a pure function that returns the decision and its reason.

import type { Binding } from '../resources/inventory/mac-access-bind.ts'
import { type PortPlace, standing } from '../resources/inventory/terminal-standing.ts'
import { macOf } from '../schema/scalar.ts'

/** The words are stable: programs and people search for them. */
export type Reason =
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

/** Which terminal requests access, by the two attributes that must name the same one. */
export interface AccessClaim {
  readonly userName: string
  readonly callingStationId: string
}

const refused = (reason: Reason): AccessDecision => ({ admits: false, reason, vlan: null })

/**
 * The terminal, or why there is none. A switch authenticates a MAC address by sending it as name and as calling
 * station: where these differ, somebody typed the name.
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
