// Stores from before 0.3.0. Until then the schema had grown by numbered steps, which the first migration now takes at once:
// a store that has all of them is adopted as it is. Its table of migrations keeps their rows, so that nodes of that version
// may run beside this one.

import { createHash } from 'node:crypto'
import { Fault } from '../fault.ts'
import { readCounter } from './counter.ts'
import type { Reader, Row } from './database.ts'

/** The last version with those steps. */
export const lastEarlierVersion = '0.2.0'

/** SHA-256 of the numbers and digests of all steps. */
const allSteps = '13fc26fec9c1f967c837f0e7fca0f400f81e34eb49b834d62b78c9214e32a70f'

/** Why a store with these steps cannot be adopted. */
export function whyNotAdopted(steps: readonly Row[]): Fault | undefined {
  const lines = steps.map(({ number, digest }) => `${number} ${digest}`)
  const found = createHash('sha256').update(lines.join('\n')).digest('hex')
  return found === allSteps ? undefined : tooEarly(`its last migration is ${steps.at(-1)?.name}`)
}

/** Whether such a store has its first records. */
export async function isSeededEarlier(reader: Reader): Promise<boolean> {
  if ((await readCounter(reader, 'first data')) === undefined) return false
  // The last of the parts in which they were written.
  if ((await readCounter(reader, 'datagrams aside without communities')) !== undefined) return true
  throw tooEarly('some of its first records are missing')
}

const tooEarly = (reason: string) =>
  new Fault(
    'unavailable',
    `the store is from before ${lastEarlierVersion} (${reason}), which is the last version that upgrades it: start that version on it once, then this one`,
  )
