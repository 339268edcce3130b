// Sessions of those who signed in from a browser: how they begin, how long they last, and how they end by themselves.

import { randomBytes } from 'node:crypto'
import { createIn, eraseIn } from '../resources/collection.ts'
import { type SignInWay, sessions } from '../resources/session.ts'
import type { Database, Transaction } from '../store/database.ts'
import { type Directory, type Operator, type Session, tokenHash } from './directory.ts'

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

/** Where somebody signs in. */
interface Place {
  readonly address: string
  readonly agent: string
  readonly way: SignInWay
}

/** How exactly the last use is known, at the most. */
const useGrain = 60_000
const perOperator = 50
const secretForm = /^[\w-]{43}$/

export class Sessions {
  readonly limits: SessionLimits
  readonly #parts: SessionParts
  /** Uses that this process has seen. */
  readonly #used = new Map<bigint, number>()

  constructor(parts: SessionParts) {
    this.#parts = parts
    this.limits = parts.limits
  }

  /** Returns the content of the cookie, which is kept nowhere else. `database` acts for the operator. */
  async begin(database: Database, operator: Operator, place: Place): Promise<{ id: bigint; secret: string }> {
    const secret = randomBytes(32).toString('base64url')
    const id = await database.transaction(async (tx) => {
      await this.#makeRoom(tx, operator.id)
      const made = await createIn(tx, sessions, {
        ...place,
        operatorId: operator.id,
        createdTime: tx.now,
        expiryTime: tx.now + this.limits.absolute,
      })
      await tx.run('update session set hash = ? where id = ?', [tokenHash(secret), made])
      return made
    })
    return { id, secret }
  }

  /** The one whose cookie this is, as long as it lasts. */
  async find(secret: string): Promise<Session | undefined> {
    if (!secretForm.test(secret)) return undefined
    const { sessions: known } = await this.#parts.directory.entries()
    const session = known.get(tokenHash(secret))
    if (!session) return undefined
    // Another process may have seen it in use.
    if (!this.lasts(session)) await this.#lookUpUse(session)
    if (!this.lasts(session)) return undefined
    this.#noteUse(session)
    return session
  }

  /** Whether it is within its limits. */
  lasts(session: Session): boolean {
    const now = this.#parts.clock()
    if (now >= session.expiryTime) return false
    const { idle } = this.limits
    return idle === 0 || now - this.#lastUse(session) < idle
  }

  /**
   * Removes those that are over; nobody did it, so the audit log has no entry. `settling` is the store as the one who
   * settles changes it: who stood still after the look would end what was used since.
   */
  async expire(settling = this.#parts.database): Promise<void> {
    const { directory } = this.#parts
    const { sessions: known } = await directory.entries()
    for (const session of known.values()) {
      if (this.lasts(session)) continue
      await this.#lookUpUse(session)
      if (!this.lasts(session)) await this.#end(session, settling)
    }
    const live = (await directory.entries()).sessionsById
    for (const id of this.#used.keys()) if (!live.has(id)) this.#used.delete(id)
  }

  #lastUse({ id, lastTime }: Session): number {
    return Math.max(lastTime, this.#used.get(id) ?? 0)
  }

  async #lookUpUse({ id }: Session): Promise<void> {
    const [row] = await this.#parts.database.all('select last_time from login where subject = ?', [
      `session ${id}`,
    ])
    if (row) this.#used.set(id, Math.max(Number(row.last_time), this.#used.get(id) ?? 0))
  }

  #noteUse(session: Session): void {
    const { clock, database, onError } = this.#parts
    const now = clock()
    const grain = Math.min(useGrain, this.limits.idle / 10 || useGrain)
    if (now - this.#lastUse(session) < grain) return
    this.#used.set(session.id, now)
    const saved = database.transaction(async (tx) => {
      // It may have been ended meanwhile.
      const [row] = await tx.all('select id from session where id = ?', [session.id])
      if (row) await noteLogin(tx, `session ${session.id}`)
    })
    saved.catch((error) => onError?.(error))
  }

  /** Somebody may have been faster. */
  async #end({ id }: Session, settling: Database): Promise<void> {
    await settling.transaction(async (tx) => {
      const [row] = await tx.all('select id from session where id = ?', [id])
      if (row) await eraseIn(tx, sessions, id)
    })
  }

  async #makeRoom(tx: Transaction, operatorId: bigint): Promise<void> {
    const rows = await tx.all('select id from session where operator_id = ? order by id desc', [operatorId])
    for (const { id } of rows.slice(perOperator - 1)) await eraseIn(tx, sessions, id as bigint)
  }
}

/** When an operator, a token or a session was used last. */
export async function noteLogin(tx: Transaction, subject: string): Promise<void> {
  await tx.run(
    'insert into login (subject, last_time) values (?, ?) on conflict (subject) do update set last_time = excluded.last_time',
    [subject, tx.now],
  )
}
