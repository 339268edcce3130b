// When devices and interfaces were in maintenance, by the windows that are kept.

import { type Maintenance, readMaintenances } from '../resources/alarms/maintenance.ts'
import { readViews } from '../resources/inventory/custom-view.ts'
import { membersOf } from '../resources/inventory/view-members.ts'
import { CompiledWindow, inForce, nextTurn } from '../rules/maintenance-windows.ts'
import type { ZoneTime } from '../rules/zone-time.ts'
import type { Reader } from '../store/database.ts'
import { type Period, type Stretches, united } from './report-period.ts'

/** A device, or one of its interfaces. */
export interface Place {
  readonly deviceId: bigint
  readonly zoneId: bigint
  readonly ifIndex: bigint | null
  readonly ifDesc: string | null
}

interface TimedWindow {
  readonly covering: CompiledWindow
  readonly stretches: Stretches
}

export class MaintenanceTime {
  readonly #windows: readonly TimedWindow[]
  readonly #events: readonly string[]
  /** By the windows that cover a device or interface: most are covered by none, or by the same ones. */
  readonly #known = new Map<string, Stretches>()

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
      const stretches = stretchesOf(window, zone, period)
      return stretches.length === 0 ? [] : [{ covering: new CompiledWindow(window, zone, views), stretches }]
    })
    return new MaintenanceTime(windows, events)
  }

  of(place: Place): Stretches {
    const covering = this.#windows.filter((window) =>
      this.#events.some((event) => window.covering.covers({ ...place, OID: event, alarmType: event })),
    )
    const key = covering.map((window) => window.covering.id).join()
    let stretches = this.#known.get(key)
    if (!stretches) {
      stretches = united(covering.flatMap((window) => window.stretches))
      this.#known.set(key, stretches)
    }
    return stretches
  }
}

/** The parts of a period in which a window is in force. */
export function stretchesOf(window: Maintenance, zone: ZoneTime, { begin, end }: Period): Stretches {
  const holds = inForce(window, zone)
  const found: Period[] = []
  for (let at = begin, isNow = holds(begin); at < end; isNow = !isNow) {
    const turn = Math.min(nextTurn(window, zone, at), end)
    if (isNow) found.push({ begin: at, end: turn })
    at = turn
  }
  return found
}
