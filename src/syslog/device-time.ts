// Finds the time that a device wrote at the beginning of a text, in one of the forms that devices use.

/** The longest form, with room for a zone. */
const maxLength = 64

// Hours, minutes and seconds may be padded with spaces ("10: 9:26"). Comware writes a colon before the milliseconds.
const forms: readonly RegExp[] = [
  // 2024-05-01T10:20:30.123456+02:00; Huawei writes 2024-5-1 10:20:30.
  /^\d{4}-\d{1,2}-\d{1,2}[T ]\d{1,2}:\d{2}:\d{2}(?:[.,]\d{1,9})?(?:Z| ?[+-]\d{2}:?\d{2})?/,
  // May  1 10:20:30, May 1 2024 10:20:30, May 1 10:20:30:123 2024, Wed May 1 10:20:30
  /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? )?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,2}\d{1,2},?(?: \d{4})? {1,2}\d{1,2}: ?\d{1,2}: ?\d{1,2}(?:[.:,]\d{1,9})?(?: (?:19|20)\d{2}(?![\d.]|:[\da-f:]))?/,
  // 2024 May  1 10:20:30
  /^\d{4} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,2}\d{1,2} {1,2}\d{1,2}:\d{2}:\d{2}(?:\.\d{1,9})?/,
  // 05/01/2024 10:20:30, 2024/05/01 10:20:30
  /^\d{1,4}[/.]\d{1,2}[/.]\d{1,4} \d{1,2}:\d{2}:\d{2}(?:\.\d{1,9})?/,
  // Seconds since 1970.
  /^1\d{9}(?:\.\d{1,9})?(?= )/,
  // Since the start of the device: 00:00:46, 3d12h, 1y02w.
  /^(?:\d{1,3}:\d{2}:\d{2}(?:\.\d{1,3})?|(?:\d{1,3}[ywdh]){2,4})(?=:)/,
]

/** After the time: a zone. Other capitals count as one only before a code: `SYST:` is a program. */
const zone =
  /^ (?:UTC(?:[+-]\d{1,2}(?::?\d{2})?)?|GMT|[AECMP][SD]T|[CEW]ES?T|MSK|BST|[IJK]ST|[+-]\d{2}:?\d{2})(?=:| :|$)|^ [A-Z]{3,5}(?=: %)|^[+-]\d{2}:?\d{2}/

export interface FoundTime {
  readonly text: string
  /** Its length together with what belongs to it before and after. */
  readonly length: number
  /** A colon follows, as after the times of Cisco; there, no host name comes next. */
  readonly endsWithColon: boolean
}

/** The time at the beginning of a text; `*`, `.` and `%` before it say that it is not exact. */
export function findTime(text: string): FoundTime | undefined {
  const mark = '*.%'.includes(text.charAt(0)) && text !== '' ? 1 : 0
  const head = text.slice(mark, mark + maxLength)
  for (const form of forms) {
    const found = form.exec(head)?.[0]
    if (found === undefined) continue
    const rest = head.slice(found.length)
    const written = found + (zone.exec(rest)?.[0] ?? '')
    const after = /^ ?:? */.exec(head.slice(written.length))?.[0] ?? ''
    return {
      text: written,
      length: mark + written.length + after.length,
      endsWithColon: after.includes(':'),
    }
  }
  return undefined
}
