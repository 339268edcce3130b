// The receiving side of the user-based security model (RFC 3414 section 3.2): authenticates and decrypts version 3
// messages, and checks that they are timely and new. Nothing expensive is done and nothing stored before
// authentication.

import { performance } from 'node:perf_hooks'
import { Fault } from '../fault.ts'
import { defaultSpace, inSpace } from '../schema/space.ts'
import { BerReader, BerWriter, Tag } from './ber.ts'
import { attempt, malformed } from './malformed.ts'
import { type EnvelopeV3, genuine, type MessageV3, plainScopedPdu, writeMessageV3 } from './message-v3.ts'
import { AcceptedDigests, type SeenMessages } from './replayed-messages.ts'
import {
  type EngineTimes,
  MAX_BOOTS,
  type Seen,
  SeenDigests,
  SnmpEngine,
  SnmpEngines,
  TIME_WINDOW,
} from './snmp-engines.ts'
import { salts } from './usm-keys.ts'
import { LocalKeys, type User, UsmUser } from './usm-user.ts'

export const USM_REASONS = [
  'unsupported-security-level',
  'not-in-time-window',
  'unknown-user',
  'unknown-engine',
  'wrong-digest',
  'decryption',
  'replay',
] as const

export type UsmReason = (typeof USM_REASONS)[number]

/** usmStats of RFC 3414: the first six reasons are its six counters, in its order. */
const USM_STATS = '1.3.6.1.6.3.15.1.1'
const REPORTED = 6
const MIN_ENGINE_ID = 5

export interface UsmSettings {
  readonly users: readonly User[]
  /** Our own engine, authoritative for informs. Boots must grow with every start. */
  readonly engineId: Uint8Array
  readonly engineBoots: number
  readonly times: EngineTimes
  /** Messages accepted from users with relaxedTime. To survive a restart it has to come from the store. */
  readonly acceptedDigests?: AcceptedDigests
  /** Milliseconds. It must not jump, because our engine time is derived from it. */
  readonly clock?: () => number
  /** When our engine's time began; by default, now. */
  readonly startedAt?: number
  /** Messages that were accepted before, in the store. If absent, they are known only as long as this object lives. */
  readonly messages?: SeenMessages
  readonly salt?: () => Uint8Array
  readonly maxEngines?: number
  readonly maxDigests?: number
}

/** A message that is genuine, timely and, unless `replayed`, new. */
export interface Opened {
  readonly user: UsmUser
  /** The decrypted scoped PDU, perhaps followed by padding. */
  readonly scoped: Buffer
  /** Absent at level noAuthNoPriv, which has no protection against replays, and for traps whose time is not checked. */
  readonly seen: Seen | undefined
  /** Whether it is an inform that was sent again after it was answered: the answer may have been lost. */
  readonly replayed: boolean
}

export class Usm {
  readonly engineId: Buffer
  readonly #boots: number
  readonly #users = new Map<string, UsmUser>()
  readonly #engines: SnmpEngines
  readonly #own: SnmpEngine
  readonly #digests: SeenDigests
  readonly #acceptedDigests: AcceptedDigests
  readonly #clock: () => number
  readonly #salt: () => Uint8Array
  readonly #startedAt: number
  readonly #messages: SeenMessages | undefined
  readonly #reported = new Array<number>(REPORTED).fill(0)

  constructor(settings: UsmSettings) {
    this.engineId = Buffer.from(settings.engineId)
    if (this.engineId.length < MIN_ENGINE_ID || this.engineId.length > 32) {
      throw new Fault('invalid', 'an engine id has 5 to 32 bytes', { field: 'engineId' })
    }
    for (const userSettings of settings.users) {
      const user = new UsmUser(userSettings)
      if (this.#users.has(user.wireName)) {
        throw new Fault('invalid', `user ${user.name} is defined twice`, { field: 'users' })
      }
      this.#users.set(user.wireName, user)
    }
    // Close to the time of day but monotonic: setting the clock must not end everybody's time window.
    this.#clock = settings.clock ?? (() => performance.timeOrigin + performance.now())
    this.#salt = settings.salt ?? salts()
    this.#boots = settings.engineBoots
    this.#startedAt = settings.startedAt ?? this.#clock()
    this.#engines = new SnmpEngines(settings.times, this.#clock, settings.maxEngines ?? 16_384)
    this.#digests = new SeenDigests(settings.maxDigests ?? 131_072)
    this.#acceptedDigests = settings.acceptedDigests ?? new AcceptedDigests()
    this.#own = new SnmpEngine(this.engineId.toString('hex'))
    this.#messages = settings.messages
    this.#recall()
  }

