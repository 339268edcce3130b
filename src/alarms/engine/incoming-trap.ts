// Types for received datagrams: decoded traps, rejected datagrams, and their outcomes.

import type { Variable } from '../../events/naming.ts'
import { tooManyOpen, tooManyUnknown } from './decide.ts'

export interface IncomingTrap {
  readonly kind: 'trap'
  readonly receivedAt: number
  /** The source address of the datagram, with its space as `inSpace` writes it; likewise `agentIp`. */
  readonly sourceIp: string
  /** The device that the trap is about, if it names one other than its sender. */
  readonly agentIp: string | undefined
  readonly version: string
  readonly oid: string
  /** sysUpTime, in hundredths of a second; absent or 0 if the trap has none. */
  readonly uptime?: number
  readonly variables: readonly Variable[]
  /** Set if a syslog message reported the event: its definition says what it does, and to which resource. */
  readonly message?: MessageReport
  /** Set if nobody reported the event: the device was asked, and said this. */
  readonly found?: string
}

export interface MessageReport {
  readonly does: 'raise' | 'clear'
  /** The event whose alarm it raises or ends. */
  readonly fault: string
  /** Of the alarm, where the message says it and not the definition of the event. */
  readonly level?: number | undefined
  /** The parts that name the resource; a port as the message calls it. */
  readonly key: ReadonlyMap<string, string>
}

export interface RejectedDatagrams {
  readonly kind: 'rejected'
  readonly receivedAt: number
  /** With its space, as above. */
  readonly sourceIp: string
  readonly outcome: 'refused' | 'malformed' | 'collapsed' | 'filtered'
  readonly reason: string
  /** The user that a message of SNMP version 3 names; not authenticated. */
  readonly user?: string | undefined
  /** How many datagrams are counted here, and when the first of them came. */
  readonly times: number
  readonly firstAt?: number
  /** The resource of the storm alarm that counts these datagrams. */
  readonly storm?: string | undefined
}

/** The address of the device that the trap is about. */
export const senderOf = ({ agentIp, sourceIp }: IncomingTrap) => agentIp ?? sourceIp

export type Incoming = IncomingTrap | RejectedDatagrams

/** Every datagram has exactly one of these outcomes. */
export const outcomes = [
  'refused',
  'malformed',
  'filtered',
  'repeated',
  'raised',
  'recovered',
  'collapsed',
  'stored-only',
] as const

/** Why datagrams are collapsed. */
export const collapseReasons = [
  'storm',
  'duplicate',
  'copy',
  'flapping',
  tooManyUnknown,
  tooManyOpen,
] as const

export type Outcome = (typeof outcomes)[number]
