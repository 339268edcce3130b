// Maintenance windows: when they are in force, and which alarms they cover.

import { type Maintenance, maintenances, readMaintenances } from '../resources/alarms/maintenance.ts'
import { customViews, type Members, membersOf, readViews } from '../resources/inventory/custom-view.ts'
import type { Database, Reader } from '../store/database.ts'
import { TableCache } from '../store/table-cache.ts'
import { patternTest } from './rules.ts'
import { changeTimes, type Period, periodOf } from './validity-period.ts'
import type { ZoneTime } from './zone-time.ts'

/** The fields of an alarm that windows match. */
export interface Subject {
  readonly deviceId: bigint
  readonly zoneId: bigint
  readonly OID: string
  readonly alarmType: string
  readonly ifIndex: bigint | null
  readonly ifDesc: string | null
}

/** The id for the service itself, which is not in a view or a zone. */
const noDevice = 0n

export class CompiledWindow {
  readonly id: bigint
  readonly isInForce: Period
  readonly #devices: ReadonlySet<bigint>
  readonly #views: readonly Members[]
  readonly #zones: ReadonlySet<bigint>
  readonly #interfaces: readonly ((subject: Subject) => boolean)[]
  readonly #events: readonly string[]
  /** Whether it names no device, view, zone or interface, and so covers its events everywhere. */
  readonly #everywhere: boolean

  constructor(window: Maintenance, zone: ZoneTime, views: ReadonlyMap<bigint, Members>) {
    this.id = window.id
    this.isInForce = inForce(window, zone)
    this.#devices = new Set(window.device)
    this.#views = window.view.flatMap((id) => views.get(id) ?? [])
    this.#zones = new Set(window.zone)
    this.#interfaces = window.interface.map(interfaceTest)
    this.#events = window.event
    const scopes = [window.device, window.view, window.zone, window.interface]
    this.#everywhere = scopes.every((ids) => ids.length === 0)
  }

  covers(subject: Subject): boolean {
    return this.#coversPlace(subject) && this.#coversEvent(subject)
  }

  #coversPlace(subject: Subject): boolean {
    const { deviceId, zoneId } = subject
    if (this.#everywhere || this.#devices.has(deviceId)) return true
    if (deviceId === noDevice) return false
    if (this.#zones.has(zoneId)) return true
    if (this.#views.some((members) => members === 'all' || members.has(deviceId))) return true
    return this.#interfaces.some((covers) => covers(subject))
  }

  /** The event itself, or anything below it. */
  #coversEvent({ OID, alarmType }: Subject): boolean {
    if (this.#events.length === 0) return true
    return this.#events.some((named) =>
      [OID, alarmType].some((oid) => oid === named || oid.startsWith(`${named}.`)),
    )
  }
}

function interfaceTest({ deviceId, ifIndex, ifDesc }: Maintenance['interface'][number]) {
  const matches = ifDesc === null ? undefined : patternTest(ifDesc)
  return (subject: Subject) =>
    subject.deviceId === deviceId &&
    (ifIndex === null || subject.ifIndex === ifIndex) &&
    (matches === undefined || (subject.ifDesc !== null && matches(subject.ifDesc)))
}

/** A window is in force when all of its limits in time are met. */
export function inForce(window: Maintenance, zone: ZoneTime): Period {
  const isValid = bySecond(periodOf(window, zone))
  const { fromTime, untilTime, endedFrom, endedUntil } = window
  return (at) => {
    if (untilTime > 0 && (at < fromTime || at >= untilTime)) return false
    if (at >= endedFrom && at < endedUntil) return false
    return isValid(at)
  }
}

const secondsKept = 64

/** Caches a period by second: periods begin and end on whole seconds, and many alarms arrive in one. */
function bySecond(period: Period): Period {
  const known = new Map<number, boolean>()
  return (at) => {
    const second = Math.floor(at / 1000)
    let answer = known.get(second)
    if (answer === undefined) {
      answer = period(at)
      if (known.size >= secondsKept) known.clear()
      known.set(second, answer)
    }
    return answer
  }
}

/** The latest time that can be written. */
export const noEnd = 253_402_300_799_000
const daysAhead = 800

/** When a window next changes: its end if it is in force, else its next beginning; `noEnd` if that is too far ahead. */
export function nextChange(window: Maintenance, zone: ZoneTime, now: number): number {
  const isInForce = inForce(window, zone)
  const isNow = isInForce(now)
  for (const at of momentsAfter(window, zone, now)) if (isInForce(at) !== isNow) return at
  return noEnd
}

/** A window changes only at midnight, at one of its times of day, or at one of its dates. */
function* momentsAfter(window: Maintenance, zone: ZoneTime, now: number): Generator<number> {
  const { fromTime, untilTime, endedFrom, endedUntil } = window
  const moments = [fromTime, untilTime, endedFrom, endedUntil].filter((at) => at > now).sort((a, b) => a - b)
  const times = changeTimes(window)
  const today = zone.local(now).day
  // A date that is far ahead is yielded as such, not reached day by day.
  for (let day = today - 1; day <= today + daysAhead; day += 1) {
    // A time that the clock skips may come after a later one.
    for (const at of times.map((time) => zone.instant(day, time)).sort((a, b) => a - b)) {
      while (moments[0] !== undefined && moments[0] <= at) yield moments.shift() as number
      if (at > now) yield at
    }
  }
  yield* moments
}

export class WindowBook {
  readonly #zone: ZoneTime
  readonly #cache: TableCache<readonly CompiledWindow[]>
  #windows: readonly CompiledWindow[] = []

  constructor(database: Pick<Database, 'version'>, zone: ZoneTime) {
    this.#cache = new TableCache(database, maintenances.table.name, customViews.table.name)
    this.#zone = zone
  }

  /** Changes when the windows do; caches of results depend on it. */
  version(reader: Reader): number {
    return this.#cache.version(reader)
  }

  /** Reads changed windows; a change takes effect with the next transaction. */
  async refresh(reader: Reader): Promise<void> {
    this.#windows = await this.#cache.get(reader, () => this.#read(reader))
  }

  async #read(reader: Reader): Promise<readonly CompiledWindow[]> {
    const windows = await readMaintenances(reader)
    const views = windows.some(({ view }) => view.length > 0) ? membersOf(await readViews(reader)) : new Map()
    return windows.map((window) => new CompiledWindow(window, this.#zone, views))
  }

  /** The windows in force at a time. */
  inForce(at: number): readonly CompiledWindow[] {
    return this.#windows.filter((window) => window.isInForce(at))
  }
}
