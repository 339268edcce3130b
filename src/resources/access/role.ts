// The roles of operators, and what each may do.

import { coded, type Scalar, text } from '../../schema/scalar.ts'

/** From the fewest rights to the most; each includes those before it. */
export const roles = ['viewer', 'operator', 'administrator'] as const

export type Role = (typeof roles)[number]

export const mayAct = (role: Role, needed: Role) => roles.indexOf(role) >= roles.indexOf(needed)

/** One of several words. */
function word<T extends string>(words: readonly T[]): Scalar<T> {
  const accepted = words.join(' or ')
  return text({ pattern: { source: words.join('|'), accepted } }) as Scalar<string> as Scalar<T>
}

export const role = word(roles)

const groups = { 1: 'administrator', 2: 'operator', 3: 'viewer' } as const

/** The groups that every system of the iMC interface begins with. */
export const operatorGroup = coded(groups)

export const roleOfGroup = (group: number): Role => groups[group as keyof typeof groups]

export const groupOfRole = (wanted: Role): number =>
  Number(Object.entries(groups).find(([, one]) => one === wanted)?.[0])
