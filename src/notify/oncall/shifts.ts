// Computes who is on call by a schedule: its layers, and the overrides above them. Turns begin at a local time: one that
// the clock skips moves forward by as much as it skips, and of one that comes twice the first counts.

import { readTime } from '../../resources/alarms/validity.ts'
import type { Layer, Schedule } from '../../resources/notify/schedule.ts'
import type { Override } from '../../resources/notify/schedule-override.ts'
import { changeTimes, periodOf } from '../../rules/validity-period.ts'
import type { ZoneTime } from '../../rules/zone-time.ts'

/** Who is on call, and by what. Without a contact, nobody is. */
interface Holder {
  readonly contact: bigint | undefined
  readonly layer?: string
  readonly override?: bigint
}

/** From `begin` up to, not including, `end`; milliseconds. */
export interface Shift extends Holder {
  readonly begin: number
  readonly end: number
}

/** A layer by itself. */
interface CompiledLayer {
  readonly name: string
  contactAt(time: number): bigint | undefined
  /** All times in an interval at which it may change who is on call. */
  changes(from: number, until: number): Iterable<number>
}

const dayMilliseconds = 24 * 3600 * 1000
/** How far is searched for the next change, or the last one. */
const horizons = [8, 64, 400].map((days) => days * dayMilliseconds)

export class Rota {
  readonly #layers: readonly CompiledLayer[]
  /** The newest first: of several at a time, the newest counts. */
  readonly #overrides: readonly Override[]

  constructor({ layer }: Pick<Schedule, 'layer'>, overrides: readonly Override[], zone: ZoneTime) {
    this.#layers = layer.map((one) => compile(one, zone)).reverse()
    this.#overrides = overrides.toSorted((a, b) => (a.id < b.id ? 1 : -1))
  }

  at(time: number): Holder {
    return this.#holderAt(time, this.#overrides)
  }

  /** When somebody else, or nobody, is on call; undefined where that is not within a year. */
  changeAfter(time: number): number | undefined {
    const { contact } = this.at(time)
    for (const horizon of horizons) {
      const next = this.shifts(time, time + horizon).find((shift) => shift.contact !== contact)
      if (next) return next.begin
    }
    return undefined
  }

  /** When the shift of a time began; undefined where that was not within a year. */
  beginOf(time: number): number | undefined {
    for (const horizon of horizons) {
      const begin = this.shifts(time - horizon, time + 1).at(-1)?.begin
      if (begin !== undefined && begin > time - horizon) return begin
    }
    return undefined
  }

  /** The shifts of an interval without a break between them; where nobody is on call there is one without a contact. */
  shifts(from: number, until: number): Shift[] {
    const overrides = this.#overrides.filter(({ fromTime, toTime }) => fromTime < until && toTime > from)
    const times = new Set([from])
    for (const { fromTime, toTime } of overrides) times.add(fromTime).add(toTime)
    for (const layer of this.#layers) for (const time of layer.changes(from, until)) times.add(time)
    const found: Shift[] = []
    const inside = [...times].filter((time) => time >= from && time < until)
    for (const begin of inside.sort((a, b) => a - b)) {
      const holder = this.#holderAt(begin, overrides)
      const last = found.at(-1)
      if (last) found[found.length - 1] = { ...last, end: begin }
      if (last && isSame(last, holder)) found[found.length - 1] = { ...last, end: until }
      else found.push({ ...holder, begin, end: until })
    }
    return found
  }

  #holderAt(time: number, overrides: readonly Override[]): Holder {
    const override = overrides.find(({ fromTime, toTime }) => fromTime <= time && time < toTime)
    if (override) return { contact: override.contactId, override: override.id }
    for (const { name, contactAt } of this.#layers) {
      const contact = contactAt(time)
      if (contact !== undefined) return { contact, layer: name }
    }
    return { contact: undefined }
  }
}

const isSame = (one: Holder, other: Holder) =>
  one.contact === other.contact && one.layer === other.layer && one.override === other.override

function compile(layer: Layer, zone: ZoneTime): CompiledLayer {
  const validity = { ...layer, exectimeType: null, startDay: null, endDay: null }
  const applies = periodOf(validity, zone)
  const isRestricted = [layer.startTime, layer.endTime, layer.selectedWeekDay].some((limit) => limit !== null)
  const limits = isRestricted ? changeTimes(validity) : []
  const turns = layer.rotation === 'byHand' ? undefined : new Turns(layer, zone)
  return {
    name: layer.name,
    contactAt(time) {
      if (!applies(time)) return undefined
      return turns ? turns.contactAt(time) : (layer.onCall ?? undefined)
    },
    *changes(from, until) {
      if (turns) yield* turns.begins(from, until)
      if (limits.length === 0) return
      // A period over midnight begins the day before, and a time that is skipped may move to the next day.
      const last = zone.local(until).day + 1
      for (let day = zone.local(from).day - 1; day <= last; day += 1) {
        for (const limit of limits) yield zone.instant(day, limit)
      }
    },
  }
}

/** The turns of a daily or weekly rotation. */
class Turns {
  readonly #contacts: readonly bigint[]
  readonly #zone: ZoneTime
  readonly #firstDay: number
  readonly #handOver: number
  /** Days. */
  readonly #length: number

  constructor({ contact, rotation, every, handOver, startDay }: Layer, zone: ZoneTime) {
    this.#contacts = contact
    this.#zone = zone
    this.#firstDay = Date.parse(`${startDay}T00:00:00Z`) / dayMilliseconds
    this.#handOver = readTime(handOver ?? '0')
    this.#length = (every ?? 1) * (rotation === 'weekly' ? 7 : 1)
  }

  contactAt(time: number): bigint | undefined {
    const turn = this.#turnAt(time)
    return turn < 0 ? undefined : this.#contacts[turn % this.#contacts.length]
  }

  /** When turns begin in an interval. */
  *begins(from: number, until: number): Iterable<number> {
    for (let turn = Math.max(0, this.#turnAt(from)); ; turn += 1) {
      const begin = this.#begin(turn)
      if (begin >= until) return
      yield begin
    }
  }

  /** The last turn that has begun; negative before the first. */
  #turnAt(time: number): number {
    const days = this.#zone.local(time).day - this.#firstDay
    let turn = Math.floor(days / this.#length)
    // The hand-over of the day may be yet to come; one that was skipped at midnight comes a day later.
    while (this.#begin(turn) > time) turn -= 1
    while (this.#begin(turn + 1) <= time) turn += 1
    return turn
  }

  #begin(turn: number): number {
    return this.#zone.instant(this.#firstDay + turn * this.#length, this.#handOver)
  }
}
