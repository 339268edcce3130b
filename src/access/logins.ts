// Checks what callers present: Digest, a name with a password, a token. The caller gets a short answer, the same for an
// unknown name as for a wrong password; the log and the audit log get the reason.

import { createHmac, randomBytes } from 'node:crypto'
import { placeOf } from '../config/networks.ts'
import type { Operator, Session, Token } from '../resources/access/credentials.ts'
import { noteLogin, type Subject } from '../resources/access/last-use.ts'
import { mayAct, type Role } from '../resources/access/role.ts'
import type { Database } from '../store/database.ts'
import { type SessionLimits, Sessions } from './browser-sessions.ts'
import { SharedFailures } from './cluster/shared-failures.ts'
import { SharedNonces } from './cluster/shared-nonces.ts'
import {
  challenges,
  type DigestAnswer,
  decodeHeader,
  expectedResponse,
  isSame,
  readDigest,
} from './digest.ts'
import { Directory, type Entries } from './directory.ts'
import { KnownAddresses } from './known-addresses.ts'
import { type Attempt, LockOut } from './lock-out.ts'
import type { RefusedLogin } from './login-summary.ts'
import { type NonceRegistry, Nonces } from './nonces.ts'
import { Passwords } from './passwords.ts'
import { RecentMap } from './recent-map.ts'
import { looksLikeToken, secretHash } from './secrets.ts'
import { WeakPasswords } from './weak-passwords.ts'

export interface Login {
  readonly operator: Operator
  readonly role: Role
  readonly by: 'digest' | 'basic' | 'token' | 'session'
  readonly token?: Token
  readonly session?: Session
}

export interface Refusal {
  readonly message: string
  /** Only the nonce was too old: the program may answer a new one with the password it has. */
  readonly stale?: true
  /** Seconds before the next attempt is accepted. */
  readonly wait?: number
}

/** The parts of a request that authentication needs. */
interface Asking {
  readonly method: string
  /** The request target, as it was sent. */
  readonly target: string
  readonly address: string
}

/** A login by name: accepted or refused. */
type Trying = {
  readonly name: string
  readonly address: string
  readonly operator: Operator | undefined
  readonly isKnownThere: boolean
} & (
  | { readonly attempt: Attempt; readonly refusal?: undefined }
  | { readonly attempt: undefined; readonly refusal: Refusal }
)

interface LoginParts {
  readonly database: Database
  readonly realm: string
  readonly clock: () => number
  readonly sessionLimits?: SessionLimits
  /** How long tokens of operators live who sign in through a provider, in milliseconds. */
  readonly providerTokenLife?: number
  readonly onRefusedLogin?: (refused: RefusedLogin) => void
  /** Once a day for each operator, way and address. */
  readonly onLogin?: (login: RefusedLogin) => void
  readonly onError?: (error: unknown) => void
}

const wrong = 'the name or the password is wrong, or the operator may not log in this way'
/** How exactly the last use of an operator or a token is known. */
const useGrain = 5 * 60_000
/** How often a login of the same operator, by the same way and from the same address, is recorded. */
const loginGrain = 24 * 3_600_000
/** Refusals that can occur by the thousand are reported once in this time per address. */
const reportGrain = 10_000
const usualTokenLife = 90 * 24 * 3_600_000
const usualLimits: SessionLimits = { absolute: 7 * 24 * 3_600_000, idle: 12 * 3_600_000 }

export class Logins {
  readonly directory: Directory
  readonly passwords: Passwords
  readonly weakPasswords = new WeakPasswords()
  readonly sessions: Sessions
  readonly realm: string
  readonly providerTokenLife: number
  readonly #parts: LoginParts
  readonly #nonces: NonceRegistry
  readonly #lockOut: LockOut
  readonly #elsewhere: SharedFailures
  readonly #places: KnownAddresses
  /** Password checks under way. */
  readonly #checking = new Map<string, Promise<Login | Refusal>>()
  readonly #decoyKey = randomBytes(32)
  readonly #used = new Map<string, number>()
  readonly #reported = new Map<string, number>()
  readonly #logged = new RecentMap<number>(10_000)

  constructor(parts: LoginParts) {
    const { database, realm, clock } = parts
    this.#parts = parts
    this.realm = realm
    this.providerTokenLife = parts.providerTokenLife ?? usualTokenLife
    this.directory = new Directory(database)
    this.passwords = new Passwords(clock)
    this.sessions = new Sessions({
      ...parts,
      directory: this.directory,
      limits: parts.sessionLimits ?? usualLimits,
    })
    this.#nonces = database.kind === 'postgres' ? new SharedNonces(database, clock) : new Nonces(clock)
    this.#elsewhere = new SharedFailures(parts)
    this.#lockOut = new LockOut({ clock, onFailed: (failure) => this.#elsewhere.report(failure) })
    this.#places = new KnownAddresses(parts)
  }

  now(): number {
    return this.#parts.clock()
  }

  /** Attempts that wait for their turn are refused: the service stops. */
  stop(): void {
    this.#lockOut.stop()
  }

