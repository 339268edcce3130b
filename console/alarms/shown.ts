// What the alarm table shows now: the alarms by the filter in the address, the selection, and the current row of the
// keyboard.

import { computed, effect, signal } from '@preact/signals'
import { address } from '../core/address.ts'
import { now } from '../core/time-text.ts'
import { isAimed } from './aim.ts'
import { held } from './held.ts'
import { openAlarms } from './live.ts'
import { members } from './members.ts'
import { isWall } from './options.tsx'
import type { AlarmRow } from './row.ts'
import { liveView, type Stopped, stillView } from './still.ts'
import { filterOf, placeAfter, type View, viewOf } from './view.ts'

export const filter = computed(() => filterOf(address.value.query, members.value))

function allRows(): AlarmRow[] {
  const aside = held.value
  if (aside.size === 0) return [...openAlarms.rows.values()]
  return [...openAlarms.rows.values().filter(({ id }) => !aside.has(id)), ...aside.values()]
}

/** Causes whose consequences are all shown. */
export const unfolded = signal<ReadonlySet<string>>(new Set())

export function setFold(id: string, open: boolean): void {
  const next = new Set(unfolded.value)
  if (open) next.add(id)
  else next.delete(id)
  unfolded.value = next
}

const live = computed(() => {
  void openAlarms.version.value
  const seconds = filter.value.within > 0 ? now.value / 1000 : 0
  return viewOf(allRows(), filter.value, seconds, unfolded.value)
})

/** The view that rows hold still in. */
const stopped = signal<Stopped | undefined>(undefined)

const rowNow = (id: string) => held.value.get(id) ?? openAlarms.rows.get(id)

export const shown = computed(() =>
  stopped.value ? stillView(stopped.value, live.value, rowNow) : liveView(live.value),
)

/** What passes the filter and is still open. */
export const selectable = computed(() =>
  shown.value.rows.filter(({ endedAt }) => endedAt === 0).map(({ id }) => id),
)

const picked = signal<ReadonlySet<string>>(new Set())

/** Selected alarms that are still open: those that are over meanwhile cannot be worked on. */
export const selected = computed<ReadonlySet<string>>(() => {
  void openAlarms.version.value
  const open = [...picked.value].filter((id) => openRow(id))
  return open.length === picked.value.size ? picked.value : new Set(open)
})

/** The alarm that keys act on. */
export const active = signal('')

/** Rows hold still while somebody aims at them, or has selected some. Nobody does so on a wall. */
const holds = computed(() => !isWall() && (isAimed.value || selected.value.size > 0))

/** Grows when those that wait are let in. */
const letIns = signal(0)

/** What decides which rows there are, besides the alarms themselves. */
const choice = computed(() => ({ filter: filter.value, unfolded: unfolded.value, letIns: letIns.value }))

const stoppedAs = (view: View): Stopped => ({ view, isPart: !openAlarms.isWhole.peek() })

let drawn: { readonly stopped: Stopped; readonly choice: object } | undefined

/** Rows hold still as they are on the screen, which may be a frame behind what is known. */
export function noteDrawn(view: View): void {
  drawn = { stopped: stoppedAs(view), choice: choice.peek() }
}

// Another filter shows other rows at once.
effect(() => {
  const asDrawn = drawn?.choice === choice.value ? drawn?.stopped : undefined
  stopped.value = holds.value ? (asDrawn ?? stoppedAs(live.peek())) : undefined
})

/** Lets in what waits; the first of them becomes the current row. */
export function letIn(): void {
  const ids = new Set(shown.value.waiting.map(({ id }) => id))
  letIns.value += 1
  active.value = shown.value.rows.find(({ id }) => ids.has(id))?.id ?? active.value
}

/** In the order in which they are shown; those that the filter hides come last. */
export function selectedRows(): AlarmRow[] {
  const visible = shown.value.rows.filter(({ id }) => selected.value.has(id))
  const seen = new Set(visible.map(({ id }) => id))
  return [...visible, ...[...selected.value].filter((id) => !seen.has(id)).flatMap((id) => openRow(id) ?? [])]
}

export function toggle(id: string): void {
  const next = new Set(selected.value)
  if (!next.delete(id)) next.add(id)
  picked.value = next
}

export function selectMany(ids: readonly string[]): void {
  picked.value = new Set([...selected.value, ...ids])
}

export function deselect(ids: readonly string[]): void {
  const next = new Set(selected.value)
  for (const id of ids) next.delete(id)
  picked.value = next
}

export function clearSelection(): void {
  picked.value = new Set()
}

export function openRow(id: string): AlarmRow | undefined {
  const row = held.value.get(id) ?? openAlarms.rows.get(id)
  return row?.endedAt === 0 ? row : undefined
}

/** What an action applies to: the selected ones, else the current row of the keyboard. */
export function chosen(): AlarmRow[] {
  const ids = selected.value.size > 0 ? [...selected.value] : [active.value]
  return ids.flatMap((id) => openRow(id) ?? [])
}

/** Moves the current row of the keyboard; returns its place, so that it can be scrolled into view. */
export function step(by: number): number {
  const { rows } = shown.value
  if (rows.length === 0) return -1
  const at = rows.findIndex(({ id }) => id === active.value)
  const next = placeAfter(at, by, rows.length)
  active.value = rows[next]?.id ?? ''
  return next
}
