// Notification PDUs: the Trap-PDU of SNMPv1 (RFC 1157) and the SNMPv2-Trap- and InformRequest-PDU (RFC 3416).

import { type BerReader, Tag } from './ber.ts'
import { malformed } from './malformed.ts'
import { MAX_VARIABLES, readAddress, readVariable, type Variable, type VariableType } from './variables.ts'

export const SYS_UP_TIME = '1.3.6.1.2.1.1.3.0'
export const SNMP_TRAP_OID = '1.3.6.1.6.3.1.1.4.1.0'
export const SNMP_TRAP_ENTERPRISE = '1.3.6.1.6.3.1.1.4.3.0'
export const SNMP_TRAP_ADDRESS = '1.3.6.1.6.3.18.1.3.0'
/** coldStart is .1 of it, and so on to egpNeighborLoss, .6. */
export const SNMP_TRAPS = '1.3.6.1.6.3.1.1.5'
export const ENTERPRISE_SPECIFIC = 6
/** Sent by an agent without an IPv4 address. */
const NO_ADDRESS = '0.0.0.0'

export interface Notification {
  /** Hundredths of a second since the agent started, if it sent them. */
  readonly uptime: number | undefined
  /** What happened: the value of snmpTrapOID.0. */
  readonly oid: string
  readonly enterprise: string | undefined
  /**
   * The address of the device that the notification is about, according to its sender: behind a proxy it differs from
   * the sender's address.
   */
  readonly agentAddress: string | undefined
  /** Without sysUpTime.0 and snmpTrapOID.0, so that positions are the same in every version. */
  readonly variables: readonly Variable[]
}

/** A PDU of version 2c or 3, with the parts that its answer has to repeat. */
export interface NotificationV2 extends Notification {
  readonly inform: boolean
  readonly requestId: number
  /** The variable-bindings as they came, tag and length included. */
  readonly bindingsAt: number
  readonly bindingsEnd: number
}

/** Reads a Trap-PDU of version 1, converted to version 2: RFC 3584 section 3.1. */
export function readTrapV1(reader: BerReader): Notification {
  if (reader.peek() !== Tag.trapV1) malformed('not-a-notification')
  const outer = reader.enter(Tag.trapV1)
  const enterprise = reader.oid()
  const address = readAddress(reader)
  const generic = reader.integer()
  if (generic < 0 || generic > ENTERPRISE_SPECIFIC) malformed('bad-generic-trap')
  // A sub-identifier is unsigned; devices that count past 2^31 mean the unsigned number.
  const specific = reader.integer() >>> 0
  const uptime = reader.unsigned(Tag.timeTicks)
  const variables: Variable[] = []
  const bindings = reader.enter(Tag.sequence)
  while (reader.at < reader.end) variables.push(readVariable(limited(reader, variables)))
  reader.leave(bindings)
  reader.leave(outer)
  return {
    uptime,
    oid: generic === ENTERPRISE_SPECIFIC ? `${enterprise}.0.${specific}` : `${SNMP_TRAPS}.${generic + 1}`,
    enterprise,
    agentAddress: address === NO_ADDRESS ? agentAddress(variables) : address,
    variables,
  }
}

export function readNotificationV2(reader: BerReader): NotificationV2 {
  const tag = reader.peek()
  if (tag !== Tag.trapV2 && tag !== Tag.inform) malformed('not-a-notification')
  const outer = reader.enter(tag)
  const requestId = reader.integer()
  reader.integer()
  reader.integer()
  const bindingsAt = reader.at
  const bindings = reader.enter(Tag.sequence)
  let uptime: number | undefined
  let oid: string | undefined
  const variables: Variable[] = []
  while (reader.at < reader.end) {
    const variable = readVariable(limited(reader, variables))
    // They should come first and in this order, but some devices send them elsewhere.
    if (uptime === undefined && variable.oid === SYS_UP_TIME && variable.type === 'TimeTicks') {
      uptime = Number(variable.value)
    } else if (oid === undefined && variable.oid === SNMP_TRAP_OID) oid = trapOid(variable)
    else variables.push(variable)
  }
  const bindingsEnd = reader.at
  reader.leave(bindings)
  reader.leave(outer)
  return {
    uptime,
    oid: oid ?? malformed('no-trap-oid'),
    enterprise: found(variables, SNMP_TRAP_ENTERPRISE, 'ObjectIdentifier'),
    agentAddress: agentAddress(variables),
    variables,
    inform: tag === Tag.inform,
    requestId,
    bindingsAt,
    bindingsEnd,
  }
}

function limited(reader: BerReader, variables: Variable[]): BerReader {
  return variables.length < MAX_VARIABLES ? reader : malformed('too-many-variables')
}

function trapOid(variable: Variable): string {
  return variable.type === 'ObjectIdentifier' ? variable.value : malformed('no-trap-oid')
}

function agentAddress(variables: readonly Variable[]): string | undefined {
  const address = found(variables, SNMP_TRAP_ADDRESS, 'IpAddress')
  return address === NO_ADDRESS ? undefined : address
}

function found(variables: readonly Variable[], oid: string, type: VariableType): string | undefined {
  for (const variable of variables) if (variable.oid === oid && variable.type === type) return variable.value
  return undefined
}
