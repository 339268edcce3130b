// Verifies credentials: Digest, name and password, or token. Callers get a short answer, the same for an unknown name
// as for a wrong password; the reason is in the log and the audit log.

import { createHmac, randomBytes } from 'node:crypto'
import { placeOf } from '../config/networks.ts'
import type { Operator, Token } from '../resources/access/credentials.ts'
import type { Store } from '../store/database.ts'
import { BrowserSessions, type SessionLimits } from './browser-sessions.ts'
import { SharedFailures } from './cluster/shared-failures.ts'
import { SharedNonces } from './cluster/shared-nonces.ts'
import {
  challenges,
  type DigestAnswer,
  decodeHeader,
  expectedResponse,
  isSame,
  isTarget,
  readDigest,
} from './digest.ts'
import { Directory, type Entries } from './directory.ts'
import { KnownAddresses } from './known-addresses.ts'
import { type Attempt, LockOut } from './lock-out.ts'
import { type Login, type Refusal, reasonOf, roleOf } from './login.ts'
import { LoginRecorder, type RefusedLogin } from './login-summary.ts'
import { type NonceRegistry, Nonces } from './nonces.ts'
import { Passwords } from './passwords.ts'
import { looksLikeToken, secretHash } from './secrets.ts'
import { WeakPasswords } from './weak-passwords.ts'

/** The parts of a request that authentication needs. */
interface RequestParts {
  readonly method: string
  /** The request target, as it was sent. */
  readonly target: string
  readonly address: string
}

/** A login by name: accepted or refused. */
type LoginAttempt = {
  readonly name: string
  readonly address: string
  readonly operator: Operator | undefined
  readonly isKnownThere: boolean
} & (
  | { readonly attempt: Attempt; readonly refusal?: undefined }
  | { readonly attempt: undefined; readonly refusal: Refusal }
)

interface LoginParts {
  readonly database: Store
  readonly realm: string
  readonly clock: () => number
  readonly sessionLimits?: SessionLimits
  /** Milliseconds for which tokens of operators are valid who sign in through a provider. */
  readonly providerTokenLife?: number
  readonly onRefusedLogin?: (refused: RefusedLogin) => void
  /** Called once a day for each operator, method and address. */
  readonly onLogin?: (login: RefusedLogin) => void
  readonly onError?: (error: unknown) => void
}

const wrongCredentials = 'the name or the password is wrong, or the operator may not log in this way'

const defaultTokenLife = 90 * 24 * 3_600_000

const defaultLimits: SessionLimits = { absolute: 7 * 24 * 3_600_000, idle: 12 * 3_600_000 }

export class Logins {
  readonly directory: Directory
  readonly passwords: Passwords
  readonly weakPasswords = new WeakPasswords()
  readonly sessions: BrowserSessions
  readonly realm: string
  readonly providerTokenLife: number
  readonly #parts: LoginParts
  readonly #nonces: NonceRegistry
  readonly #lockOut: LockOut
  readonly #sharedFailures: SharedFailures
  readonly #knownAddresses: KnownAddresses
  /** Password checks in progress. */
  readonly #checking = new Map<string, Promise<Login | Refusal>>()
  readonly #decoyKey = randomBytes(32)
  readonly #recorder: LoginRecorder

  constructor(parts: LoginParts) {
    const { database, realm, clock } = parts
    this.#parts = parts
    this.#recorder = new LoginRecorder(parts)
    this.realm = realm
    this.providerTokenLife = parts.providerTokenLife ?? defaultTokenLife
    this.directory = new Directory(database)
    this.passwords = new Passwords(clock)
    this.sessions = new BrowserSessions({
      ...parts,
      directory: this.directory,
      limits: parts.sessionLimits ?? defaultLimits,
    })
    this.#nonces = database.kind === 'postgres' ? new SharedNonces(database, clock) : new Nonces(clock)
    this.#sharedFailures = new SharedFailures(parts)
    this.#lockOut = new LockOut({ clock, onFailed: (failure) => this.#sharedFailures.report(failure) })
    this.#knownAddresses = new KnownAddresses(parts)
  }

  now(): number {
    return this.#parts.clock()
  }

  /** Refuses waiting attempts: the service stops. */
  stop(): void {
    this.#lockOut.stop()
  }

