// A user of the user-based security model, and the keys derived from its passwords.

import { Fault } from '../fault.ts'
import {
  type AuthAlgorithm,
  type AuthKey,
  authKey,
  localise,
  PRIV_ALGORITHMS,
  type PrivAlgorithm,
  type PrivKey,
  passwordToKey,
  privKey,
  stretch,
} from './usm-keys.ts'

export type SecurityLevel = 'noAuthNoPriv' | 'authNoPriv' | 'authPriv'

export interface User {
  readonly name: string
  readonly auth?: { readonly algorithm: AuthAlgorithm; readonly password: string }
  readonly priv?: { readonly algorithm: PrivAlgorithm; readonly password: string }
  /** For a device that forgets its boots: its time window is not enforced, but replays are refused. */
  readonly relaxedTime?: boolean
}

/** RFC 3414 section 11.2; common tools require it, too. */
const MIN_PASSWORD = 8

export class UsmUser {
  readonly name: string
  /** The bytes of the name, one character each, as in messages. */
  readonly wireName: string
  /** The only level that is accepted: a lower one would let an attacker choose, a higher one cannot be decrypted. */
  readonly level: SecurityLevel
  readonly auth: AuthAlgorithm | undefined
  readonly priv: PrivAlgorithm | undefined
  readonly relaxedTime: boolean
  readonly #passwords: { readonly auth: string; readonly priv: string }
  #authKey: Buffer | undefined
  #privKey: Buffer | undefined

  constructor(user: User) {
    check(user)
    this.name = user.name
    this.wireName = Buffer.from(user.name, 'utf8').toString('latin1')
    this.auth = user.auth?.algorithm
    this.priv = user.priv?.algorithm
    this.level = user.priv ? 'authPriv' : user.auth ? 'authNoPriv' : 'noAuthNoPriv'
    this.relaxedTime = user.relaxedTime ?? false
    this.#passwords = { auth: user.auth?.password ?? '', priv: user.priv?.password ?? '' }
  }

  /** The key derived from the authentication password, computed when first needed. */
  authKey(algorithm: AuthAlgorithm): Buffer {
    this.#authKey ??= passwordToKey(algorithm, this.#passwords.auth)
    return this.#authKey
  }

  /** The key derived from the privacy password, which is hashed with the authentication algorithm, too. */
  privKey(algorithm: AuthAlgorithm): Buffer {
    this.#privKey ??= passwordToKey(algorithm, this.#passwords.priv)
    return this.#privKey
  }
}

/**
 * A user's keys at one engine. The privacy key is derived when first needed, so that a forged message costs one small
 * hash.
 */
export class LocalKeys {
  readonly auth: AuthKey
  readonly #user: UsmUser
  readonly #engineId: Buffer
  #priv: PrivKey | undefined

  constructor(user: UsmUser, algorithm: AuthAlgorithm, engineId: Uint8Array) {
    // A copy, which outlives the datagram that the id was read from.
    this.#engineId = Buffer.from(engineId)
    this.#user = user
    this.auth = authKey(algorithm, localise(algorithm, user.authKey(algorithm), engineId))
  }

  get priv(): PrivKey | undefined {
    const priv = this.#user.priv
    if (priv === undefined) return undefined
    this.#priv ??= this.#derivePriv(priv)
    return this.#priv
  }

  #derivePriv(priv: PrivAlgorithm): PrivKey {
    const { algorithm } = this.auth
    const key = localise(algorithm, this.#user.privKey(algorithm), this.#engineId)
    return privKey(priv, stretch(algorithm, key, PRIV_ALGORITHMS[priv].keyLength))
  }
}

function check(user: User): void {
  const invalid = (message: string, field: string) => new Fault('invalid', message, { field })
  const bytes = Buffer.byteLength(user.name, 'utf8')
  if (bytes < 1 || bytes > 32) throw invalid('the name of a user has 1 to 32 bytes', 'name')
  if (user.priv && !user.auth) throw invalid(`user ${user.name} has privacy without authentication`, 'priv')
  for (const part of ['auth', 'priv'] as const) {
    const password = user[part]?.password
    if (password !== undefined && Buffer.byteLength(password, 'utf8') < MIN_PASSWORD) {
      throw invalid(
        `the ${part} password of user ${user.name} has fewer than ${MIN_PASSWORD} characters`,
        part,
      )
    }
  }
}
