// All open alarms, kept in step with the service. Views depend on `version`, which changes at most once a frame.

import { type Signal, signal } from '@preact/signals-core'
import type { Alarm } from './alarm-document.ts'
import { type AlarmRow, type ListedAlarm, rowOf } from './row.ts'

/** How long a row that is over stays visible, in milliseconds. */
export const lingering = 8000

export interface OpenAlarmsParts {
  /** Calls back before the next frame. */
  readonly frame: (work: () => void) => void
  /** Milliseconds of a clock that never goes back. */
  readonly clock: () => number
}

export class OpenAlarms {
  readonly rows = new Map<string, AlarmRow>()
  readonly version: Signal<number> = signal(0)
  /** Whether all open alarms have been loaded once, and drawn: until then nothing may be counted. */
  readonly isWhole: Signal<boolean> = signal(false)
  readonly #parts: OpenAlarmsParts
  readonly #listeners = new Set<(row: AlarmRow) => void>()
  /** Those seen while a list is loaded anew; the others are over when it is complete. */
  #seen: Set<string> | undefined
  #isComplete = false
  #scheduled = false

  constructor(parts: OpenAlarmsParts) {
    this.#parts = parts
  }

  /** Called for alarms that are new, not for those that were open when the page was loaded. */
  onNew(listener: (row: AlarmRow) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The rows that will be first, shown until all are loaded. */
  showFirst(alarms: readonly ListedAlarm[]): void {
    if (this.#isComplete) return
    for (const alarm of alarms)
      if (!this.rows.has(alarm.id)) this.rows.set(alarm.id, rowOf(alarm, undefined, 0))
    this.#update()
  }

  /** A list of all open alarms follows. */
  beginAll(): void {
    this.#seen = new Set()
  }

  /** It is complete: what was not in it is over. */
  endAll(): void {
    const seen = this.#seen
    this.#seen = undefined
    if (!seen) return
    for (const id of this.rows.keys()) if (!seen.has(id)) this.rows.delete(id)
    this.#isComplete = true
    this.#changed()
  }

  get isLoading(): boolean {
    return this.#seen !== undefined
  }

  /** One document of the stream. */
  push(alarm: Alarm): void {
    if (alarm.nAction === 'Recover') this.end(alarm.recoverFaultIdList ?? [])
    // A message of the service to this page alone is no alarm of the list.
    else if (alarm.id !== '0') this.#add(alarm)
  }

  #add(alarm: Alarm): void {
    const before = this.rows.get(alarm.id)
    const isNew = before === undefined && this.#seen === undefined && alarm.nAction === 'Push'
    this.#seen?.add(alarm.id)
    const row = rowOf(alarm, before, this.#seen ? 0 : this.#parts.clock())
    this.rows.set(alarm.id, row)
    // The first list begins with the oldest: between these and the first rows, which may hold still, others follow.
    if (this.#seen === undefined || this.#isComplete) this.#changed()
    if (isNew) for (const listener of this.#listeners) listener(row)
  }

  /** What a list adds to alarms that are here already: repeats, remarks, acknowledgements. */
  refresh(alarms: readonly ListedAlarm[]): void {
    let changed = false
    for (const alarm of alarms) {
      const before = this.rows.get(alarm.id)
      if (!before) continue
      const row = rowOf(alarm, before, before.changedAt)
      if (sameRow(row, before)) continue
      this.rows.set(alarm.id, row)
      if (row.endedAt > 0 && before.endedAt === 0) this.#forgetLater(row.id)
      changed = true
    }
    if (changed) this.#changed()
  }

  end(ids: readonly string[]): void {
    for (const id of ids) {
      const row = this.rows.get(id)
      if (!row || row.endedAt > 0) continue
      const at = this.#parts.clock()
      this.rows.set(id, { ...row, endedAt: at, changedAt: at })
      this.#forgetLater(id)
    }
    this.#changed()
  }

  /** So that an action is visible before the service reports it. */
  patch(ids: readonly string[], change: Partial<AlarmRow>): void {
    for (const id of ids) {
      const row = this.rows.get(id)
      if (row) this.rows.set(id, { ...row, ...change })
    }
    this.#changed()
  }

  #forgetLater(id: string): void {
    setTimeout(() => {
      if ((this.rows.get(id)?.endedAt ?? 0) === 0) return
      this.rows.delete(id)
      this.#changed()
    }, lingering)
  }

  #changed(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    this.#parts.frame(() => {
      this.#scheduled = false
      this.#update()
    })
  }

  #update(): void {
    this.version.value += 1
    this.isWhole.value = this.#isComplete
  }
}

function sameRow(a: AlarmRow, b: AlarmRow): boolean {
  for (const name of Object.keys(a) as (keyof AlarmRow)[]) if (a[name] !== b[name]) return false
  return true
}
