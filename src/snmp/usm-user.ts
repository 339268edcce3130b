// A user of the user-based security model, and the keys made of its passwords.

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
  /** For a device that forgets its boots: its time window is not enforced, its replays are refused all the same. */
  readonly relaxedTime?: boolean
}

/** RFC 3414 section 11.2, and what the common tools insist on. */
const MIN_PASSWORD = 8

export class UsmUser {
  readonly name: string
  /** The name's bytes, one character each: what messages are compared with. */
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

  /** The key made of the authentication password; made when first needed, then kept. */
  authKey(algorithm: AuthAlgorithm): Buffer {
    this.#authKey ??= passwordToKey(algorithm, this.#passwords.auth)
    return this.#authKey
  }

  /** The same of the privacy password, which is hashed with the authentication algorithm too. */
  privKey(algorithm: AuthAlgorithm): Buffer {
    this.#privKey ??= passwordToKey(algorithm, this.#passwords.priv)
    return this.#privKey
  }
}

/**
 * A user's keys at one engine. The privacy key is made when first needed: a forged message never gets that far, and
 * should cost one small hash.
 */
export class LocalKeys {
  readonly auth: AuthKey
  readonly #user: UsmUser
  readonly #engineId: Buffer
  #priv: PrivKey | undefined

  constructor(user: UsmUser, algorithm: AuthAlgorithm, engineId: Uint8Array) {
    // A copy: these live longer than the datagram that the id was read from.
    this.#engineId = Buffer.from(engineId)
    this.#user = user
    this.auth = authKey(algorithm, localise(algorithm, user.authKey(algorithm), engineId))
  }

  get priv(): PrivKey | undefined {
    const priv = this.#user.priv
    if (priv === undefined) return undefined
    this.#priv ??= this.#makePriv(priv)
    return this.#priv
  }

  #makePriv(priv: PrivAlgorithm): PrivKey {
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
