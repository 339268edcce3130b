// The SNMPv3 message: RFC 3412 section 6 around the security parameters of RFC 3414 section 2.4.

import { timingSafeEqual } from 'node:crypto'
import { BerReader, BerWriter, MAX_DATAGRAM, Tag } from './ber.ts'
import { attempt, malformed } from './malformed.ts'
import { AUTH_ALGORITHMS, decrypt, digest, encrypt } from './usm-keys.ts'
import type { LocalKeys, SecurityLevel } from './usm-user.ts'

const AUTH_FLAG = 1
const PRIV_FLAG = 2
const REPORTABLE_FLAG = 4
const USM = 3
const MAX_ENGINE_ID = 32
const MAX_USER_NAME = 32

export interface MessageV3 {
  readonly datagram: Buffer
  readonly id: number
  readonly level: SecurityLevel
  /** Whether its sender waits for an answer: true of informs, false of traps. */
  readonly reportable: boolean
  /** The authoritative engine: the sender of a trap, the receiver of an inform. Empty in a discovery. */
  readonly engineId: Buffer
  readonly boots: number
  readonly time: number
  /** One character per byte. */
  readonly userName: string
  readonly digest: Buffer
  readonly digestAt: number
  readonly salt: Buffer
  /** The scoped PDU; encrypted at level authPriv. */
  readonly data: Buffer
}

/** Parses a message after the version number. Nothing in it is trusted yet. */
export function readMessageV3(reader: BerReader): MessageV3 {
  const header = reader.enter(Tag.sequence)
  const id = reader.integer()
  reader.integer()
  const flags = readFlags(reader)
  if (reader.integer() !== USM) malformed('bad-security-model')
  reader.leave(header)
  const parameters = reader.enter(Tag.octetString)
  const sequence = reader.enter(Tag.sequence)
  const engineId = reader.octets()
  if (engineId.length > MAX_ENGINE_ID) malformed('bad-engine-id')
  const boots = reader.integer()
  const time = reader.integer()
  if (boots < 0 || time < 0) malformed('bad-integer')
  const userName = reader.octets()
  if (userName.length > MAX_USER_NAME) malformed('bad-user-name')
  const digest = reader.octets()
  const digestAt = reader.at - digest.length
  const salt = reader.octets()
  reader.leave(sequence)
  reader.leave(parameters)
  const level = flags & PRIV_FLAG ? 'authPriv' : flags & AUTH_FLAG ? 'authNoPriv' : 'noAuthNoPriv'
  const data = level === 'authPriv' ? reader.octets() : reader.element()
  return {
    datagram: reader.bytes,
    id,
    level,
    reportable: (flags & REPORTABLE_FLAG) !== 0,
    engineId,
    boots,
    time,
    userName: userName.toString('latin1'),
    digest,
    digestAt,
    salt,
    data,
  }
}

function readFlags(reader: BerReader): number {
  const octets = reader.octets()
  const flags = octets[0] ?? 0
  if (octets.length !== 1 || (flags & (AUTH_FLAG | PRIV_FLAG)) === PRIV_FLAG) malformed('bad-flags')
  return flags
}

export function genuine(message: MessageV3, keys: LocalKeys): boolean {
  if (message.digest.length !== AUTH_ALGORITHMS[keys.auth.algorithm].digestLength) return false
  return timingSafeEqual(message.digest, digest(keys.auth, message.datagram, message.digestAt))
}

/** The decrypted scoped PDU; undefined if decryption does not yield one, because the key is wrong. */
export function plainScopedPdu(message: MessageV3, keys: LocalKeys): Buffer | undefined {
  if (message.level !== 'authPriv') return message.data
  const plain = keys.priv && decrypt(keys.priv, message, message.data)
  return (
    plain &&
    attempt(() => {
      const reader = new BerReader(plain)
      reader.enter(Tag.sequence)
      reader.octets()
      reader.octets()
      return plain
    })
  )
}

export interface EnvelopeV3 {
  readonly id: number
  readonly reportable: boolean
  readonly engineId: Uint8Array
  readonly boots: number
  readonly time: number
  /** One character per byte. */
  readonly userName: string
  /** Absent: level noAuthNoPriv. */
  readonly keys: LocalKeys | undefined
  /** Present: encrypt too. */
  readonly salt: Uint8Array | undefined
}

const NOTHING = Buffer.alloc(0)

/** Encrypts and signs as the envelope says. */
export function writeMessageV3(envelope: EnvelopeV3, scopedPdu: Buffer): Buffer {
  const { keys, salt } = envelope
  const priv = salt && keys?.priv
  const writer = new BerWriter()
  const message = writer.open(Tag.sequence)
  writer.integer(3)
  const header = writer.open(Tag.sequence)
  writer.integer(envelope.id)
  writer.integer(MAX_DATAGRAM)
  const flags = (keys ? AUTH_FLAG : 0) | (priv ? PRIV_FLAG : 0) | (envelope.reportable ? REPORTABLE_FLAG : 0)
  writer.octets(Buffer.of(flags))
  writer.integer(USM)
  writer.close(header)
  const parameters = writer.open(Tag.octetString)
  const sequence = writer.open(Tag.sequence)
  writer.octets(envelope.engineId)
  writer.integer(envelope.boots)
  writer.integer(envelope.time)
  writer.octets(Buffer.from(envelope.userName, 'latin1'))
  writer.octets(keys ? Buffer.alloc(AUTH_ALGORITHMS[keys.auth.algorithm].digestLength) : NOTHING)
  const digestEnd = writer.at
  writer.octets(priv ? salt : NOTHING)
  writer.close(sequence)
  writer.close(parameters)
  if (priv) writer.octets(encrypt(priv, { ...envelope, salt }, scopedPdu))
  else writer.raw(scopedPdu)
  writer.close(message)
  const bytes = writer.bytes()
  if (keys) {
    const digestAt = digestEnd - AUTH_ALGORITHMS[keys.auth.algorithm].digestLength
    bytes.set(digest(keys.auth, bytes, digestAt), digestAt)
  }
  return bytes
}
