// The file of SNMP version 3 users.

import { readFileSync } from 'node:fs'
import { Fault } from '../fault.ts'
import { AUTH_ALGORITHMS, PRIV_ALGORITHMS } from './usm-keys.ts'
import type { User } from './usm-user.ts'

/** `[{"name": "ops", "auth": {"algorithm": "sha256", "password": "…"}, "priv": {"algorithm": "aes128", "password": "…"}}]` */
export function readUsers(file: string): readonly User[] {
  let content: unknown
  try {
    content = JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    // The reason may quote the file, and the file holds passwords.
    const reason = cause instanceof SyntaxError ? 'it is not valid JSON' : (cause as Error).message
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

function problemOf({ name, auth, priv }: Record<string, unknown>): string | undefined {
  if (typeof name !== 'string' || name === '') return 'expected a name'
  return keyProblem('auth', auth, AUTH_ALGORITHMS) ?? keyProblem('priv', priv, PRIV_ALGORITHMS)
}

function keyProblem(part: string, given: unknown, known: object): string | undefined {
  if (given === undefined) return undefined
  const { algorithm, password } = (given ?? {}) as Record<string, unknown>
  if (typeof algorithm !== 'string' || !Object.hasOwn(known, algorithm)) {
    return `${part}: expected an algorithm out of ${Object.keys(known).join(', ')}`
  }
  return typeof password === 'string' ? undefined : `${part}: expected a password`
}
