// Which maintenance windows will cover an alarm at any time, and until when.

import { type Maintenance, readMaintenances, suppressorOf } from '../../resources/alarms/maintenance.ts'
import { membersOf, readViews } from '../../resources/inventory/custom-view.ts'
import { CompiledWindow, nextChange, noEnd, type Subject } from '../../rules/maintenance-windows.ts'
import { ZoneTime } from '../../rules/zone-time.ts'
import type { Reader } from '../../store/database.ts'

interface Coverage {
  /** None where nothing covers it. */
  readonly windows: readonly string[]
  /** When nothing covers it any more; undefined where that is never, or not foreseen. */
  readonly until: number | undefined
}

/** Windows that follow one another, at most so many. */
const maxChanges = 500

interface ForeseenWindow {
  readonly window: Maintenance
  readonly compiled: CompiledWindow
}

export class MaintenanceForecast {
  readonly #windows: readonly ForeseenWindow[]
  readonly #zone: ZoneTime

  private constructor(windows: readonly ForeseenWindow[], zone: ZoneTime) {
    this.#windows = windows
    this.#zone = zone
  }

  static async read(reader: Reader, timeZone: string): Promise<MaintenanceForecast> {
    const zone = new ZoneTime(timeZone)
    const views = membersOf(await readViews(reader))
    const windows = (await readMaintenances(reader)).map((window) => ({
      window,
      compiled: new CompiledWindow(window, zone, views),
    }))
    return new MaintenanceForecast(windows, zone)
  }

  coverage(subject: Subject, at: number): Coverage {
    const covering = this.#windows.filter(({ compiled }) => compiled.covers(subject))
    const found = new Set<string>()
    let time = at
    for (let changes = 0; changes < maxChanges; changes += 1) {
      const now = covering.filter(({ compiled }) => compiled.isInForce(time))
      if (now.length === 0) return { windows: [...found], until: time }
      for (const { compiled } of now) found.add(suppressorOf(compiled.id))
      time = Math.max(...now.map(({ window }) => nextChange(window, this.#zone, time)))
      if (time >= noEnd) break
    }
    return { windows: [...found], until: undefined }
  }
}
