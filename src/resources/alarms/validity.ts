// Parses the validity of a trap rule or maintenance window: days, times and weekdays in the accepted notations.
// Values are stored as the caller wrote them.

import { Fault, shown } from '../../fault.ts'
import { empty, optional, type RecordOf } from '../../schema/resource.ts'
import { int, type Scalar, text } from '../../schema/scalar.ts'

/** The type of validity (`exectimeType`) in which days and times together make one span. */
export const spanType = 2

/** Minutes do not suffice: times may carry seconds. */
export type SecondOfDay = number

export interface CalendarDay {
  readonly kind: 'date'
  readonly year: number
  readonly month: number
  readonly day: number
  readonly time?: SecondOfDay
}

export type Day = CalendarDay | { readonly kind: 'monthly'; readonly day: number }

export const dayForms =
  'yyyy-MM-dd, yyyy/MM/dd or yyyyMMdd, each with or without a time behind it, or a day of the month 1 to 31'
export const timeForms = 'H:mm, HH:mm, HH:mm:ss or an hour 0 to 24'
export const weekdayForms = 'at most seven digits 0 (Sunday) to 6 (Saturday), separated by commas'

const refuse = (value: string, accepted: string) =>
  new Fault('invalid', `${shown(value)} is not accepted: expected ${accepted}`)

export function readTime(value: string): SecondOfDay {
  const match = /^(\d{1,2})(?::(\d{2})(?::(\d{2}))?)?$/.exec(value)
  if (!match) throw refuse(value, timeForms)
  const [hour, minute, second] = [Number(match[1]), Number(match[2] ?? 0), Number(match[3] ?? 0)]
  const seconds = hour * 3600 + minute * 60 + second
  if (minute > 59 || second > 59 || seconds > 24 * 3600) throw refuse(value, timeForms)
  return seconds
}

export function readDay(value: string): Day {
  if (/^\d{1,2}$/.test(value)) {
    const day = Number(value)
    if (day < 1 || day > 31) throw refuse(value, dayForms)
    return { kind: 'monthly', day }
  }
  const match = /^(\d{4})(?:-(\d{2})-|\/(\d{2})\/|(\d{2}))(\d{2})(?:[ T]+([^\sT]\S*))?$/.exec(value)
  if (!match) throw refuse(value, dayForms)
  const year = Number(match[1])
  const month = Number(match[2] ?? match[3] ?? match[4])
  const day = Number(match[5])
  const calendar = new Date(Date.UTC(year, month - 1, day))
  if (calendar.getUTCMonth() !== month - 1 || calendar.getUTCDate() !== day) throw refuse(value, dayForms)
  return { kind: 'date', year, month, day, ...(match[6] !== undefined && { time: readTime(match[6]) }) }
}

export function readWeekdays(value: string): Set<number> {
  if (!/^[0-6](\s*,\s*[0-6]){0,6}$/.test(value)) throw refuse(value, weekdayForms)
  return new Set(value.split(',').map(Number))
}

/** Seconds on a calendar without zones: for comparing two moments written in the same zone. */
function localSeconds(day: CalendarDay, time: SecondOfDay): number {
  return Date.UTC(day.year, day.month - 1, day.day) / 1000 + time
}

/** Text that is stored as it was sent but must have one of the accepted forms. */
function written(read: (value: string) => unknown, accepted: string): Scalar<string> {
  const plain = text({ maxLength: 100 })
  return {
    ...plain,
    accepted,
    read(value) {
      read(value)
      return plain.read(value)
    },
  }
}

const writtenDay = written(readDay, dayForms)
const writtenTime = written(readTime, timeForms)

export const validityFields = {
  exectimeType: optional(int(), empty),
  startDay: optional(writtenDay, empty),
  endDay: optional(writtenDay, empty),
  startTime: optional(writtenTime, empty),
  endTime: optional(writtenTime, empty),
  selectedWeekDay: optional(written(readWeekdays, weekdayForms), empty),
}

/** When something is in force, as it was sent; fields that were not sent are `null`. */
export type Validity = RecordOf<typeof validityFields>

const midnight = 24 * 3600

/** A validity between dates must not end before it starts. Times beside the days belong to them in a span alone. */
export function checkValidity({ exectimeType, startDay, endDay, startTime, endTime }: Validity): void {
  if (startDay === null || endDay === null) return
  const [first, last] = [readDay(startDay), readDay(endDay)]
  if (first.kind !== 'date' || last.kind !== 'date') return
  const isSpan = exectimeType === spanType
  const start = Math.max(...timesOf(first, isSpan ? startTime : null, 0))
  const end = Math.min(...timesOf(last, isSpan ? endTime : null, midnight))
  // The end of one day is the start of the next, but an end day before the start day is a mistake all the same.
  const days = localSeconds(last, 0) - localSeconds(first, 0)
  if (days >= 0 && days + end >= start) return
  const words = isSpan ? [startDay, startTime, 'to', endDay, endTime] : [startDay, 'to', endDay]
  const period = words.filter((word) => word !== null).join(' ')
  throw new Fault('invalid', `the validity ends before it starts: ${period}`, { field: 'endDay' })
}

function timesOf(date: CalendarDay, beside: string | null, otherwise: SecondOfDay): SecondOfDay[] {
  const times = [date.time, beside === null ? undefined : readTime(beside)].filter(
    (time) => time !== undefined,
  )
  return times.length === 0 ? [otherwise] : times
}