  /** Removes what is known of requests that are too old to be accepted again. */
  async forgetOldNonces(): Promise<void> {
    if (this.#nonces instanceof SharedNonces) await this.#nonces.forgetOld()
  }

  /** The challenges for a caller without credentials; `basic` where its connection is encrypted. */
  async challenges(basic: boolean, stale = false): Promise<string[]> {
    const { realm } = this
    const { byName } = await this.directory.entries()
    const digest = byName.values().some((operator) => operator.enabled && this.#digestSecret(operator, 'MD5'))
    const lines = digest
      ? challenges({
          realm,
          nonce: await this.#nonces.make(),
          opaque: this.#decoy('opaque').slice(0, 32),
          stale,
        })
      : []
    if (basic) lines.push(`Basic realm="${realm}", charset="UTF-8"`)
    return lines.length > 0 ? lines : [`Bearer realm="${realm}"`]
  }

  async digest(text: string, asking: Asking): Promise<Login | Refusal> {
    const { address, method, target } = asking
    const answer = readDigest(text)
    if (typeof answer === 'string') return this.#refuse('', address, answer)
    const { username } = answer
    const trying = await this.#trying(username, address)
    const { operator, attempt } = trying
    if (attempt === undefined) return trying.refusal
    const secret = operator && this.#digestSecret(operator, answer.algorithm)
    const decoy = this.#decoy(username)
    const isRight = isSame(expectedResponse(secret ?? decoy, method, answer), answer.response)
    if (!isRight || !operator || !secret) return this.#fail(trying, reasonOf(operator, secret))
    if (!isTarget(answer.uri, target)) {
      return this.#fail(trying, 'the Digest header is for another address of the service')
    }
    attempt.takeBack()
    const verdict = await this.#nonces.use(answer.nonce, answer.nc)
    if (verdict === 'replayed') this.#report(username, address, 'the Digest header was used before')
    // A caller that knows the password may ask again: a program that counts wrongly becomes a slow one.
    if (verdict !== 'good') return { message: 'the nonce is too old, or was used before', stale: true }
    this.#places.note(operator.id, address)
    return this.#admitted({ operator, role: operator.role, by: 'digest' }, address)
  }

  async basic(text: string, address: string): Promise<Login | Refusal> {
    const pair = decodeHeader(Buffer.from(text.trim(), 'base64').toString('latin1'))
    const cut = pair.indexOf(':')
    if (cut < 1) return this.#refuse('', address, 'the Basic header is not well formed')
    return this.password(pair.slice(0, cut), pair.slice(cut + 1), address)
  }

  /** A name and a password, whichever way they came. */
  password(given: string, password: string, address: string): Promise<Login | Refusal> {
    const name = given.normalize('NFC')
    // Programs open several connections at once: the same credentials from the same address are one attempt.
    const mark = this.#decoy(JSON.stringify([name, password, address]))
    const checking =
      this.#checking.get(mark) ??
      this.#checkPassword(name, password, address).finally(() => this.#checking.delete(mark))
    this.#checking.set(mark, checking)
    return checking
  }

  async #checkPassword(name: string, password: string, address: string): Promise<Login | Refusal> {
    const trying = await this.#trying(name, address)
    const { operator, attempt, isKnownThere } = trying
    if (attempt === undefined) return trying.refusal
    const usable = operator?.enabled ? operator : undefined
    const place = isKnownThere ? undefined : placeOf(address)
    const isRight = await this.passwords.verify(name, password, usable?.password, place).catch((error) => {
      attempt.takeBack()
      throw error
    })
    if (!isRight || !usable) return this.#fail(trying, reasonOf(operator, operator?.password))
    attempt.takeBack()
    this.#places.note(usable.id, address)
    return this.#admitted({ operator: usable, role: usable.role, by: 'basic' }, address)
  }

  /** Begins an attempt for a name, or returns why it is refused. */
  async #trying(name: string, address: string): Promise<Trying> {
    const operator = (await this.directory.entries()).byName.get(name)
    const isKnownThere = await this.#places.has(operator?.id, address)
    const from = { name, address, operator, isKnownThere }
    for (const failure of await this.#elsewhere.learn()) this.#lockOut.note(failure)
    const attempt = this.#lockOut.begin({ ...from, operatorId: operator?.id })
    if (typeof attempt === 'object' && (await attempt.turn)) return { ...from, attempt }
    const wait = Math.ceil(typeof attempt === 'number' ? attempt / 1000 : 1)
    return {
      ...from,
      attempt: undefined,
      refusal: { message: `too many failures: wait ${wait} seconds`, wait },
    }
  }

  /** A token cannot be guessed: a wrong one causes no waiting time. */
  async bearer(text: string, address: string): Promise<Login | Refusal> {
    const entries = await this.directory.entries()
    const token = looksLikeToken(text) ? entries.tokens.get(secretHash(text)) : undefined
    const operator = token && entries.byId.get(token.operatorId)
    if (!token || !operator) return this.#refuse('', address, 'the token is not known')
    if (!operator.enabled) return this.#refuse(operator.name, address, "the token's operator is disabled")
    if (this.endOf(token) <= this.#parts.clock())
      return this.#refuse(operator.name, address, 'the token has expired')
    return this.#admitted({ operator, role: roleOf(token, operator), by: 'token', token }, address)
  }

  /** An invalid cookie counts as none: browsers keep the cookie of a session that has ended. */
  async cookie(secret: string): Promise<Login | undefined> {
    const session = await this.sessions.find(secret)
    const operator = session && (await this.directory.entries()).byId.get(session.operatorId)
    if (!session || !operator?.enabled) return undefined
    return this.#admitted({ operator, role: operator.role, by: 'session', session })
  }

  /** Whether credentials that were valid still are; for answers that take long. */
  hasPermission(
    { operator, token, session }: Login,
    entries: Entries | undefined = this.directory.last,
  ): boolean {
    const known = entries?.byId.get(operator.id)
    if (!known?.enabled) return false
    if (session) {
      const current = entries?.sessionsById.get(session.id)
      return current !== undefined && this.sessions.lasts(current)
    }
    if (!token) return known.changedAt === operator.changedAt
    const current = entries?.tokensById.get(token.id)
    return current !== undefined && this.endOf(current) > this.#parts.clock()
  }

  /** A token of somebody who signs in through a provider does not outlive that by much. */
  endOf({ createdTime, expiryTime, signedInTime }: Token): number {
    if (signedInTime === undefined) return expiryTime
    return Math.min(expiryTime, Math.min(createdTime, signedInTime) + this.providerTokenLife)
  }

  /** A sign-in through a provider: its failures count for the address. */
  beginAt(address: string): ReturnType<LockOut['beginAt']> {
    return this.#lockOut.beginAt(address)
  }

  #digestSecret({ enabled, realm, sha256, md5 }: Operator, algorithm: DigestAnswer['algorithm']) {
    const usable = enabled && realm === this.realm
    return usable ? (algorithm === 'MD5' ? md5 : sha256) : undefined
  }

  /** Takes the place of missing data, so that the same work is done. */
  #decoy(name: string): string {
    return createHmac('sha256', this.#decoyKey).update(name).digest('hex')
  }

  #fail({ name, address, attempt }: Trying, reason: string): Refusal {
    this.#parts.onRefusedLogin?.({ name: name.slice(0, 80), address, reason })
    attempt?.failed()
    return { message: wrong }
  }