  /** Removes records of requests that are too old to be accepted again. */
  async forgetOldNonces(): Promise<void> {
    if (this.#nonces instanceof SharedNonces) await this.#nonces.forgetOld()
  }

  /** The challenges for a caller without credentials; `basic` if its connection is encrypted. */
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

  async digest(text: string, request: RequestParts): Promise<Login | Refusal> {
    const { address, method, target } = request
    const answer = readDigest(text)
    if (typeof answer === 'string') return this.#refuse('', address, answer)
    const { username } = answer
    const attempted = await this.#beginAttempt(username, address)
    const { operator, attempt } = attempted
    if (attempt === undefined) return attempted.refusal
    const secret = operator && this.#digestSecret(operator, answer.algorithm)
    const decoy = this.#decoy(username)
    const isRight = isSame(expectedResponse(secret ?? decoy, method, answer), answer.response)
    if (!isRight || !operator || !secret) return this.#fail(attempted, reasonOf(operator, secret))
    if (!isTarget(answer.uri, target)) {
      return this.#fail(attempted, 'the Digest header is for another address of the service')
    }
    attempt.takeBack()
    const verdict = await this.#nonces.use(answer.nonce, answer.nc)
    if (verdict === 'replayed') this.#recorder.refused(username, address, 'the Digest header was used before')
    // The caller knows the password and may retry: a program that counts wrongly only becomes slow.
    if (verdict !== 'good') return { message: 'the nonce is too old, or was used before', stale: true }
    this.#knownAddresses.note(operator.id, address)
    return this.#accept({ operator, role: operator.role, by: 'digest' }, address)
  }

  async basic(text: string, address: string): Promise<Login | Refusal> {
    const pair = decodeHeader(Buffer.from(text.trim(), 'base64').toString('latin1'))
    const cut = pair.indexOf(':')
    if (cut < 1) return this.#refuse('', address, 'the Basic header is not well formed')
    return this.password(pair.slice(0, cut), pair.slice(cut + 1), address)
  }

  /** A name and a password, from a header or a form. */
  password(enteredName: string, password: string, address: string): Promise<Login | Refusal> {
    const name = enteredName.normalize('NFC')
    // Programs open several connections at once: equal credentials from the same address are one attempt.
    const key = this.#decoy(JSON.stringify([name, password, address]))
    const checking =
      this.#checking.get(key) ??
      this.#checkPassword(name, password, address).finally(() => this.#checking.delete(key))
    this.#checking.set(key, checking)
    return checking
  }

  async #checkPassword(name: string, password: string, address: string): Promise<Login | Refusal> {
    const attempted = await this.#beginAttempt(name, address)
    const { operator, attempt, isKnownThere } = attempted
    if (attempt === undefined) return attempted.refusal
    const usable = operator?.enabled ? operator : undefined
    const network = isKnownThere ? undefined : placeOf(address)
    const isRight = await this.passwords.verify(name, password, usable?.password, network).catch((error) => {
      attempt.takeBack()
      throw error
    })
    if (!isRight || !usable) return this.#fail(attempted, reasonOf(operator, operator?.password))
    attempt.takeBack()
    this.#knownAddresses.note(usable.id, address)
    return this.#accept({ operator: usable, role: usable.role, by: 'basic' }, address)
  }

  /** Begins an attempt, or returns why it is refused. */
  async #beginAttempt(name: string, address: string): Promise<LoginAttempt> {
    const operator = (await this.directory.entries()).byName.get(name)
    const isKnownThere = await this.#knownAddresses.has(operator?.id, address)
    const from = { name, address, operator, isKnownThere }
    for (const failure of await this.#sharedFailures.learn()) this.#lockOut.note(failure)
    const attempt = this.#lockOut.begin({ ...from, operatorId: operator?.id })
    if (typeof attempt === 'object' && (await attempt.turn)) return { ...from, attempt }
    const wait = Math.ceil(typeof attempt === 'number' ? attempt / 1000 : 1)
    return {
      ...from,
      attempt: undefined,
      refusal: { message: `too many failures: wait ${wait} seconds`, wait },
    }
  }

  /** Tokens cannot be guessed: a wrong one causes no delay. */
  async bearer(text: string, address: string): Promise<Login | Refusal> {
    const entries = await this.directory.entries()
    const token = looksLikeToken(text) ? entries.tokens.get(secretHash(text)) : undefined
    const operator = token && entries.byId.get(token.operatorId)
    if (!token || !operator) return this.#refuse('', address, 'the token is not known')
    if (!operator.enabled) return this.#refuse(operator.name, address, "the token's operator is disabled")
    if (this.endOf(token) <= this.#parts.clock())
      return this.#refuse(operator.name, address, 'the token has expired')
    return this.#accept({ operator, role: roleOf(token, operator), by: 'token', token }, address)
  }

  /** An invalid cookie counts as none: browsers keep cookies of ended sessions. */
  async cookie(secret: string): Promise<Login | undefined> {
    const session = await this.sessions.find(secret)
    const operator = session && (await this.directory.entries()).byId.get(session.operatorId)
    if (!session || !operator?.enabled) return undefined
    return this.#accept({ operator, role: operator.role, by: 'session', session })
  }

  /** Whether credentials are still valid, for long responses. */
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

  /** Tokens of operators who sign in through a provider expire a limited time after the sign-in. */
  endOf({ createdTime, expiryTime, signedInTime }: Token): number {
    if (signedInTime === undefined) return expiryTime
    return Math.min(expiryTime, Math.min(createdTime, signedInTime) + this.providerTokenLife)
  }

  /** Begins a sign-in through a provider, whose failures count for the address. */
  beginAt(address: string): ReturnType<LockOut['beginAt']> {
    return this.#lockOut.beginAt(address)
  }

  #digestSecret({ enabled, realm, sha256, md5 }: Operator, algorithm: DigestAnswer['algorithm']) {
    const usable = enabled && realm === this.realm
    return usable ? (algorithm === 'MD5' ? md5 : sha256) : undefined
  }

  /** Replaces missing secrets, so that the same work is done for unknown names. */
  #decoy(name: string): string {
    return createHmac('sha256', this.#decoyKey).update(name).digest('hex')
  }

  #fail({ name, address, attempt }: LoginAttempt, reason: string): Refusal {
    this.#parts.onRefusedLogin?.({ name: name.slice(0, 80), address, reason })
    attempt?.failed()
    return { message: wrongCredentials }
  }

  #refuse(name: string, address: string, reason: string): Refusal {
    this.#recorder.refused(name, address, reason)
    return { message: reason }
  }

  /** Reports credentials refused unchecked, such as a password on an unencrypted connection. */
  reportRefused(address: string, reason: string): void {
    this.#recorder.refused('', address, reason)
  }

  /** `address` only if credentials were checked: the beginning of a session is recorded separately. */
  #accept(login: Login, address?: string): Login {
    if (address !== undefined) this.#recorder.login(login, address)
    this.#recorder.used(`operator ${login.operator.id}`)
    if (login.token) this.#recorder.used(`token ${login.token.id}`)
    return login
  }
}