  /** Loads messages that were accepted before, so that none is accepted again. */
  #recall(): void {
    const messages = this.#messages
    if (!messages) return
    const engineIds = new Set<string>()
    for (const { engineId, boots, time, digest } of messages.kept) {
      const engine = engineId === this.#own.id ? this.#own : this.#engines.recalled(engineId)
      // If older messages were overwritten, some of the same second may be missing.
      if (messages.isFull && !engineIds.has(engineId)) engine.forget(boots, time)
      engineIds.add(engineId)
      this.#digests.add({ digest, engine, boots, time, pending: false })
    }
  }

  /** Sizes, for measuring memory. */
  get kept(): { readonly engines: number; readonly digests: number } {
    return { engines: this.#engines.size, digests: this.#digests.size + this.#acceptedDigests.count }
  }

  /** `space` is the address space of its sender. */
  open(message: MessageV3, space = defaultSpace): Opened | UsmReason {
    const own = message.engineId.equals(this.engineId)
    // A sender that waits for an answer believes that we are the named engine; if that is wrong, or the engine unknown,
    // it is sent a report.
    if (!own && message.reportable) return 'unknown-engine'
    if (message.engineId.length < MIN_ENGINE_ID) malformed('bad-engine-id')
    const user = this.#users.get(message.userName)
    if (user === undefined) return 'unknown-user'
    if (user.level !== message.level) return 'unsupported-security-level'
    if (user.auth === undefined) return { user, scoped: message.data, seen: undefined, replayed: false }

    // Devices make ids of their addresses.
    const id = inSpace(message.engineId.toString('hex'), space)
    const known = own ? this.#own : this.#engines.get(id)
    const keys = known?.keys.get(user) ?? new LocalKeys(user, user.auth, message.engineId)
    if (!genuine(message, keys)) return 'wrong-digest'
    const engine = own ? this.#own : this.#engines.authenticated(id)
    engine.keys.set(user, keys)

    if (user.relaxedTime && !own) {
      if (!this.#acceptedDigests.take(message.digest)) return 'replay'
      this.#engines.advance(engine, message.boots, message.time)
      return this.#readable(message, keys, { user, seen: undefined, replayed: false })
    }
    const timely = own ? this.#timely(message) : this.#engines.timely(engine, message.boots, message.time)
    if (!timely) return 'not-in-time-window'
    const digest = message.digest.toString('latin1')
    const earlier = this.#digests.get(digest)
    if (earlier !== undefined && (!own || earlier.pending)) return 'replay'
    const seen = earlier ?? { digest, engine, boots: message.boots, time: message.time, pending: true }
    if (earlier === undefined) {
      this.#digests.add(seen)
      this.#messages?.note(seen)
    }
    if (!own) this.#engines.advance(engine, message.boots, message.time)

    return this.#readable(message, keys, { user, seen, replayed: earlier !== undefined })
  }

  #readable(message: MessageV3, keys: LocalKeys, sent: Omit<Opened, 'scoped'>): Opened | UsmReason {
    const scoped = plainScopedPdu(message, keys)
    return scoped === undefined ? 'decryption' : { ...sent, scoped }
  }

  /** The report that tells the sender why a message was refused; undefined if none is sent. */
  report(message: MessageV3, reason: UsmReason): Buffer | undefined {
    const counter = USM_REASONS.indexOf(reason)
    if (!message.reportable || counter >= REPORTED) return undefined
    const count = (this.#reported[counter] ?? 0) + 1
    this.#reported[counter] = count
    const writer = new BerWriter()
    const scoped = writer.open(Tag.sequence)
    writer.octets(this.engineId)
    writer.octets(Buffer.alloc(0))
    const pdu = writer.open(Tag.report)
    writer.integer(requestId(message))
    writer.integer(0)
    writer.integer(0)
    const bindings = writer.open(Tag.sequence)
    const binding = writer.open(Tag.sequence)
    writer.oid(`${USM_STATS}.${counter + 1}.0`)
    writer.unsigned(count % 2 ** 32, Tag.counter32)
    for (const start of [binding, bindings, pdu, scoped]) writer.close(start)
    // Only an authenticated report may set a clock: RFC 3414 section 3.2, step 7a. Other reports are unsigned.
    const user = reason === 'not-in-time-window' ? this.#users.get(message.userName) : undefined
    const keys = user && this.#own.keys.get(user)
    return writeMessageV3({ ...this.#envelope(message.id, message.userName), keys }, writer.bytes())
  }

  /** Signs and encrypts the scoped PDU of an answer for the user whose message is answered. */
  seal(messageId: number, user: UsmUser, scopedPdu: Buffer): Buffer {
    const keys = this.#own.keys.get(user)
    const salt = user.priv ? this.#salt() : undefined
    return writeMessageV3({ ...this.#envelope(messageId, user.wireName), keys, salt }, scopedPdu)
  }

  /** Forgets a message that could not be stored, so that it can be sent again. */
  forget(seen: Seen): void {
    this.#digests.delete(seen)
    this.#messages?.forget(seen)
  }

  #envelope(id: number, userName: string): EnvelopeV3 {
    const time = this.#time()
    const { engineId } = this
    return {
      id,
      reportable: false,
      engineId,
      boots: this.#boots,
      time,
      userName,
      keys: undefined,
      salt: undefined,
    }
  }

  #time(): number {
    return Math.floor((this.#clock() - this.#startedAt) / 1000)
  }

  /** RFC 3414 section 3.2, step 7a: the message must agree with our own clock. */
  #timely(message: MessageV3): boolean {
    return (
      this.#boots !== MAX_BOOTS &&
      message.boots === this.#boots &&
      Math.abs(message.time - this.#time()) <= TIME_WINDOW &&
      this.#own.remembers(message.boots, message.time)
    )
  }
}

/** The request id, which a report has to repeat; 0 if the message is encrypted or the id cannot be read. */
function requestId(message: MessageV3): number {
  if (message.level === 'authPriv') return 0
  const id = attempt(() => {
    const reader = new BerReader(message.data)
    reader.enter(Tag.sequence)
    reader.octets()
    reader.octets()
    reader.enter(reader.peek())
    return reader.integer()
  })
  return id ?? 0
}
