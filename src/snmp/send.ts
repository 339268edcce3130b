// Encodes notifications, and decodes the answers to them and to questions.

import { BerReader, BerWriter, Tag } from './ber.ts'
import { attempt, malformed } from './malformed.ts'
import { genuine, type MessageV3, plainScopedPdu, readMessageV3, writeMessageV3 } from './message-v3.ts'
import { ENTERPRISE_SPECIFIC, SNMP_TRAP_ENTERPRISE, SNMP_TRAP_OID, SNMP_TRAPS, SYS_UP_TIME } from './pdu.ts'
import { salts } from './usm-keys.ts'
import { LocalKeys, type User, UsmUser } from './usm-user.ts'
import { addressOctets, MAX_VARIABLES, readVariable, type Variable, writeVariable } from './variables.ts'

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
  /** Boots and time of the sender's engine. */
  readonly boots: number
  readonly time: number
  readonly salt?: Uint8Array
  readonly contextName?: string
}

const NOTHING = Buffer.alloc(0)
const nextSalt = salts()

/**
 * A user at one engine: its own engine for traps, the receiver's for informs and questions. The first one of a user takes
 * milliseconds.
 */
export class UsmSender {
  readonly engineId: Buffer
  readonly wireName: string
  readonly keys: LocalKeys | undefined

  constructor(userSettings: User | UsmUser, engineId: Uint8Array) {
    // A user that is used at many engines has its passwords hashed once.
    const user = userSettings instanceof UsmUser ? userSettings : new UsmUser(userSettings)
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

/** RFC 3584 section 3.2: the notification, converted to version 1. */
function writePduV1(writer: BerWriter, notification: Common, agentAddress: string): void {
  const { oid, variables } = notification
  const generic = Number(/^1\.3\.6\.1\.6\.3\.1\.1\.5\.([1-6])$/.exec(oid)?.[1] ?? ENTERPRISE_SPECIFIC + 1) - 1
  const enterprise = variables.find((variable) => variable.oid === SNMP_TRAP_ENTERPRISE)?.value
  const pdu = writer.open(Tag.trapV1)
  writer.oid(generic === ENTERPRISE_SPECIFIC ? oid.replace(/(\.0)?\.\d+$/, '') : (enterprise ?? SNMP_TRAPS))
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

const usmStats = '1.3.6.1.6.3.15.1.1'

/** The counters by which reports say why a message of version 3 was refused: RFC 3414 section 5. */
export const UsmCounter = {
  otherLevel: `${usmStats}.1.0`,
  notInTimeWindow: `${usmStats}.2.0`,
  unknownUser: `${usmStats}.3.0`,
  unknownEngine: `${usmStats}.4.0`,
  wrongDigest: `${usmStats}.5.0`,
  decryption: `${usmStats}.6.0`,
} as const

const reportReasons: Readonly<Record<string, string>> = {
  [UsmCounter.otherLevel]: 'it accepts the user at another security level only',
  [UsmCounter.notInTimeWindow]: 'the message is not in its time window',
  [UsmCounter.unknownUser]: 'it does not know the user',
  [UsmCounter.unknownEngine]: 'it does not know the engine id',
  [UsmCounter.wrongDigest]: 'the authentication password or algorithm is wrong',
  [UsmCounter.decryption]: 'the privacy password or algorithm is wrong',
}

/** What the counter in a report means. */
export const reportReason = (counter: string | undefined) =>
  reportReasons[counter ?? ''] ?? `it reports ${counter ?? 'nothing more'}`

export interface Answer {
  /** A response means that an inform or a question was accepted; a report, why it was not. */
  readonly kind: 'response' | 'report'
  readonly requestId: number
  /** RFC 3416 section 3; 0: no error. */
  readonly errorStatus: number
  /** Which variable the error is about, from 1; 0: none. */
  readonly errorIndex: number
  readonly variables: readonly Variable[]
  /** Version 3: the answering engine. */
  readonly engine: { readonly id: Buffer; readonly boots: number; readonly time: number } | undefined
  /** Version 3: whether it has a valid signature. */
  readonly authenticated: boolean
  /** Version 3: whether it was encrypted, too. */
  readonly encrypted: boolean
}

/** The decoded answer; undefined if it is no answer, or not one for this sender. */
export function readAnswer(datagram: Buffer, sender?: UsmSender): Answer | undefined {
  return attempt(() => {
    const reader = new BerReader(datagram)
    reader.enter(Tag.sequence)
    if (reader.integer() !== 3) {
      reader.octets()
      return { ...readResponse(reader), engine: undefined, authenticated: false, encrypted: false }
    }
    const message = readMessageV3(reader)
    const scoped = new BerReader(openAnswer(message, sender))
    scoped.enter(Tag.sequence)
    scoped.octets()
    scoped.octets()
    const engine = { id: message.engineId, boots: message.boots, time: message.time }
    const { level } = message
    const [authenticated, encrypted] = [level !== 'noAuthNoPriv', level === 'authPriv']
    return { ...readResponse(scoped), engine, authenticated, encrypted }
  })
}

function openAnswer(message: MessageV3, sender: UsmSender | undefined): Buffer {
  if (message.level === 'noAuthNoPriv') return message.data
  const keys = sender?.keys
  if (keys === undefined || !genuine(message, keys)) return malformed('bad-value')
  return plainScopedPdu(message, keys) ?? malformed('bad-value')
}

function readResponse(reader: BerReader): Omit<Answer, 'engine' | 'authenticated' | 'encrypted'> {
  const kind = reader.peek() === Tag.report ? 'report' : 'response'
  const pdu = reader.enter(kind === 'report' ? Tag.report : Tag.response)
  const requestId = reader.integer()
  const errorStatus = reader.integer()
  const errorIndex = reader.integer()
  const variables: Variable[] = []
  const bindings = reader.enter(Tag.sequence)
  while (reader.at < reader.end) {
    if (variables.length === MAX_VARIABLES) malformed('too-many-variables')
    variables.push(readVariable(reader))
  }
  reader.leave(bindings)
  reader.leave(pdu)
  return { kind, requestId, errorStatus, errorIndex, variables }
}
