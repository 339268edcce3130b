// Shifts by the days of a week, in the time zone of their schedule.

import { momentOf, wallClock } from '../core/zone-time.ts'

export interface Shift {
  readonly scheduleId: string
  readonly scheduleName: string
  readonly fromTime: string
  readonly toTime: string
  /** Empty where nobody is on call. */
  readonly contactId: string
  readonly contactName: string
  /** By what: a layer, or an override; the other is empty. */
  readonly layer: string
  readonly overrideId: string
}

/** Part of a shift on one day, as fractions of that day, which may have 23 or 25 hours. */
export interface Piece {
  readonly shift: Shift
  readonly from: number
  readonly to: number
}

export interface Day {
  /** Milliseconds. */
  readonly begin: number
  readonly end: number
}

const dayLength = 24 * 3600 * 1000

/** The seven days, from Monday on, of the week in which a moment lies. */
export function daysOfWeek(zone: string, at: number): readonly Day[] {
  const local = Math.floor(wallClock(zone, at) / dayLength) * dayLength
  // 1970-01-01 was a Thursday.
  const sinceMonday = (local / dayLength + 3) % 7
  const monday = local - sinceMonday * dayLength
  return Array.from({ length: 7 }, (_, index) => ({
    begin: momentOf(zone, monday + index * dayLength),
    end: momentOf(zone, monday + (index + 1) * dayLength),
  }))
}

export const piecesOf = ({ begin, end }: Day, shifts: readonly Shift[]): readonly Piece[] =>
  shifts.flatMap((shift) => {
    const from = Math.max(begin, Number(shift.fromTime) * 1000)
    const to = Math.min(end, Number(shift.toTime) * 1000)
    if (from >= to) return []
    return [{ shift, from: (from - begin) / (end - begin), to: (to - begin) / (end - begin) }]
  })
