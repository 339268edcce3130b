// Notifications that we send, and the answers we get: test traps, and the load of benchmarks.

import { BerReader, BerWriter, Tag } from './ber.ts'
import { attempt, malformed } from './malformed.ts'
import { genuine, type MessageV3, plainScopedPdu, readMessageV3, writeMessageV3 } from './message-v3.ts'
import { ENTERPRISE_SPECIFIC, SNMP_TRAP_ENTERPRISE, SNMP_TRAP_OID, SNMP_TRAPS, SYS_UP_TIME } from './pdu.ts'
import { salts } from './usm-keys.ts'
import { LocalKeys, type User, UsmUser } from './usm-user.ts'
import { addressOctets, readVariable, type Variable, writeVariable } from './variables.ts'

interface Common {
  readonly oid: string
  readonly uptime: number
  readonly variables: readonly Variable[]
}

type NotificationToSend =
  | (Common & { readonly version: '1'; readonly community: string; readonly agentAddress?: string })
  | (Common & Answerable & { readonly version: '2c'; readonly community: string })
  | (Common & Answerable & UsmParameters & { readonly version: '3' })

interface Answerable {
  readonly inform?: boolean
  readonly requestId: number
}

interface UsmParameters {
  readonly sender: UsmSender
  /** Of the engine that the sender was made for. */
  readonly boots: number
  readonly time: number
  readonly salt?: Uint8Array
  readonly contextName?: string
}

const NOTHING = Buffer.alloc(0)
const nextSalt = salts()

/** A user at one engine: its own engine for traps, the receiver's for informs. Making one costs milliseconds. */
export class UsmSender {
  readonly engineId: Buffer
  readonly wireName: string
  readonly keys: LocalKeys | undefined

  constructor(given: User, engineId: Uint8Array) {
    const user = new UsmUser(given)
    this.engineId = Buffer.from(engineId)
    this.wireName = user.wireName
    this.keys = user.auth && new LocalKeys(user, user.auth, engineId)
  }
}

export function encodeNotification(notification: NotificationToSend): Buffer {
  const writer = new BerWriter()
  const outer = writer.open(Tag.sequence)
  if (notification.version === '3') {
    const { sender } = notification
    writer.octets(sender.engineId)
    writer.octets(Buffer.from(notification.contextName ?? '', 'utf8'))
    writePduV2(writer, notification)
    writer.close(outer)
    const salt = sender.keys?.priv && (notification.salt ?? nextSalt())
    const { requestId: id, boots, time } = notification
    const { engineId, wireName: userName, keys } = sender
    const reportable = notification.inform ?? false
    return writeMessageV3({ id, reportable, engineId, boots, time, userName, keys, salt }, writer.bytes())
  }
  writer.integer(notification.version === '1' ? 0 : 1)
  writer.octets(Buffer.from(notification.community, 'utf8'))
  if (notification.version === '1') writePduV1(writer, notification, notification.agentAddress ?? '0.0.0.0')
  else writePduV2(writer, notification)
  writer.close(outer)
  return writer.bytes()
}

function writePduV2(writer: BerWriter, notification: Common & Answerable): void {
  const pdu = writer.open(notification.inform ? Tag.inform : Tag.trapV2)
  writer.integer(notification.requestId)
  writer.integer(0)
  writer.integer(0)
  const bindings = writer.open(Tag.sequence)
  const { uptime, oid } = notification
  writeVariable(writer, { oid: SYS_UP_TIME, type: 'TimeTicks', value: String(uptime), hex: false })
  writeVariable(writer, { oid: SNMP_TRAP_OID, type: 'ObjectIdentifier', value: oid, hex: false })
  for (const variable of notification.variables) writeVariable(writer, variable)
  writer.close(bindings)
  writer.close(pdu)
}

