// The file of SNMP version 3 users.

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
    const reason = cause instanceof Fault ? sayable(cause) : (cause as Error).message
    throw new Fault('invalid', `the file of SNMP users ${file} cannot be read: ${reason}`)
  }
  if (!Array.isArray(content)) {
    throw new Fault('invalid', `the file of SNMP users ${file} must hold a JSON array of users`)
  }
  return content.map((user: unknown, index) => {
    const problem = problemOf((user ?? {}) as Record<string, unknown>)
    if (problem) throw new Fault('invalid', `the file of SNMP users ${file}: user ${index + 1}: ${problem}`)
    return user as User
  })
}

/**
 * An error message about JSON may quote the file, and the file holds passwords; a key that is given twice is refused.
 */
const sayable = ({ field, message }: Fault) => (field === undefined ? 'it is not valid JSON' : message)

function problemOf(user: Record<string, unknown>): string | undefined {
  const { name, auth, priv } = user
  // A typo in "auth" would make a user that anyone can be.
  const odd = unknownKeyIn(user, ['name', 'auth', 'priv', 'relaxedTime'])
  if (odd !== undefined) return odd
  if (typeof name !== 'string' || name === '') return 'expected a name'
  return keyProblem('auth', auth, AUTH_ALGORITHMS) ?? keyProblem('priv', priv, PRIV_ALGORITHMS)
}

function keyProblem(part: string, given: unknown, known: object): string | undefined {
  if (given === undefined) return undefined
  const key = (given ?? {}) as Record<string, unknown>
  const { algorithm, password } = key
  const odd = unknownKeyIn(key, ['algorithm', 'password'])
  if (odd !== undefined) return `${part}: ${odd}`
  if (typeof algorithm !== 'string' || !Object.hasOwn(known, algorithm)) {
    return `${part}: expected an algorithm out of ${Object.keys(known).join(', ')}`
  }
  return typeof password === 'string' ? undefined : `${part}: expected a password`
}

function unknownKeyIn(given: object, known: readonly string[]): string | undefined {
  const odd = Object.keys(given).find((name) => !known.includes(name))
  return odd === undefined ? undefined : `${shown(odd)} is not known: expected ${known.join(', ')}`
}
