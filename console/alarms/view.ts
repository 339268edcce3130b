// What the table shows: which alarms, in which order, and how many there would be with each other choice.

import { type Arranged, underTheirCauses } from './causes.ts'
import type { AlarmRow } from './row.ts'

export const levels = [1, 2, 3, 4, 5] as const
/** Alarms that are held back are shown only where the filter asks for them. */
export const states = ['new', 'acknowledged', 'held'] as const
export type State = (typeof states)[number]

export const orders = ['level', 'time', 'device', 'repeats'] as const
export type Order = (typeof orders)[number]

export interface Filter {
  readonly levels: ReadonlySet<number>
  readonly states: ReadonlySet<State>
  /** Words that must all occur. */
  readonly words: readonly string[]
  /** A device by id, or by a part of its name or address. */
  readonly device: string
  readonly event: string
  /** Only those of these devices; absent: of all. */
  readonly members: ReadonlySet<string> | undefined
  /** Not older than this many seconds; 0: of any age. */
  readonly within: number
  readonly order: Order
  readonly descending: boolean
}

export interface View extends Arranged {
  /** How many there are by level, as if no level were chosen; likewise by state. */
  readonly byLevel: ReadonlyMap<number, number>
  readonly byState: ReadonlyMap<State, number>
  /** How many of the rows are open; those that have just ended are still visible. */
  readonly open: number
  /** All that are open, before any filter; without those that are held back. */
  readonly all: number
}

export const stateOf = ({ heldBy, acknowledged }: AlarmRow): State =>
  heldBy !== '' ? 'held' : acknowledged ? 'acknowledged' : 'new'

/** `unfolded` are the causes whose consequences are all shown. */
export function viewOf(
  all: readonly AlarmRow[],
  filter: Filter,
  nowSeconds: number,
  unfolded: ReadonlySet<string> = new Set(),
): View {
  const rows: AlarmRow[] = []
  const byLevel = new Map<number, number>(levels.map((level) => [level, 0]))
  const byState = new Map<State, number>(states.map((state) => [state, 0]))
  const matches = matcher(filter, nowSeconds)
  let total = 0
  let openRows = 0
  for (const row of all) {
    const open = row.endedAt === 0
    const state = stateOf(row)
    if (open && state !== 'held') total += 1
    if (!matches(row)) continue
    const inLevel = isInLevel(row, filter)
    const inState = isInState(row, filter)
    if (inState && open) byLevel.set(row.level, (byLevel.get(row.level) ?? 0) + 1)
    if (inLevel && open) byState.set(state, (byState.get(state) ?? 0) + 1)
    if (!inLevel || !inState) continue
    rows.push(row)
    if (open) openRows += 1
  }
  rows.sort(comparer(filter))
  const arranged = underTheirCauses(rows, all, unfolded)
  return { ...arranged, byLevel, byState, open: openRows, all: total }
}

/** How many open alarms pass the filter. */
export function countOf(all: Iterable<AlarmRow>, filter: Filter, nowSeconds: number): number {
  const matches = matcher(filter, nowSeconds)
  let count = 0
  for (const row of all) if (row.endedAt === 0 && isIn(row, filter) && matches(row)) count += 1
  return count
}

const isInLevel = ({ level }: AlarmRow, { levels: wanted }: Filter) => wanted.size === 0 || wanted.has(level)

const isInState = (row: AlarmRow, { states: wanted }: Filter) =>
  wanted.size === 0 ? stateOf(row) !== 'held' : wanted.has(stateOf(row))

const isIn = (row: AlarmRow, filter: Filter) => isInLevel(row, filter) && isInState(row, filter)

/** The place that many rows further on; without a place it is counted from the end that lies behind. */
export function placeAfter(at: number, by: number, count: number): number {
  const from = at >= 0 ? at : by > 0 ? -1 : count
  return Math.min(count - 1, Math.max(0, from + by))
}

function matcher(filter: Filter, nowSeconds: number): (row: AlarmRow) => boolean {
  const { words, members, within } = filter
  const device = filter.device.toLowerCase()
  const event = filter.event.toLowerCase()
  return (row) =>
    (within === 0 || row.time >= nowSeconds - within) &&
    (members === undefined || members.has(row.deviceId)) &&
    (device === '' ||
      row.deviceId === device ||
      row.device.toLowerCase().includes(device) ||
      row.ip.includes(device)) &&
    (event === '' ||
      row.oid === event ||
      row.oid.startsWith(`${event}.`) ||
      row.event.toLowerCase().includes(event)) &&
    words.every((word) => row.search.includes(word))
}

/** Ties are broken by time and id, the newest first: rows keep their places. */
function comparer({ order, descending }: Filter): (a: AlarmRow, b: AlarmRow) => number {
  const sign = descending ? -1 : 1
  const newest = (a: AlarmRow, b: AlarmRow) =>
    b.time - a.time || b.id.length - a.id.length || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)
  switch (order) {
    case 'time':
      return (a, b) => sign * newest(a, b)
    case 'device':
      return (a, b) => sign * (a.device < b.device ? -1 : a.device > b.device ? 1 : 0) || newest(a, b)
    case 'repeats':
      return (a, b) => sign * (b.repeats - a.repeats) || newest(a, b)
    default:
      return (a, b) => sign * (a.level - b.level) || newest(a, b)
  }
}

/** The filter in the address. */
export function filterOf(query: URLSearchParams, members: ReadonlySet<string> | undefined): Filter {
  const several = (name: string) => (query.get(name) ?? '').split(',').filter(Boolean)
  const order = query.get('sort') ?? ''
  return {
    levels: new Set(several('level').map(Number)),
    states: new Set(states.filter((state) => several('state').includes(state))),
    words: (query.get('q') ?? '').toLowerCase().split(/\s+/).filter(Boolean),
    device: query.get('device') ?? '',
    event: query.get('event') ?? '',
    members,
    within: Number(query.get('within') ?? 0) || 0,
    order: orders.find((one) => one === order) ?? 'level',
    descending: query.get('desc') === 'true',
  }
}
