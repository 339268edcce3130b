// Decodes a datagram into a trap, or the reason why not. Every datagram ends in exactly one outcome; nothing is thrown.

import { defaultSpace } from '../schema/space.ts'
import { BerReader, BerWriter, MAX_DATAGRAM, Tag } from './ber.ts'
import { Malformed, type MalformedReason, malformed } from './malformed.ts'
import { type MessageV3, readMessageV3 } from './message-v3.ts'
import { type Notification, type NotificationV2, readNotificationV2, readTrapV1 } from './pdu.ts'
import type { Seen } from './snmp-engines.ts'
import { USM_REASONS, type Usm, type UsmReason } from './usm.ts'
import type { SecurityLevel, UsmUser } from './usm-user.ts'

type SnmpVersion = '1' | '2c' | '3'

/** Who sent a version 3 notification. */
interface UsmIdentity {
  readonly user: string
  readonly level: SecurityLevel
  /** The authoritative engine, in hex: the sender's for a trap, ours for an inform. */
  readonly engineId: string
  readonly contextEngineId: string
  readonly contextName: string
}

/** A notification of any version, as version 2 would send it. Plain data. */
export interface Trap extends Notification {
  readonly version: SnmpVersion
  /** The community, in versions 1 and 2c. */
  readonly community: string | undefined
  readonly usm: UsmIdentity | undefined
  /** Whether its sender waits for an answer. */
  readonly inform: boolean
}

/** What is needed to answer an inform. */
export type Inform = InformV2c | InformV3

interface InformV2c {
  readonly version: '2c'
  readonly community: string
  readonly requestId: number
  readonly bindings: Buffer
}

interface InformV3 {
  readonly version: '3'
  readonly usm: Usm
  readonly messageId: number
  readonly user: UsmUser
  readonly seen: Seen | undefined
  /** Context engine id and context name, as they came. */
  readonly context: Buffer
  readonly requestId: number
  readonly bindings: Buffer
}

export const REFUSED_REASONS = ['community', 'version', ...USM_REASONS] as const
type RefusedReason = (typeof REFUSED_REASONS)[number]

export type Outcome =
  | { readonly kind: 'trap'; readonly trap: Trap; readonly inform: Inform | undefined }
  | { readonly kind: 'malformed'; readonly reason: MalformedReason; readonly cause?: unknown }
  | { readonly kind: 'refused'; readonly reason: RefusedReason; readonly user?: string }
  /** Refused, and its sender is informed: an engine that discovers us, a clock to set, an answer that got lost. */
  | {
      readonly kind: 'report'
      readonly reason: UsmReason
      readonly answer: Buffer
      readonly user?: string
    }

interface DecoderSettings {
  readonly communities: readonly string[]
  /** Absent: version 3 is refused. */
  readonly usm?: Usm | undefined
}

export class Decoder {
  readonly #communities: readonly { readonly text: string; readonly bytes: Buffer }[]
  readonly #usm: Usm | undefined

  constructor(settings: DecoderSettings) {
    this.#communities = settings.communities.map((text) => ({ text, bytes: Buffer.from(text, 'utf8') }))
    this.#usm = settings.usm
  }

  /** `space` is the address space of its sender: engines of different spaces may have the same id. */
  decode(datagram: Buffer, space = defaultSpace): Outcome {
    try {
      return this.#decode(datagram, space)
    } catch (error) {
      if (error instanceof Malformed) return { kind: 'malformed', reason: error.reason }
      return { kind: 'malformed', reason: 'unexpected', cause: error }
    }
  }

  #decode(datagram: Buffer, space: number): Outcome {
    if (datagram.length > MAX_DATAGRAM) malformed('too-large')
    const reader = new BerReader(datagram)
    reader.enter(Tag.sequence)
    if (reader.end !== datagram.length) malformed('trailing-bytes')
    const version = reader.integer()
    if (version === 0 || version === 1) return this.#decodeCommunity(reader, version)
    if (version !== 3) malformed('bad-version')
    if (this.#usm === undefined) return { kind: 'refused', reason: 'version' }
    const message = readMessageV3(reader)
    reader.leave(datagram.length)
    return decodeV3(this.#usm, message, space)
  }

  #decodeCommunity(reader: BerReader, version: 0 | 1): Outcome {
    const community = this.#community(reader)
    if (community === undefined) return { kind: 'refused', reason: 'community' }
    if (version === 0) {
      const notification = readTrapV1(reader)
      reader.leave(reader.end)
      return { kind: 'trap', trap: trap('1', notification, false, community, undefined), inform: undefined }
    }
    const notification = readNotificationV2(reader)
    reader.leave(reader.end)
    const inform: Inform | undefined = notification.inform
      ? {
          version: '2c',
          community,
          requestId: notification.requestId,
          bindings: bindings(reader, notification),
        }
      : undefined
    return { kind: 'trap', trap: trap('2c', notification, notification.inform, community, undefined), inform }
  }

