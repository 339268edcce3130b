// What is received: a notification that was understood, or a datagram that was refused.

import type { Variable } from '../../events/naming.ts'
import { tooManyOpen, tooManyUnknown } from './decide.ts'

export interface IncomingTrap {
  readonly kind: 'trap'
  readonly receivedAt: number
  /** The address the datagram came from. */
  readonly sourceIp: string
  /** The device that it is about, where the notification names another than its sender. */
  readonly agentIp: string | undefined
  readonly version: string
  readonly oid: string
  /** The device's own time, in hundredths of a second since its start; absent, or 0, where it is not given. */
  readonly uptime?: number
  readonly variables: readonly Variable[]
}

export interface Rejected {
  readonly kind: 'rejected'
  readonly receivedAt: number
  readonly sourceIp: string
  readonly outcome: 'refused' | 'malformed' | 'collapsed'
  readonly reason: string
  /** How many datagrams this stands for, where they were not kept apart, and when the first of them came. */
  readonly times: number
  readonly firstAt?: number
  /** What storms, where an alarm of the service stands for these datagrams. */
  readonly storm?: string | undefined
}

export type Incoming = IncomingTrap | Rejected

/** Every datagram ends in exactly one of these. */
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
