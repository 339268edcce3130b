// Writes shifts as an iCalendar document (RFC 5545), for the calendars of people.

import type { WholeShift } from './on-call.ts'

/** What an event of the calendar shows besides its time. */
export interface CalendarShift extends WholeShift {
  readonly contactName: string
}

export interface CalendarText {
  readonly name: string
  /** Which service it comes from: part of the ids of its events. */
  readonly source: string
  readonly now: number
  readonly shifts: readonly CalendarShift[]
}

export function calendarText({ name, source, now, shifts }: CalendarText): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Belfry//On call//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escaped(name)}`,
    // How often it is worth asking again; the second one is for older programs.
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...shifts.flatMap((shift) => eventLines(shift, source, now)),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

/** An event keeps its id as long as its shift begins at the same time: calendars then update it. */
const idOf = ({ scheduleId, since }: CalendarShift) =>
  `shift-${scheduleId}-${since === undefined ? 'always' : since / 1000}`

const eventLines = (shift: CalendarShift, source: string, now: number): string[] => [
  'BEGIN:VEVENT',
  `UID:${idOf(shift)}@${escaped(source)}`,
  `DTSTAMP:${stamp(now)}`,
  `DTSTART:${stamp(shift.since ?? shift.begin)}`,
  `DTEND:${stamp(shift.end)}`,
  `SUMMARY:${escaped(summaryOf(shift))}`,
  // Being on call does not make somebody busy.
  'TRANSP:TRANSPARENT',
  'END:VEVENT',
]

const summaryOf = ({ contact, contactName, scheduleName, override }: CalendarShift) => {
  if (contact === undefined) return `${scheduleName}: nobody is on call`
  return `${scheduleName}: ${contactName}${override === undefined ? '' : ' (override)'}`
}

/** In UTC: every calendar shows it in the zone of its reader. */
const stamp = (time: number) => `${new Date(time).toISOString().replaceAll(/[-:]|\.\d+/g, '')}`

/** RFC 5545, section 3.3.11. */
const escaped = (text: string) =>
  text
    .replaceAll(/[\\;,]/g, '\\$&')
    .replaceAll(/\r\n|\r|\n/g, '\\n')
    .replaceAll('\t', ' ')

/** Bytes of a line, without its end; section 3.1. */
const lineLimit = 75

/** Characters are not cut in the middle, though the standard would allow it. */
function folded(line: string): string {
  let text = ''
  let length = 0
  for (const char of line) {
    const bytes = Buffer.byteLength(char)
    if (length + bytes > lineLimit) {
      text += '\r\n '
      length = 1
    }
    text += char
    length += bytes
  }
  return text
}