  #refuse(name: string, address: string, reason: string): Refusal {
    this.#report(name, address, reason)
    return { message: reason }
  }

  #report(name: string, address: string, reason: string): void {
    const now = this.#parts.clock()
    const last = this.#reported.get(address)
    if (last !== undefined && Math.abs(now - last) < reportGrain) return
    if (this.#reported.size > 1000) this.#reported.clear()
    this.#reported.set(address, now)
    this.#parts.onRefusedLogin?.({ name: name.slice(0, 80), address, reason })
  }

  /** Reports what was refused without being checked, such as a password on an unencrypted connection. */
  reportRefused(address: string, reason: string): void {
    this.#report('', address, reason)
  }

  /** `address` where credentials were checked; the beginning of a session has an entry of its own. */
  #admitted(login: Login, address?: string): Login {
    if (address !== undefined) this.#noteLogin(login, address)
    this.#noteUse(`operator ${login.operator.id}`)
    if (login.token) this.#noteUse(`token ${login.token.id}`)
    return login
  }

  #noteLogin({ operator, by, token }: Login, address: string): void {
    const { clock, onLogin } = this.#parts
    const reason = token ? `token ${token.id}` : by
    const key = `${operator.id} ${reason} ${address}`
    const now = clock()
    if (Math.abs(now - (this.#logged.get(key) ?? 0)) < loginGrain) return
    this.#logged.set(key, now)
    onLogin?.({ name: operator.name, address, reason })
  }

  #noteUse(subject: Subject): void {
    const { clock, database, onError } = this.#parts
    const now = clock()
    if (now - (this.#used.get(subject) ?? Number.NEGATIVE_INFINITY) < useGrain) return
    this.#used.set(subject, now)
    const saved = database.transaction((tx) => noteLogin(tx, subject))
    saved.catch((error) => onError?.(error))
  }
}

export const isLogin = (outcome: Login | Refusal): outcome is Login => 'operator' in outcome

function reasonOf(operator: Operator | undefined, secret: string | undefined): string {
  if (!operator) return 'unknown operator'
  if (!operator.enabled) return 'the operator is disabled'
  return secret ? 'wrong password' : 'Digest is not possible for this operator'
}

/** The rights of a token, never more than those of its operator. */
function roleOf({ scopes }: Token, { role }: Operator): Role {
  const named = scopes.role ?? 'viewer'
  return mayAct(role, named) ? named : role
}

const pathOf = (uri: string) => uri.replace(/^https?:\/\/[^/?#]*/i, '')

/** Byte for byte; a program that uses a proxy may send either form. */
const isTarget = (uri: string, target: string) => uri === target || pathOf(uri) === pathOf(target)
