// The week of a rule: at which hours of which days it is in force, apart from calendar dates.

const hours = 24

/** `7:30`, `07:30:00` and `7` alike, in hours; undefined where it is none. */
export function hourOf(text: string): number | undefined {
  const match = /^(\d{1,2})(?::(\d{2}))?(?::(\d{2}))?$/.exec(text.trim())
  if (!match) return undefined
  const value = Number(match[1]) + Number(match[2] ?? 0) / 60 + Number(match[3] ?? 0) / 3600
  return value <= hours ? value : undefined
}

export interface Stretch {
  /** 0 is Sunday. */
  readonly day: number
  readonly from: number
  readonly to: number
}

interface Validity {
  readonly weekdays: readonly number[]
  readonly startTime: string
  readonly endTime: string
}

/** A window that ends before it starts runs over midnight, and belongs to the day it starts on. */
export function stretchesOf({ weekdays, startTime, endTime }: Validity): Stretch[] {
  const days = weekdays.length > 0 ? weekdays : [0, 1, 2, 3, 4, 5, 6]
  const from = hourOf(startTime) ?? 0
  const to = hourOf(endTime) ?? hours
  if (from === to) return days.map((day) => ({ day, from: 0, to: hours }))
  return days.flatMap((day) =>
    from < to
      ? [{ day, from, to }]
      : [{ day, from, to: hours }, ...(to > 0 ? [{ day: (day + 1) % 7, from: 0, to }] : [])],
  )
}

/** Hours of the week in which it is in force, each counted once. */
export function hoursOf(stretches: readonly Stretch[]): number {
  let sum = 0
  for (let day = 0; day < 7; day += 1) {
    let reached = 0
    const own = stretches.filter((one) => one.day === day).sort((a, b) => a.from - b.from)
    for (const { from, to } of own) {
      sum += Math.max(0, to - Math.max(from, reached))
      reached = Math.max(reached, to)
    }
  }
  return Math.round(sum * 100) / 100
}
