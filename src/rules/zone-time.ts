// Converts between instants and local time in a named zone, across clock changes.

/** A local time; days are counted from 1970, so that they can be added to. */
interface LocalTime {
  readonly day: number
  readonly secondOfDay: number
}

const second = 1000
const daySeconds = 24 * 3600
/** Clocks change at quarters of an hour, everywhere, and not twice in a day. */
const quarter = 900 * second
const wholeDay = daySeconds * second

export class ZoneTime {
  readonly #format: Intl.DateTimeFormat
  readonly #offsets = new Map<number, number>()

  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  }

  local(at: number): LocalTime {
    const seconds = Math.floor((at + this.#offset(at)) / second)
    const day = Math.floor(seconds / daySeconds)
    return { day, secondOfDay: seconds - day * daySeconds }
  }

  /**
   * A time that the clock skips moves forward by as much as was skipped; of a time that occurs twice, the first is
   * meant.
   */
  instant(day: number, secondOfDay: number): number {
    const wall = (day * daySeconds + secondOfDay) * second
    const before = this.#offset(wall - daySeconds * second)
    const after = this.#offset(wall + daySeconds * second)
    const early = wall - before
    const late = wall - after
    return this.#offset(early) !== before && this.#offset(late) === after ? late : early
  }

  /** How far local time is ahead of UTC, in milliseconds. */
  #offset(at: number): number {
    const midnight = Math.floor(at / wholeDay) * wholeDay
    const offset = this.#offsetAt(midnight)
    if (offset === this.#offsetAt(midnight + wholeDay)) return offset
    return this.#offsetAt(Math.floor(at / quarter) * quarter)
  }

  #offsetAt(start: number): number {
    let offset = this.#offsets.get(start)
    if (offset === undefined) {
      const parts = new Map(this.#format.formatToParts(start).map(({ type, value }) => [type, Number(value)]))
      const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
      const wall = Date.UTC(
        part('year'),
        part('month') - 1,
        part('day'),
        part('hour'),
        part('minute'),
        part('second'),
      )
      offset = wall - start
      if (this.#offsets.size > 10_000) this.#offsets.clear()
      this.#offsets.set(start, offset)
    }
    return offset
  }
}

/** The number of a calendar day. */
export const dayNumber = (year: number, month: number, day: number) =>
  Date.UTC(year, month - 1, day) / (daySeconds * second)
/** 0 is Sunday; the first of January 1970 was a Thursday. */
export const weekdayOf = (day: number) => (((day + 4) % 7) + 7) % 7

export function monthOf(day: number): { readonly dayOfMonth: number; readonly lastOfMonth: number } {
  const date = new Date(day * daySeconds * second)
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0))
  return { dayOfMonth: date.getUTCDate(), lastOfMonth: last.getUTCDate() }
}
