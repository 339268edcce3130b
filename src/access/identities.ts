// Maps a user authenticated by an identity provider to an operator: found by issuer and subject, created if new, with
// the role that the user's groups imply.

import { isIP } from 'node:net'
import { Fault } from '../fault.ts'
import type { Operator } from '../resources/access/credentials.ts'
import { noteSignIn, operatorKnownAs } from '../resources/access/identity.ts'
import { endAccess, endTokens, operatorsBy } from '../resources/access/operator.ts'
import { mayAct, type Role, role } from '../resources/access/role.ts'
import { create, modify } from '../resources/collection.ts'
import { fold } from '../schema/scalar.ts'
import { ActorDatabase, type Database } from '../store/database.ts'
import type { Entries } from './directory.ts'
import type { Person } from './openid-provider.ts'

export type GroupRoles = ReadonlyMap<string, string>

/** The highest role among these groups. */
export function roleOfGroups(roles: GroupRoles, groups: readonly string[]): Role | undefined {
  const found = ['*', ...groups].flatMap((group) => {
    const named = roles.get(group)
    return named === undefined ? [] : [role.read(named)]
  })
  return found.reduce<Role | undefined>(
    (highest, role) => (highest !== undefined && mayAct(highest, role) ? highest : role),
    undefined,
  )
}

export interface Admission {
  readonly roles: GroupRoles
  readonly address: string
  /** Milliseconds without a sign-in after which tokens end. */
  readonly tokenLife: number
}

/**
 * Returns the operator's id. Refuses users whose groups give no role, and ends the access of one who had a role before.
 */
export async function admitPerson(
  database: Database,
  { byId }: Entries,
  person: Person,
  { roles, address, tokenLife }: Admission,
): Promise<bigint> {
  const wanted = roleOfGroups(roles, person.groups)
  const id = await operatorKnownAs(database, person.identity)
  const known = id === undefined ? undefined : byId.get(id)
  const name = known?.name ?? freeName(byId.values(), person.name)
  const acting = new ActorDatabase(database, { name, role: wanted ?? '', address })
  if (wanted === undefined) {
    if (known) await acting.transaction((tx) => endAccess(tx, known.id))
    throw new Fault('forbidden', 'none of your groups has a role here: ask whoever runs this service')
  }
  if (!known) {
    const { identity, fullName } = person
    const collection = operatorsBy({ ...anyWay, identity })
    const mark = mixesAlphabets(fullName) ? ` ${mixedMark}` : ''
    const draft = {
      name,
      fullName: fullName === '' ? null : `${fullName.slice(0, 190)}${mark}`,
      role: wanted,
    }
    return create(acting, collection, draft).catch(async (error) => {
      // The same person may have signed in from two windows at once.
      const made = await operatorKnownAs(database, identity)
      if (made === undefined) throw error
      return made
    })
  }
  if (!known.enabled) throw new Fault('forbidden', 'this operator is disabled')
  // Tokens of a user who comes back after a long time have ended, whether or not they were removed yet.
  await database.transaction(async (tx) => {
    const before = await noteSignIn(tx, known.id)
    if (tx.now - before >= tokenLife) await endTokens(tx, known.id)
  })
  if (known.role !== wanted) await modify(acting, operatorsBy(anyWay), known.id, { role: wanted })
  return known.id
}

/** Operators without a password do not count when an administrator must remain. */
const anyWay = { realm: '', encrypted: true }

/** Alphabets with letters that look alike: a name that mixes them may imitate another. */
const alphabets = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Coptic}/u,
]
const mixedMark = '(mixed)'

export const mixesAlphabets = (name: string) => alphabets.filter((alphabet) => alphabet.test(name)).length > 1

/** A valid operator name that is still free: the provider's name may belong to somebody else here. */
function freeName(others: Iterable<Operator>, wanted: string): string {
  const taken = new Set([...others].map(({ name }) => fold(name)))
  const legible = [...wanted.normalize('NFC').replace(/[\p{C}\s:"\\/]+/gu, '-')].slice(0, 56).join('')
  const isName = legible !== '' && isIP(legible) === 0 && !/^(anonymous|local|\$system)$/i.test(legible)
  const stem = isName ? `${legible}${mixesAlphabets(legible) ? mixedMark : ''}` : 'person'
  let name = stem
  for (let count = 2; taken.has(fold(name)); count += 1) name = `${stem}-${count}`
  return name
}
