// A view that holds still: its rows stay where they are while somebody aims at one of them, whatever comes, changes and
// ends meanwhile. Their content is up to date; new ones wait until they are let in.

import type { AlarmRow } from './row.ts'
import type { View } from './view.ts'

export interface ShownView extends View {
  /** Rows that would be shown, and wait. */
  readonly waiting: readonly AlarmRow[]
}

export const liveView = (view: View): ShownView => ({ ...view, waiting: [] })

/** A row that is no longer kept was over before it went. */
const goneRow = (row: AlarmRow): AlarmRow => (row.endedAt > 0 ? row : { ...row, endedAt: 1 })

/** A view that was stopped. */
export interface Stopped {
  readonly view: View
  /** Only the first rows were there: the rest was still loading. */
  readonly isPart: boolean
}

/** `rowNow` is the present state of an alarm. What was still loading comes in below the rows that are there. */
export function stillView(
  { view: before, isPart }: Stopped,
  live: View,
  rowNow: (id: string) => AlarmRow | undefined,
): ShownView {
  const placed = new Set(before.rows.map(({ id }) => id))
  const end = isPart ? 1 + live.rows.findLastIndex(({ id }) => placed.has(id)) : live.rows.length
  const below = live.rows.slice(end)
  const depthsBelow = below.flatMap(({ id }): [string, number][] => {
    const depth = live.depths.get(id)
    return depth === undefined ? [] : [[id, depth]]
  })
  return {
    ...live,
    rows: [...before.rows.map((row) => rowNow(row.id) ?? goneRow(row)), ...below],
    depths: below.length === 0 ? before.depths : new Map([...before.depths, ...depthsBelow]),
    waiting: live.rows.slice(0, end).filter(({ id, endedAt }) => endedAt === 0 && !placed.has(id)),
  }
}
