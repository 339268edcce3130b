// The result of checking credentials: a login, or a refusal with its reason.

import type { Operator, Session, Token } from '../resources/access/credentials.ts'
import { mayAct, type Role } from '../resources/access/role.ts'

export interface Login {
  readonly operator: Operator
  readonly role: Role
  readonly by: 'digest' | 'basic' | 'token' | 'session'
  readonly token?: Token
  readonly session?: Session
}

export interface Refusal {
  readonly message: string
  /** Only the nonce was too old: the program may retry with a new one and the same password. */
  readonly stale?: true
  /** Seconds before the next attempt is accepted. */
  readonly wait?: number
}

export const isLogin = (outcome: Login | Refusal): outcome is Login => 'operator' in outcome

export function reasonOf(operator: Operator | undefined, secret: string | undefined): string {
  if (!operator) return 'unknown operator'
  if (!operator.enabled) return 'the operator is disabled'
  return secret ? 'wrong password' : 'Digest is not possible for this operator'
}

/** The role of a token, at most that of its operator. */
export function roleOf({ scopes }: Token, { role }: Operator): Role {
  const named = scopes.role ?? 'viewer'
  return mayAct(role, named) ? named : role
}
