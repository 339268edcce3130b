// A sighting: a terminal was seen at a port of a device, or has left it.

import type { PortPlace } from '../resources/inventory/terminal-standing.ts'
import type { AccessDecision } from './access-decision.ts'

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
  /** It is there no longer. */
  readonly isGone?: boolean
  /** The answer to the switch that asked. */
  readonly verdict?: AccessDecision
  readonly ip?: string | null
  readonly vlan?: number | null
}

/** One text for each port, also where the device's name for it matches no known interface. */
export const portKey = ({ ifIndex, port }: Pick<Place, 'ifIndex' | 'port'>): string =>
  ifIndex === null ? `port=${port.replaceAll(';', ',')}` : `ifIndex=${ifIndex}`

export const isSamePort = (a: Omit<Place, 'deviceName'>, b: Omit<Place, 'deviceName'>): boolean =>
  a.deviceId === b.deviceId && a.deviceIp === b.deviceIp && portKey(a) === portKey(b)
