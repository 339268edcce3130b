// Compares program versions, to decide which of them may use a store at the same time.

import { Fault } from '../fault.ts'

/** `1.2.10`: integers separated by dots; a suffix after a minus is ignored. */
const parts = (version: string) => (version.split('-', 1)[0] ?? '').split('.').map(Number)

export function isOlder(version: string, than: string): boolean {
  const [a, b] = [parts(version), parts(than)]
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0)
    if (difference !== 0) return difference < 0
  }
  return false
}

export function tooOld(program: string, oldest: string): Fault {
  return new Fault(
    'unavailable',
    `this is version ${program}, and the store has been changed by a newer one: at least version ${oldest} is needed`,
  )
}

/**
 * The oldest version that may run beside this one on the store after a migration, from its line `-- beside: 1.2.3`; without
 * the line, no version that lacks the migration may.
 */
export const oldestBeside = (script: string): string | undefined => /^-- beside: ([\d.]+)$/m.exec(script)?.[1]
