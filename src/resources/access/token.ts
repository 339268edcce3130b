// Tokens: credentials of programs, used instead of a name and a password.

import { Fault, shown } from '../../fault.ts'
import { list } from '../../schema/list.ts'
import { assigned, derived, optional, type RecordOf, resource } from '../../schema/resource.ts'
import { instant, long, type Scalar, text } from '../../schema/scalar.ts'
import type { Reader, Transaction } from '../../store/database.ts'
import { collection } from '../collection.ts'
import { forgetLogin, showUse } from './last-use.ts'
import { mayAct, type Role, roles } from './role.ts'

/**
 * The words of a token's scope, with the role that its operator must have. A role in a scope stands for what that role
 * may do, except for what has a word of its own here: whoever finds a token must not get control of its operator. A
 * role includes `events`. `access` stands alone: a RADIUS server has it, and can do nothing else with it.
 */
const needs = {
  events: 'viewer',
  viewer: 'viewer',
  operator: 'operator',
  administrator: 'administrator',
  backup: 'administrator',
  operators: 'administrator',
  tokens: 'viewer',
  access: 'operator',
  heartbeat: 'operator',
} as const satisfies Record<string, Role>

export type Scope = keyof typeof needs

export const scopes = Object.keys(needs) as readonly Scope[]

const isScope = (word: string): word is Scope => Object.hasOwn(needs, word)
const isRole = (word: string): word is Role => roles.some((role) => role === word)

const alone = 'access'
const accepted = `one or more of ${scopes.join(', ')}, separated by commas, with one role at most, or ${alone} and nothing else`
const pattern = `(${scopes.join('|')})(,(${scopes.join('|')}))*`
const scopeText = text({ pattern: { source: pattern, accepted } })

/** Words in their order, each once. */
const scopeList: Scalar<string> = {
  ...scopeText,
  read(value) {
    const requested = value.split(',').map((word) => word.trim())
    const words = scopes.filter((word) => requested.includes(word))
    const isAlone = words.length === 1 || !words.includes(alone)
    if (requested.every(isScope) && words.filter(isRole).length <= 1 && isAlone) return words.join(',')
    throw new Fault('invalid', `${shown(value)} is not accepted: expected ${accepted}`)
  },
}

/** The rights of a token, by its scope. */
export class Scopes {
  readonly text: string
  readonly words: ReadonlySet<Scope>
  /** The role that is named. */
  readonly role: Role | undefined

  constructor(scope: string) {
    this.text = scope
    const words = scope.split(',').filter(isScope)
    this.role = words.find(isRole)
    this.words = new Set(this.role === undefined ? words : [...words, 'events'])
  }

  /** The words in it that are not for operators of this role. */
  notFor(role: Role): Scope[] {
    return [...this.words].filter((word) => !mayAct(role, needs[word]))
  }

  /** The words in it that the other lacks; a role has those below it. */
  notIn(other: Scopes): Scope[] {
    const covers = (word: Scope) =>
      isRole(word) ? other.role !== undefined && mayAct(other.role, word) : other.words.has(word)
    return [...this.words].filter((word) => !covers(word))
  }
}

export const token = resource(
  'token',
  {
    id: assigned(long),
    operatorId: optional(long),
    operatorName: derived(text()),
    scope: optional(scopeList),
    description: optional(text()),
    prefix: assigned(text()),
    createdTime: assigned(instant),
    expiryTime: optional(instant),
    lastUseTime: derived(instant),
    /** Shown once, when it is made. */
    token: derived(text()),
  },
  { table: 'token', key: 'id' },
)

export type TokenRecord = RecordOf<typeof token.fields>

export const tokens = collection({
  resource: token,
  noun: 'token',
  list: list('/plat/token', token, {
    filters: ({ equals }) => ({ operatorId: equals('operatorId') }),
    orderBy: { id: 'id' },
    counted: ['operatorId'],
  }),
  rules: {
    async deleting(tx, { id }) {
      await forgetLogin(tx, 'token', id)
    },
    show: (database, records) => showUse(database, 'token', records, () => 0),
  },
})

export async function countTokens(reader: Reader, operatorId: bigint | null): Promise<number> {
  const [row] = await reader.all('select count(*) as n from token where operator_id = ?', [operatorId])
  return Number(row?.n)
}

/** The hash by which a token is found. It is not a field: nobody can read it. */
export async function keepHash(tx: Transaction, id: bigint, hash: string): Promise<void> {
  await tx.run('update token set hash = ? where id = ?', [hash, id])
}
