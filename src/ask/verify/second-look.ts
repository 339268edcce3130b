// Asks about a part that seems to have a fault which nobody has reported, for the second time.

import type { DeviceSession } from '../device-session.ts'
import { textOf } from '../device-table.ts'
import type { SeenPart, Suspect } from './missed-faults.ts'
import { isAbsent, isSameRun, type Run, runOf, uptimeOid } from './readings.ts'
import type { FoundFault } from './seen-states.ts'

export interface SecondLook {
  /** Set if it is surely broken, and should not be. */
  readonly fault?: FoundFault
  /** What is known of the part now. */
  readonly part?: SeenPart | undefined
}

/**
 * What is known of a part that could not be asked about again: if it is broken the next time, it should have an alarm. That
 * its last one has ended since it was looked at would be forgotten by then.
 */
export function stillExpected({
  name,
  before,
  moved,
  own,
}: Pick<Suspect, 'name' | 'before' | 'moved' | 'own'>): SeenPart | undefined {
  if (moved !== undefined) return { name, had: 'alarm', alarm: own ?? moved }
  return before && { name: before.name, had: 'good' }
}

export async function lookAgain(
  session: DeviceSession,
  suspect: Suspect,
  first: Run,
  now: () => number,
): Promise<SecondLook> {
  const { watch, instance, name, moved, own } = suspect
  const at = (column: string) => `${column}.${instance}`
  const { wanted } = watch
  const asked = [
    ...[uptimeOid, at(watch.column)],
    ...(wanted ? [at(wanted.column)] : []),
    ...watch.names.map(at),
    ...watch.carried.map(at),
  ]
  const sent = { sentAt: now(), sentMonotonic: performance.now() }
  const found = new Map((await session.get([...new Set(asked)])).map((variable) => [variable.oid, variable]))
  const run = runOf(found.get(uptimeOid), sent)
  const state = found.get(at(watch.column))
  const names = watch.names.map((column) => textOf(found.get(at(column))))
  const isSamePart = name === '' || watch.names.length === 0 || names.includes(name)
  if (!run || !isSameRun(first, run) || !state || isAbsent(state) || !isSamePart)
    return { part: stillExpected(suspect) }
  const { condition, text } = watch.read(state)
  if (condition === 'good') return { part: { name, had: 'good' } }
  if (condition === 'other') return { part: stillExpected(suspect) }
  // Whoever switches a part off knows that it is off.
  if (wanted && found.get(at(wanted.column))?.value !== wanted.value) return {}
  const carried = new Set([at(watch.column), ...watch.carried.map(at)])
  return {
    part: { name, had: 'alarm', alarm: own ?? moved },
    fault: {
      ...{ event: watch.raises, instance, key: watch.key, name, value: text, asked: sent.sentAt, moved, own },
      variables: [...found.values()].filter((one) => carried.has(one.oid) && !isAbsent(one)),
    },
  }
}
