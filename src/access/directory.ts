// Operators, tokens and sessions as every request needs them: in memory, read again when they have changed.

import type { Role } from '../resources/access/role.ts'
import { Scopes } from '../resources/access/token.ts'
import type { Database, SqlValue } from '../store/database.ts'

export interface Operator {
  readonly id: bigint
  readonly name: string
  readonly fullName: string
  readonly role: Role
  readonly enabled: boolean
  readonly password: string | undefined
  readonly sha256: string | undefined
  readonly md5: string | undefined
  /** The realm that went into what Digest needs. */
  readonly realm: string
  /** Changes with the password. */
  readonly changedAt: number
}

export interface Token {
  readonly id: bigint
  readonly operatorId: bigint
  readonly scopes: Scopes
  readonly expiryTime: number
}

export interface Session {
  readonly id: bigint
  readonly operatorId: bigint
  readonly expiryTime: number
  /** When it was used last, as far as the store knew when it was read. */
  readonly lastTime: number
}

export interface Entries {
  readonly byName: ReadonlyMap<string, Operator>
  readonly byId: ReadonlyMap<bigint, Operator>
  /** By the hash of the token. */
  readonly tokens: ReadonlyMap<string, Token>
  readonly tokensById: ReadonlyMap<bigint, Token>
  /** By the hash of what the cookie holds. */
  readonly sessions: ReadonlyMap<string, Session>
  readonly sessionsById: ReadonlyMap<bigint, Session>
}

const tables = ['operator', 'credential', 'token', 'session'] as const

export class Directory {
  readonly #database: Database
  #read: { readonly version: number; readonly entries: Entries } | undefined
  #reading: { readonly version: number; readonly entries: Promise<Entries> } | undefined

  constructor(database: Database) {
    this.#database = database
  }

  /** Checks whether other nodes have changed them. */
  refresh(): Promise<void> {
    return this.#database.refresh()
  }

  /** As the store has them, as far as this node knows. */
  async entries(): Promise<Entries> {
    // The version is read first: what is committed during the read causes another one.
    const version = tables.reduce((sum, table) => sum + this.#database.version(table), 0)
    if (this.#read?.version === version) return this.#read.entries
    if (this.#reading?.version !== version) {
      this.#reading = { version, entries: readEntries(this.#database) }
    }
    const reading = this.#reading
    try {
      const entries = await reading.entries
      if (version >= (this.#read?.version ?? -1)) this.#read = { version, entries }
      return entries
    } finally {
      if (this.#reading === reading) this.#reading = undefined
    }
  }

  /** As they were when they were last read. */
  get last(): Entries | undefined {
    return this.#read?.entries
  }
}

const textOf = (value: SqlValue | undefined) => (typeof value === 'string' ? value : undefined)

/** All operators, even incomplete ones: if none were found, the service would be open to everyone. */
async function readEntries(database: Database): Promise<Entries> {
  const rows = await database.all(
    'select id, name, full_name, role, enabled, password, sha256, md5, realm, changed_at from operator left join credential on operator_id = id',
  )
  const operators = rows.map(
    (row): Operator => ({
      id: row.id as bigint,
      name: String(row.name),
      fullName: textOf(row.full_name) ?? '',
      role: row.role as Role,
      enabled: row.enabled === 1n,
      password: textOf(row.password),
      sha256: textOf(row.sha256),
      md5: textOf(row.md5),
      realm: textOf(row.realm) ?? '',
      changedAt: Number(row.changed_at),
    }),
  )
  const tokenRows = await database.all('select id, operator_id, scope, expiry_time, hash from token')
  const tokens = tokenRows.map((row): [string, Token] => [
    String(row.hash),
    {
      id: row.id as bigint,
      operatorId: row.operator_id as bigint,
      scopes: new Scopes(String(row.scope)),
      expiryTime: Number(row.expiry_time),
    },
  ])
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

async function readSessions(database: Database): Promise<[string, Session][]> {
  const rows = await database.all(
    "select id, operator_id, created_time, expiry_time, hash, last_time from session left join login on subject = 'session ' || id",
  )
  return rows.map((row) => [
    String(row.hash),
    {
      id: row.id as bigint,
      operatorId: row.operator_id as bigint,
      expiryTime: Number(row.expiry_time),
      lastTime: Number(row.last_time ?? row.created_time),
    },
  ])
}
