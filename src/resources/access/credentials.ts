// Stored credentials: operators with their password hashes, tokens, sessions.

import type { Reader, SqlValue } from '../../store/database.ts'
import type { Role } from './role.ts'
import { Scopes } from './token.ts'

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
  readonly createdTime: number
  readonly expiryTime: number
  /** When its operator last signed in through a provider of identities; undefined where the operator has a password. */
  readonly signedInTime: number | undefined
}

export interface Session {
  readonly id: bigint
  readonly operatorId: bigint
  readonly createdTime: number
  readonly expiryTime: number
  /** When it was used last, as far as the store knew when it was read. */
  readonly lastTime: number
  /** When a provider last asked the operator to sign in; undefined where it did not say. */
  readonly presentTime: number | undefined
}

const textOf = (value: SqlValue | undefined) => (typeof value === 'string' ? value : undefined)

/** All operators, even incomplete ones: if none were found, the service would be open to everyone. */
export async function readOperators(reader: Reader): Promise<Operator[]> {
  const rows = await reader.all(
    'select id, name, full_name, role, enabled, password, sha256, md5, realm, changed_at from operator left join credential on operator_id = id',
  )
  return rows.map((row) => ({
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
  }))
}

/** Each with the hash of the token. */
export async function readTokens(reader: Reader): Promise<[string, Token][]> {
  const rows = await reader.all(
    'select id, token.operator_id, scope, created_time, expiry_time, hash, signed_in from token left join identity on identity.operator_id = token.operator_id',
  )
  return rows.map((row) => [
    String(row.hash),
    {
      id: row.id as bigint,
      operatorId: row.operator_id as bigint,
      scopes: new Scopes(String(row.scope)),
      createdTime: Number(row.created_time),
      expiryTime: Number(row.expiry_time),
      signedInTime: row.signed_in === null ? undefined : Number(row.signed_in),
    },
  ])
}

/** Sessions, each with the hash of its cookie. */
export async function readSessions(reader: Reader): Promise<[string, Session][]> {
  const rows = await reader.all(
    "select id, operator_id, created_time, expiry_time, hash, last_time, present_time from session left join login on subject = 'session ' || id",
  )
  return rows.map((row) => [
    String(row.hash),
    {
      id: row.id as bigint,
      operatorId: row.operator_id as bigint,
      createdTime: Number(row.created_time),
      expiryTime: Number(row.expiry_time),
      lastTime: Number(row.last_time ?? row.created_time),
      presentTime: row.present_time === null ? undefined : Number(row.present_time),
    },
  ])
}