/** RFC 3584 section 3.2: the notification in the terms of version 1. */
function writePduV1(writer: BerWriter, notification: Common, agentAddress: string): void {
  const { oid, variables } = notification
  const generic = Number(/^1\.3\.6\.1\.6\.3\.1\.1\.5\.([1-6])$/.exec(oid)?.[1] ?? ENTERPRISE_SPECIFIC + 1) - 1
  const given = variables.find((variable) => variable.oid === SNMP_TRAP_ENTERPRISE)?.value
  const pdu = writer.open(Tag.trapV1)
  writer.oid(generic === ENTERPRISE_SPECIFIC ? oid.replace(/(\.0)?\.\d+$/, '') : (given ?? SNMP_TRAPS))
  writer.octets(addressOctets(agentAddress), Tag.ipAddress)
  writer.integer(generic)
  writer.integer(generic === ENTERPRISE_SPECIFIC ? Number(oid.slice(oid.lastIndexOf('.') + 1)) | 0 : 0)
  writer.unsigned(notification.uptime, Tag.timeTicks)
  const bindings = writer.open(Tag.sequence)
  for (const variable of variables) writeVariable(writer, variable)
  writer.close(bindings)
  writer.close(pdu)
}

/** RFC 3414 section 4: a request that any engine answers with a report of its id, boots and time. */
export function encodeDiscovery(id: number): Buffer {
  const writer = new BerWriter()
  const scoped = writer.open(Tag.sequence)
  writer.octets(NOTHING)
  writer.octets(NOTHING)
  const pdu = writer.open(Tag.get)
  for (const number of [id, 0, 0]) writer.integer(number)
  writer.close(writer.open(Tag.sequence))
  writer.close(pdu)
  writer.close(scoped)
  const nobody = { engineId: NOTHING, boots: 0, time: 0, userName: '', keys: undefined, salt: undefined }
  return writeMessageV3({ id, reportable: true, ...nobody }, writer.bytes())
}

export interface Answer {
  /** A response means that an inform arrived; a report, why it did not. */
  readonly kind: 'response' | 'report'
  readonly requestId: number
  readonly variables: readonly Variable[]
  /** Version 3: the answering engine. */
  readonly engine: { readonly id: Buffer; readonly boots: number; readonly time: number } | undefined
  /** Version 3: whether it is signed, with a valid signature. */
  readonly authenticated: boolean
}

/** The decoded answer; undefined if it is no answer, or not one for this sender. */
export function readAnswer(datagram: Buffer, sender?: UsmSender): Answer | undefined {
  return attempt(() => {
    const reader = new BerReader(datagram)
    reader.enter(Tag.sequence)
    if (reader.integer() !== 3) {
      reader.octets()
      return { ...readResponse(reader), engine: undefined, authenticated: false }
    }
    const message = readMessageV3(reader)
    const scoped = new BerReader(openAnswer(message, sender))
    scoped.enter(Tag.sequence)
    scoped.octets()
    scoped.octets()
    const engine = { id: message.engineId, boots: message.boots, time: message.time }
    return { ...readResponse(scoped), engine, authenticated: message.level !== 'noAuthNoPriv' }
  })
}

function openAnswer(message: MessageV3, sender: UsmSender | undefined): Buffer {
  if (message.level === 'noAuthNoPriv') return message.data
  const keys = sender?.keys
  if (keys === undefined || !genuine(message, keys)) return malformed('bad-value')
  return plainScopedPdu(message, keys) ?? malformed('bad-value')
}

function readResponse(reader: BerReader): Pick<Answer, 'kind' | 'requestId' | 'variables'> {
  const kind = reader.peek() === Tag.report ? 'report' : 'response'
  const pdu = reader.enter(kind === 'report' ? Tag.report : Tag.response)
  const requestId = reader.integer()
  reader.integer()
  reader.integer()
  const variables: Variable[] = []
  const bindings = reader.enter(Tag.sequence)
  while (reader.at < reader.end) variables.push(readVariable(reader))
  reader.leave(bindings)
  reader.leave(pdu)
  return { kind, requestId, variables }
}
