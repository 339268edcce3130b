// Reads the file of SNMPv3 users.

import { readFileSync } from 'node:fs'
import { Fault, shown } from '../fault.ts'
import { readJson } from '../schema/json-text.ts'
import { AUTH_ALGORITHMS, PRIV_ALGORITHMS } from './usm-keys.ts'
import type { User } from './usm-user.ts'

/** `[{"name": "ops", "auth": {"algorithm": "sha256", "password": "…"}, "priv": {"algorithm": "aes128", "password": "…"}}]` */
export function readUsers(file: string): readonly User[] {
  let content: unknown
  try {
    content = readJson(readFileSync(file, 'utf8'))
  } catch (cause) {
    const reason = cause instanceof Fault ? withoutSecrets(cause) : (cause as Error).message
    throw new Fault('invalid', `the file of SNMP users ${file} cannot be read: ${reason}`)
  }
  if (!Array.isArray(content)) {
    throw new Fault('invalid', `the file of SNMP users ${file} must contain a JSON array of users`)
  }
  return content.map((user: unknown, index) => {
    const problem = problemOf((user ?? {}) as Record<string, unknown>)
    if (problem) throw new Fault('invalid', `the file of SNMP users ${file}: user ${index + 1}: ${problem}`)
    return user as User
  })
}

/** Syntax errors may quote the file, which contains passwords, and are not repeated; errors about a key are. */
const withoutSecrets = ({ field, message }: Fault) => (field === undefined ? 'it is not valid JSON' : message)

function problemOf(user: Record<string, unknown>): string | undefined {
  const { name, auth, priv } = user
  // A typo in "auth" would create a user without a password.
  const unknownKey = unknownKeyIn(user, ['name', 'auth', 'priv', 'relaxedTime'])
  if (unknownKey !== undefined) return unknownKey
  if (typeof name !== 'string' || name === '') return 'expected a name'
  return keyProblem('auth', auth, AUTH_ALGORITHMS) ?? keyProblem('priv', priv, PRIV_ALGORITHMS)
}

function keyProblem(part: string, value: unknown, known: object): string | undefined {
  if (value === undefined) return undefined
  const key = (value ?? {}) as Record<string, unknown>
  const { algorithm, password } = key
  const unknownKey = unknownKeyIn(key, ['algorithm', 'password'])
  if (unknownKey !== undefined) return `${part}: ${unknownKey}`
  if (typeof algorithm !== 'string' || !Object.hasOwn(known, algorithm)) {
    return `${part}: expected an algorithm out of ${Object.keys(known).join(', ')}`
  }
  return typeof password === 'string' ? undefined : `${part}: expected a password`
}

function unknownKeyIn(object: object, known: readonly string[]): string | undefined {
  const unknownKey = Object.keys(object).find((name) => !known.includes(name))
  return unknownKey === undefined
    ? undefined
    : `${shown(unknownKey)} is not known: expected ${known.join(', ')}`
}
