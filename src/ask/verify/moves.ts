// Which parts of a device are asked about again in one round. After parts have got other instances, the alarm of one can be
// raised at its place only when that of another has left it: all of these must be known together.

import type { Suspect } from './missed-faults.ts'

/**
 * Those whose places are free, or become free by the others that are asked about. Where each waits for the next and the last
 * for the first, all are asked about, or none: each place has an alarm meanwhile.
 */
export function inTurn(suspects: readonly Suspect[], budget: number): ReadonlySet<Suspect> {
  const leaving = new Map(suspects.flatMap((one) => (one.moved === undefined ? [] : [[one.moved, one]])))
  /** Who waits for the place that another leaves. */
  const followers = new Map<Suspect, Suspect>()
  for (const one of suspects) {
    const before = one.occupant === undefined ? undefined : leaving.get(one.occupant)
    if (before) followers.set(before, one)
  }
  const found = new Set<Suspect>()
  const lineFrom = (first: Suspect): Suspect[] => {
    const line: Suspect[] = []
    for (let one: Suspect | undefined = first; one && !found.has(one); one = followers.get(one)) {
      found.add(one)
      line.push(one)
    }
    return line
  }
  const free = suspects.filter(({ occupant }) => occupant === undefined).flatMap(lineFrom)
  const asked = new Set(free.slice(0, budget))
  // What waits for an alarm that stays.
  for (const one of suspects) if (one.occupant !== undefined && !leaving.has(one.occupant)) lineFrom(one)
  const rings = suspects.map(lineFrom).toSorted((a, b) => a.length - b.length)
  for (const ring of rings) if (asked.size + ring.length <= budget) for (const one of ring) asked.add(one)
  return asked
}
