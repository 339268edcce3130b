// Alarms under their cause. What follows from an alarm is shown below it, wherever it would be by itself; what is held
// back because of it is shown when it is unfolded.

import type { AlarmRow } from './row.ts'

export interface Arranged {
  readonly rows: readonly AlarmRow[]
  /** How deep below its cause a row is; rows without a cause are not in it. */
  readonly depths: ReadonlyMap<string, number>
  /** How many follow from a row beyond those that match by themselves. */
  readonly folded: ReadonlyMap<string, number>
}

const hasCause = ({ parentId }: AlarmRow) => parentId !== '' && parentId !== '0'

/** No chain of causes is longer; one that leads back to itself must end. */
const deepest = 8

/** `sorted` are those that match, in their order; `all` are the open ones, whatever the filter says. */
export function underTheirCauses(
  sorted: readonly AlarmRow[],
  all: Iterable<AlarmRow>,
  unfolded: ReadonlySet<string>,
): Arranged {
  const following = new Map<string, AlarmRow[]>()
  for (const row of all) {
    if (!hasCause(row) || row.endedAt > 0) continue
    const others = following.get(row.parentId)
    if (others) others.push(row)
    else following.set(row.parentId, [row])
  }
  const depths = new Map<string, number>()
  const folded = new Map<string, number>()
  if (following.size === 0) return { rows: sorted, depths, folded }
  const places = new Map(sorted.map((row, index) => [row.id, index]))
  const rows: AlarmRow[] = []
  const placed = new Set<string>()
  const place = (row: AlarmRow, depth: number) => {
    if (placed.has(row.id)) return
    placed.add(row.id)
    rows.push(row)
    if (depth > 0) depths.set(row.id, depth)
    const below = following.get(row.id) ?? []
    const matching = below.filter(({ id }) => places.has(id))
    const rest = below.filter(({ id }) => !places.has(id))
    if (rest.length > 0) folded.set(row.id, rest.length)
    if (depth >= deepest) return
    matching.sort((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0))
    for (const one of matching) place(one, depth + 1)
    if (unfolded.has(row.id)) for (const one of rest) place(one, depth + 1)
  }
  for (const row of sorted) if (!places.has(row.parentId)) place(row, 0)
  // Those whose causes are each other's.
  for (const row of sorted) place(row, 0)
  return { rows, depths, folded }
}
