// What the alarm table shows now: the alarms by the filter in the address, what is selected, and the one under the keys.

import { computed, effect, signal } from '@preact/signals'
import { address } from '../core/address.ts'
import { read } from '../core/api.ts'
import { now } from '../core/time.ts'
import { book } from './live.ts'
import type { AlarmRow } from './row.ts'
import { filterOf, viewOf } from './view.ts'

/** The devices of the view that is chosen, once they are known. */
const members = signal<ReadonlySet<string> | undefined>(undefined)

const chosenView = computed(() => address.value.query.get('view') ?? '')

effect(() => {
  const view = chosenView.value
  members.value = view === '' ? undefined : new Set()
  if (view === '') return
  read<{ allDevices: string; member: string[] }>(`/plat/res/view/custom/${encodeURIComponent(view)}`).then(
    ({ allDevices, member }) => {
      if (chosenView.peek() === view) members.value = allDevices === 'true' ? undefined : new Set(member)
    },
    // A view that is gone has no devices.
    () => undefined,
  )
})

export const filter = computed(() => filterOf(address.value.query, members.value))

export const shown = computed(() => {
  void book.version.value
  const seconds = filter.value.within > 0 ? now.value / 1000 : 0
  return viewOf(book.rows.values(), filter.value, seconds)
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
    const row = book.rows.get(id)
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
