// Records logins, failed logins and refused calls in the audit log. Anyone can cause any number of them, so they are
// collected and summarised in a few entries.

import { write } from '../resources/access/audit-entry.ts'
import type { Database } from '../store/database.ts'

/** A refused login, for the log and the audit log. It contains nothing secret. */
export interface RefusedLogin {
  /** As it was given: with anything in it; empty where none was. */
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
/** Names and addresses kept apart in one minute. Entries are limited, and a flood must not push out those of others. */
const lineLimit = 20
const nameLimit = 100

/**
 * The first attempt of a name from an address is recorded by the next call of `record`, the others once the minute is over: two
 * entries in a minute at most, however many attempts there were.
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
    // By which way somebody logs in is told apart; why somebody is refused is not, since callers can vary it at will.
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
    // A clock that was set back must not hold them for ever.
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
