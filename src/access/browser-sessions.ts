// Sessions of operators who signed in from a browser: how they begin, how long they last, and how they expire.

import type { Operator, Session } from '../resources/access/credentials.ts'
import { lastLogin, noteLogin } from '../resources/access/last-use.ts'
import { type SignInWay, sessions, sessionsOf, writeHiddenFields } from '../resources/access/session.ts'
import { createIn, eraseIn } from '../resources/collection.ts'
import type { Database, Transaction } from '../store/database.ts'
import { find } from '../store/table.ts'
import type { Directory } from './directory.ts'
import { looksLikeSecret, newSecret, secretHash } from './secrets.ts'

export interface SessionLimits {
  /** Milliseconds from the beginning, and since the last use; 0: no such limit. */
  readonly absolute: number
  readonly idle: number
}

interface SessionParts {
  readonly database: Database
  readonly directory: Directory
  readonly limits: SessionLimits
  readonly clock: () => number
  readonly onError?: (error: unknown) => void
}

/** The origin of a sign-in. */
interface SignInOrigin {
  readonly address: string
  readonly agent: string
  readonly way: SignInWay
  /** When a provider last asked the operator to sign in, if it says so. */
  readonly presentTime?: number | undefined
}

/** Milliseconds: the time of last use is written at most this often. */
const usePrecision = 60_000
const maxPerOperator = 50

export class BrowserSessions {
  readonly limits: SessionLimits
  readonly #parts: SessionParts
  /** When this process has last seen each session in use, by id. */
  readonly #used = new Map<bigint, number>()

  constructor(parts: SessionParts) {
    this.#parts = parts
    this.limits = parts.limits
  }

  /**
   * Returns the content of the cookie, of which only a hash is stored. `database` writes on behalf of the operator, who
   * is named in the audit log.
   */
  async begin(
    database: Database,
    operator: Operator,
    origin: SignInOrigin,
  ): Promise<{ id: bigint; secret: string }> {
    const secret = newSecret()
    const { presentTime, ...shown } = origin
    const id = await database.transaction(async (tx) => {
      await this.#makeRoom(tx, operator.id)
      const made = await createIn(tx, sessions, {
        ...shown,
        operatorId: operator.id,
        createdTime: tx.now,
        expiryTime: tx.now + this.limits.absolute,
      })
      await writeHiddenFields(tx, made, { hash: secretHash(secret), presentTime })
      return made
    })
    return { id, secret }
  }

  /** The session of this cookie, while it lasts. */
  async find(secret: string): Promise<Session | undefined> {
    if (!looksLikeSecret(secret)) return undefined
    const { sessions: known } = await this.#parts.directory.entries()
    const session = known.get(secretHash(secret))
    if (!session) return undefined
    // Another process may have seen it in use.
    if (!this.lasts(session)) await this.#lookUpUse(session)
    if (!this.lasts(session)) return undefined
    this.#noteUse(session)
    return session
  }

  /** Whether it has not expired. */
  lasts(session: Session): boolean {
    const now = this.#parts.clock()
    if (now >= session.expiryTime) return false
    const { idle } = this.limits
    return idle === 0 || now - this.#lastUse(session) < idle
  }

  /**
   * Removes expired sessions; nobody did it, so the audit log has no entry. `leaderDatabase` writes only while this
   * node is the leader: a node that was suspended after its check would end a session that was used since.
   */
  async expire(leaderDatabase = this.#parts.database): Promise<void> {
    const { directory } = this.#parts
    const { sessions: known } = await directory.entries()
    for (const session of known.values()) {
      if (this.lasts(session)) continue
      await this.#lookUpUse(session)
      if (!this.lasts(session)) await this.#end(session, leaderDatabase)
    }
    const live = (await directory.entries()).sessionsById
    for (const id of this.#used.keys()) if (!live.has(id)) this.#used.delete(id)
  }

  #lastUse({ id, lastTime }: Session): number {
    return Math.max(lastTime, this.#used.get(id) ?? 0)
  }

  async #lookUpUse({ id }: Session): Promise<void> {
    const last = await lastLogin(this.#parts.database, 'session', id)
    if (last !== undefined) this.#used.set(id, Math.max(last, this.#used.get(id) ?? 0))
  }

  #noteUse(session: Session): void {
    const { clock, database, onError } = this.#parts
    const now = clock()
    const precision = Math.min(usePrecision, this.limits.idle / 10 || usePrecision)
    if (now - this.#lastUse(session) < precision) return
    this.#used.set(session.id, now)
    const saved = database.transaction(async (tx) => {
      // It may have been ended meanwhile.
      if (await find(tx, sessions.table, session.id)) await noteLogin(tx, `session ${session.id}`)
    })
    saved.catch((error) => onError?.(error))
  }

  /** Another request may have ended it already. */
  async #end({ id }: Session, leaderDatabase: Database): Promise<void> {
    await leaderDatabase.transaction(async (tx) => {
      if (await find(tx, sessions.table, id)) await eraseIn(tx, sessions, id)
    })
  }

  /** Ends the oldest sessions of the operator where there would be too many. */
  async #makeRoom(tx: Transaction, operatorId: bigint): Promise<void> {
    const existing = await sessionsOf(tx, operatorId)
    for (const id of existing.slice(maxPerOperator - 1)) await eraseIn(tx, sessions, id)
  }
}
