// Records logins, failed logins and refused calls in the audit log. Anyone can cause any number of them, so they are
// collected and summarised in a few entries.

import { write } from '../resources/access/audit-entry.ts'
import { noteLogin, type Subject } from '../resources/access/last-use.ts'
import type { Database } from '../store/database.ts'
import type { Login } from './login.ts'
import { RecentMap } from './recent-map.ts'

/** A refused login, for the log and the audit log. It contains nothing secret. */
export interface RefusedLogin {
  /** The name as it was sent, with anything in it; empty if there was none. */
  readonly name: string
  readonly address: string
  readonly reason: string
}

interface Line extends RefusedLogin {
  /** Attempts that are in no entry yet. */
  pending: number
  recorded: boolean
}

const minute = 60_000
/** The most names and addresses that are distinguished per minute: a flood must not push out entries of others. */
const lineLimit = 20
const nameLimit = 100

/**
 * The first attempt of a name from an address is recorded by the next call of `record`, the others when the minute is
 * over: at most two entries per minute, however many attempts there were.
 */
export class LoginSummary {
  readonly #database: Database
  readonly #clock: () => number
  readonly #action: string
  #lines = new Map<string, Line>()
  #began: number

  constructor(database: Database, clock: () => number, action: string) {
    this.#action = action
    this.#database = database
    this.#clock = clock
    this.#began = clock()
  }

  /** Never fails, and is cheap. */
  add({ name, address, reason }: RefusedLogin): void {
    const short = legible(name)
    // Methods of login are distinguished; reasons of refusals are not, because callers can vary them at will.
    const key = [address, short, ...(this.#action === 'login' ? [reason] : [])].join('\0')
    const known = this.#lines.get(key)
    if (known) known.pending += 1
    else if (this.#lines.size < lineLimit) {
      this.#lines.set(key, { name: short, address, reason, pending: 1, recorded: false })
    } else this.#addToRest()
  }

  #addToRest(): void {
    const rest = this.#lines.get('')
    if (rest) rest.pending += 1
    else {
      const reason = 'more names and addresses than are recorded one by one'
      this.#lines.set('', { name: '(others)', address: '', reason, pending: 1, recorded: true })
    }
  }

  /** Called every few seconds, and with `last` when the service stops. */
  async record(last = false): Promise<void> {
    const now = this.#clock()
    // A clock that was set back must not delay them for ever.
    const isOver = last || now - this.#began >= minute || now < this.#began
    const due = [...this.#lines.values()].filter(
      ({ pending, recorded }) => pending > 0 && (isOver || !recorded),
    )
    if (isOver) {
      this.#lines = new Map()
      this.#began = now
    }
    if (due.length === 0) return
    const entries = due.map((line) => {
      const entry = { ...line }
      line.recorded = true
      line.pending = 0
      return entry
    })
    await this.#database.transaction(async (tx) => {
      for (const { name, address, reason, pending } of entries) {
        const facts = {
          action: this.#action,
          resource: 'operator',
          id: name,
          count: pending,
          detail: reason,
        }
        await write(tx, { name, role: '', address }, facts)
      }
    })
  }
}

/** Shortened and escaped, so that it fits in one line. */
const legible = (name: string) =>
  name
    .slice(0, nameLimit)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/gu, '\ufffd')

/** Milliseconds between two records of the last use of an operator or token. */
const useInterval = 5 * 60_000
/** Milliseconds between two records of a login of the same operator, by the same method and from the same address. */
const loginInterval = 24 * 3_600_000
/** Milliseconds between two reports of an address: refusals can occur by the thousand. */
const reportInterval = 10_000

interface RecorderParts {
  readonly database: Database
  readonly clock: () => number
  readonly onRefusedLogin?: (refused: RefusedLogin) => void
  readonly onLogin?: (login: RefusedLogin) => void
  readonly onError?: (error: unknown) => void
}

export class LoginRecorder {
  readonly #parts: RecorderParts
  readonly #used = new Map<string, number>()
  readonly #reported = new Map<string, number>()
  readonly #logged = new RecentMap<number>(10_000)

  constructor(parts: RecorderParts) {
    this.#parts = parts
  }

  refused(name: string, address: string, reason: string): void {
    const now = this.#parts.clock()
    const last = this.#reported.get(address)
    if (last !== undefined && Math.abs(now - last) < reportInterval) return
    if (this.#reported.size > 1000) this.#reported.clear()
    this.#reported.set(address, now)
    this.#parts.onRefusedLogin?.({ name: name.slice(0, 80), address, reason })
  }

  login({ operator, by, token }: Login, address: string): void {
    const { clock, onLogin } = this.#parts
    const reason = token ? `token ${token.id}` : by
    const key = `${operator.id} ${reason} ${address}`
    const now = clock()
    if (Math.abs(now - (this.#logged.get(key) ?? 0)) < loginInterval) return
    this.#logged.set(key, now)
    onLogin?.({ name: operator.name, address, reason })
  }

  used(subject: Subject): void {
    const { clock, database, onError } = this.#parts
    const now = clock()
    if (now - (this.#used.get(subject) ?? Number.NEGATIVE_INFINITY) < useInterval) return
    this.#used.set(subject, now)
    const saved = database.transaction((tx) => noteLogin(tx, subject))
    saved.catch((error) => onError?.(error))
  }
}
