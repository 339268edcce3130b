// An in-memory copy of operators, tokens and sessions, which every request needs; read again when they have changed.

import {
  type Operator,
  readOperators,
  readSessions,
  readTokens,
  type Session,
  type Token,
} from '../resources/access/credentials.ts'
import type { Database } from '../store/database.ts'
import { TableCache } from '../store/table-cache.ts'

export interface Entries {
  readonly byName: ReadonlyMap<string, Operator>
  readonly byId: ReadonlyMap<bigint, Operator>
  /** By the hash of the token. */
  readonly tokens: ReadonlyMap<string, Token>
  readonly tokensById: ReadonlyMap<bigint, Token>
  /** By the hash of the cookie. */
  readonly sessions: ReadonlyMap<string, Session>
  readonly sessionsById: ReadonlyMap<bigint, Session>
}

const tables = ['operator', 'credential', 'token', 'session', 'identity'] as const

export class Directory {
  readonly #database: Database
  readonly #entries: TableCache<Entries>

  constructor(database: Database) {
    this.#database = database
    this.#entries = new TableCache(database, ...tables)
  }

  /** Checks whether other nodes have changed them. */
  refresh(): Promise<void> {
    return this.#database.refresh()
  }

  /** The current entries, as far as this node knows. */
  entries(): Promise<Entries> {
    return this.#entries.get(this.#database, readEntries)
  }

  /** The entries as last read. */
  get last(): Entries | undefined {
    return this.#entries.last
  }
}

async function readEntries(database: Database): Promise<Entries> {
  const operators = await readOperators(database)
  const tokens = await readTokens(database)
  const sessions = await readSessions(database)
  return {
    byName: new Map(operators.map((operator) => [operator.name, operator])),
    byId: new Map(operators.map((operator) => [operator.id, operator])),
    tokens: new Map(tokens),
    tokensById: new Map(tokens.map(([, token]) => [token.id, token])),
    sessions: new Map(sessions),
    sessionsById: new Map(sessions.map(([, session]) => [session.id, session])),
  }
}
