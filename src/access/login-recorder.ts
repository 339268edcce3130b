// Records the use of credentials at limited rates: refused logins, logins, and the last use of operators and tokens.

import { noteLogin, type Subject } from '../resources/access/last-use.ts'
import type { Database } from '../store/database.ts'
import type { Login } from './login.ts'
import type { RefusedLogin } from './login-summary.ts'
import { RecentMap } from './recent-map.ts'

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
