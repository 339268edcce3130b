// Who is on call: all schedules of the store, ready to be asked.

import { readSchedules, type Schedule, schedules } from '../../resources/notify/schedule.ts'
import { type Override, readOverrides, scheduleOverrides } from '../../resources/notify/schedule-override.ts'
import { ZoneTime } from '../../rules/zone-time.ts'
import type { Database } from '../../store/database.ts'
import { TableCache } from '../../store/table-cache.ts'
import { Rota, type Shift } from './shifts.ts'

/** A schedule and what it comes to. */
interface Entry {
  readonly schedule: Schedule
  readonly rota: Rota
}

/** A shift, and by which schedule. */
export interface ScheduledShift extends Shift {
  readonly scheduleId: bigint
  readonly scheduleName: string
}

/** A shift with its whole beginning, which may be before the interval; undefined where it is longer ago than a year. */
export interface WholeShift extends ScheduledShift {
  readonly since: number | undefined
}

export interface ShiftQuery {
  readonly scheduleId?: bigint | undefined
  /** Only shifts of this contact, and no gaps. */
  readonly contactId?: bigint | undefined
  readonly from: number
  readonly until: number
}

/** For people who look at a schedule. */
export interface OnCallState {
  readonly contact: bigint | undefined
  readonly until: number | undefined
  readonly next: bigint | undefined
  /** The first interval of the coming weeks in which nobody is on call. */
  readonly gap: Shift | undefined
}

/** How far ahead gaps are searched. */
const gapDays = 28
const dayMilliseconds = 24 * 3600 * 1000

export class OnCall {
  readonly #database: Database
  readonly #entries: TableCache<ReadonlyMap<bigint, Entry>>

  constructor(database: Database) {
    this.#database = database
    this.#entries = new TableCache(database, schedules.table.name, scheduleOverrides.table.name)
  }

  /** Undefined where the schedule does not exist. */
  async at(scheduleId: bigint, time: number): Promise<readonly bigint[] | undefined> {
    const rota = (await this.#current()).get(scheduleId)?.rota
    if (!rota) return undefined
    const { contact } = rota.at(time)
    return contact === undefined ? [] : [contact]
  }

  /** As a schedule stands; undefined where it does not exist. */
  async state(scheduleId: bigint, now: number): Promise<OnCallState | undefined> {
    const rota = (await this.#current()).get(scheduleId)?.rota
    if (!rota) return undefined
    const until = rota.changeAfter(now)
    const shifts = rota.shifts(now, now + gapDays * dayMilliseconds)
    return {
      contact: rota.at(now).contact,
      until,
      next: until === undefined ? undefined : rota.at(until).contact,
      gap: shifts.find(({ contact }) => contact === undefined),
    }
  }

  /** In the order of their begin. */
  async shifts({ scheduleId, contactId, from, until }: ShiftQuery): Promise<ScheduledShift[]> {
    const all = await this.#current()
    const asked =
      scheduleId === undefined ? [...all.values()] : [all.get(scheduleId)].filter((one) => one !== undefined)
    const found = asked.flatMap(({ schedule: { id, name }, rota }) =>
      rota
        .shifts(from, until)
        .filter(({ contact }) => contactId === undefined || contact === contactId)
        .map((shift): ScheduledShift => ({ ...shift, scheduleId: id, scheduleName: name })),
    )
    return found.sort((a, b) => a.begin - b.begin || (a.scheduleId < b.scheduleId ? -1 : 1))
  }

  /** Those under way at `from` with the time at which they began. */
  async wholeShifts(query: ShiftQuery): Promise<WholeShift[]> {
    const all = await this.#current()
    return (await this.shifts(query)).map((shift) => {
      const { begin, scheduleId } = shift
      const isCut = begin === query.from
      return { ...shift, since: isCut ? all.get(scheduleId)?.rota.beginOf(begin) : begin }
    })
  }

  async #current(): Promise<ReadonlyMap<bigint, Entry>> {
    // Another node may have changed them.
    await this.#database.refresh()
    return this.#entries.get(this.#database, readEntries)
  }
}

async function readEntries(database: Database): Promise<ReadonlyMap<bigint, Entry>> {
  const overrides = Map.groupBy(await readOverrides(database), ({ scheduleId }) => scheduleId)
  const zones = new Map<string, ZoneTime>()
  const zoneOf = (name: string) => {
    const zone = zones.get(name) ?? new ZoneTime(name)
    zones.set(name, zone)
    return zone
  }
  const entryOf = (schedule: Schedule): Entry => {
    const above: readonly Override[] = overrides.get(schedule.id) ?? []
    return { schedule, rota: new Rota(schedule, above, zoneOf(schedule.timeZone)) }
  }
  return new Map((await readSchedules(database)).map((schedule) => [schedule.id, entryOf(schedule)]))
}
