// Open alarms that are held back, by maintenance or because somebody has shelved them. They are not on the stream, so
// they are requested at intervals while the page of alarms is open.

import { effect, type Signal, signal } from '@preact/signals'
import { list } from '../core/api.ts'
import { openAlarms } from './live.ts'
import { type AlarmRow, type ListedAlarm, rowOf } from './row.ts'
import { windowIn, windowNames } from './suppressors.ts'

/** By id. */
export const held: Signal<ReadonlyMap<string, AlarmRow>> = signal(new Map())

/** How many there are, beyond those that are read as well. */
export const heldTotal = signal(0)

const everySeconds = 5
/** More than anybody reads; the history has all of them. */
const maxRows = 1000

/** Of very many windows, those with a later number keep their numbers. */
const maxWindows = 1000

/** Reads the names of windows that are missing. */
export async function learnWindows(marks: readonly string[]): Promise<void> {
  const missing = marks.flatMap((mark) => windowIn(mark) ?? []).filter((id) => !windowNames.has(id))
  if (missing.length === 0) return
  const { rows } = await list<{ id: string; name: string }>('/fault/maintenance', { size: maxWindows })
  for (const id of missing) windowNames.set(id, '')
  for (const { id, name } of rows) windowNames.set(id, name)
}

export async function refreshHeld(): Promise<void> {
  try {
    const query = { recStatus: 0, suppressed: true, size: maxRows }
    const { rows, total } = await list<ListedAlarm>('/fault/alarm', query)
    await learnWindows(rows.flatMap(({ suppressedBy = [] }) => suppressedBy))
    heldTotal.value = Math.max(total, rows.length)
    if (rows.length === 0 && held.value.size === 0) return
    held.value = new Map(rows.map((alarm) => [alarm.id, rowOf(alarm, held.value.get(alarm.id), 0)]))
  } catch {
    // The banner shows when the service cannot be reached; the next attempt is enough.
  }
}

/** As long as the page is open, and not before the first rows are in the picture; returns how to end it. */
export function watchHeld(): () => void {
  let isBegun = false
  const begin = effect(() => {
    if (isBegun || openAlarms.version.value === 0) return
    isBegun = true
    void refreshHeld()
  })
  const timer = setInterval(() => !document.hidden && void refreshHeld(), everySeconds * 1000)
  return () => {
    begin()
    clearInterval(timer)
  }
}
