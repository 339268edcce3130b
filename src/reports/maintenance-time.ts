// Computes when devices and interfaces were in maintenance, from the stored windows.

import { type Maintenance, readMaintenances } from '../resources/alarms/maintenance.ts'
import { readViews } from '../resources/inventory/custom-view.ts'
import { membersOf } from '../resources/inventory/view-members.ts'
import { CompiledWindow, inForce, nextChange } from '../rules/maintenance-windows.ts'
import type { ZoneTime } from '../rules/zone-time.ts'
import type { Reader } from '../store/database.ts'
import { type Intervals, type Period, union } from './report-period.ts'

/** A device, or one of its interfaces. */
export interface Place {
  readonly deviceId: bigint
  readonly zoneId: bigint
  readonly ifIndex: bigint | null
  readonly ifDesc: string | null
}

interface TimedWindow {
  readonly covering: CompiledWindow
  readonly intervals: Intervals
}

export class MaintenanceTime {
  readonly #windows: readonly TimedWindow[]
  readonly #events: readonly string[]
  /** By the windows that cover a device or interface: most are covered by none, or by the same ones. */
  readonly #known = new Map<string, Intervals>()

  private constructor(windows: readonly TimedWindow[], events: readonly string[]) {
    this.#windows = windows
    this.#events = events
  }

  /** `events` are those whose alarms count as outage: a window for other events is ignored. */
  static async read(
    reader: Reader,
    period: Period,
    zone: ZoneTime,
    events: readonly string[],
  ): Promise<MaintenanceTime> {
    const views = membersOf(await readViews(reader))
    const windows = (await readMaintenances(reader)).flatMap((window) => {
      const intervals = intervalsOf(window, zone, period)
      return intervals.length === 0 ? [] : [{ covering: new CompiledWindow(window, zone, views), intervals }]
    })
    return new MaintenanceTime(windows, events)
  }

  of(place: Place): Intervals {
    const covering = this.#windows.filter((window) =>
      this.#events.some((event) => window.covering.covers({ ...place, OID: event, alarmType: event })),
    )
    const key = covering.map((window) => window.covering.id).join()
    let intervals = this.#known.get(key)
    if (!intervals) {
      intervals = union(covering.flatMap((window) => window.intervals))
      this.#known.set(key, intervals)
    }
    return intervals
  }
}

/** The parts of a period in which a window is in force. */
export function intervalsOf(window: Maintenance, zone: ZoneTime, { begin, end }: Period): Intervals {
  const holds = inForce(window, zone)
  const found: Period[] = []
  for (let at = begin, isNow = holds(begin); at < end; isNow = !isNow) {
    const turn = Math.min(nextChange(window, zone, at), end)
    if (isNow) found.push({ begin: at, end: turn })
    at = turn
  }
  return found
}