  /**
   * The configured community that was sent, if any. All are compared in full: the time taken depends on what was sent
   * and on how many are configured, not on how much of one was right.
   */
  #community(reader: BerReader): string | undefined {
    const end = reader.header(Tag.octetString)
    const start = reader.at
    reader.at = end
    let found: string | undefined
    for (const { text, bytes } of this.#communities) {
      let difference = bytes.length ^ (end - start)
      for (let i = start; i < end; i++) difference |= (reader.bytes[i] as number) ^ (bytes[i - start] ?? 0)
      if (difference === 0) found = text
    }
    return found
  }
}

function decodeV3(usm: Usm, message: MessageV3, space: number): Outcome {
  const opened = usm.open(message, space)
  if (typeof opened === 'string') {
    const answer = usm.report(message, opened)
    const user = shownUser(message.userName)
    return answer
      ? { kind: 'report', reason: opened, answer, user }
      : { kind: 'refused', reason: opened, user }
  }
  const reader = new BerReader(opened.scoped)
  reader.enter(Tag.sequence)
  const contextAt = reader.at
  const contextEngineId = reader.octets()
  const contextName = reader.octets()
  const context = reader.bytes.subarray(contextAt, reader.at)
  const notification = readNotificationV2(reader)
  reader.leave(reader.end)
  const identity: UsmIdentity = {
    user: opened.user.name,
    level: opened.user.level,
    engineId: message.engineId.toString('hex'),
    contextEngineId: contextEngineId.toString('hex'),
    contextName: contextName.toString('utf8'),
  }
  if (!notification.inform) {
    if (opened.replayed) return { kind: 'refused', reason: 'replay' }
    return { kind: 'trap', trap: trap('3', notification, false, undefined, identity), inform: undefined }
  }
  // An inform can be answered only if we are its authoritative engine.
  if (!message.engineId.equals(usm.engineId)) return { kind: 'refused', reason: 'unknown-engine' }
  const inform: InformV3 = {
    version: '3',
    usm,
    messageId: message.id,
    user: opened.user,
    seen: opened.seen,
    context,
    requestId: notification.requestId,
    bindings: bindings(reader, notification),
  }
  if (opened.replayed) return { kind: 'report', reason: 'replay', answer: answerInform(inform) }
  return { kind: 'trap', trap: trap('3', notification, true, undefined, identity), inform }
}

/** A name that anyone may have sent, for people to read. */
const shownUser = (name: string) => name.slice(0, 32).replaceAll(/[^ -~]/g, '?')

/** The answer to an inform, to be sent once it is safely stored. */
export function answerInform(inform: Inform): Buffer {
  const writer = new BerWriter()
  const outer = writer.open(Tag.sequence)
  if (inform.version === '2c') {
    writer.integer(1)
    writer.octets(Buffer.from(inform.community, 'utf8'))
  } else {
    writer.raw(inform.context)
  }
  writeResponse(writer, inform)
  writer.close(outer)
  if (inform.version === '2c') return writer.bytes()
  if (inform.seen !== undefined) inform.seen.pending = false
  return inform.usm.seal(inform.messageId, inform.user, writer.bytes())
}

/** Called when an inform could not be stored and will not be answered, so that a repetition counts as new. */
export function abandonInform(inform: Inform): void {
  if (inform.version === '3' && inform.seen !== undefined) inform.usm.forget(inform.seen)
}

function trap(
  version: SnmpVersion,
  notification: Notification,
  inform: boolean,
  community: string | undefined,
  usm: UsmIdentity | undefined,
): Trap {
  const { uptime, oid, enterprise, agentAddress, variables } = notification
  return { version, community, usm, inform, uptime, oid, enterprise, agentAddress, variables }
}

function bindings(reader: BerReader, notification: NotificationV2): Buffer {
  return reader.bytes.subarray(notification.bindingsAt, notification.bindingsEnd)
}

/** RFC 3416 section 4.2.7: the answer repeats the variables. */
function writeResponse(writer: BerWriter, inform: Inform): void {
  const pdu = writer.open(Tag.response)
  writer.integer(inform.requestId)
  writer.integer(0)
  writer.integer(0)
  writer.raw(inform.bindings)
  writer.close(pdu)
}
