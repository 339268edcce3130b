// What the alarm table shows now: the alarms by the filter in the address, what is selected, and the one under the keys.

import { computed, signal } from '@preact/signals'
import { address } from '../core/address.ts'
import { now } from '../core/time.ts'
import { held } from './held.ts'
import { book } from './live.ts'
import { members } from './members.ts'
import type { AlarmRow } from './row.ts'
import { filterOf, viewOf } from './view.ts'

export const filter = computed(() => filterOf(address.value.query, members.value))

function allRows(): AlarmRow[] {
  const aside = held.value
  if (aside.size === 0) return [...book.rows.values()]
  return [...book.rows.values().filter(({ id }) => !aside.has(id)), ...aside.values()]
}

/** Causes of which all that follows is shown. */
export const unfolded = signal<ReadonlySet<string>>(new Set())

export function turnFold(id: string): void {
  const next = new Set(unfolded.value)
  if (!next.delete(id)) next.add(id)
  unfolded.value = next
}

export const shown = computed(() => {
  void book.version.value
  const seconds = filter.value.within > 0 ? now.value / 1000 : 0
  return viewOf(allRows(), filter.value, seconds, unfolded.value)
})

export const selected = signal<ReadonlySet<string>>(new Set())

/** The alarm that keys act on. */
export const active = signal('')

export function toggle(id: string): void {
  const next = new Set(selected.value)
  if (!next.delete(id)) next.add(id)
  selected.value = next
}

export function selectMany(ids: readonly string[]): void {
  selected.value = new Set([...selected.value, ...ids])
}

export function clearSelection(): void {
  selected.value = new Set()
}

/** What an action is about: the selected ones that are still shown as open, else the one under the keys. */
export function chosen(): AlarmRow[] {
  const ids = selected.value.size > 0 ? [...selected.value] : [active.value]
  return ids.flatMap((id) => {
    const row = held.value.get(id) ?? book.rows.get(id)
    return row && row.endedAt === 0 ? [row] : []
  })
}

/** Moves the one under the keys; answers its place, so that it can be brought into sight. */
export function step(by: number): number {
  const { rows } = shown.value
  if (rows.length === 0) return -1
  const at = rows.findIndex(({ id }) => id === active.value)
  const next = at < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + by))
  active.value = rows[next]?.id ?? ''
  return next
}
