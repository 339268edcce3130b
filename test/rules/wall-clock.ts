// What a clock on the wall shows around days on which clocks change: a slow model to compare with.

/** Zone, and a day on which its clocks change: at 2:00, by half an hour, at midnight; and a day without a change. */
export const clockChanges = [
  ['Europe/Berlin', '2026-03-29'],
  ['Europe/Berlin', '2026-10-25'],
  ['America/New_York', '2026-03-08'],
  ['America/New_York', '2026-11-01'],
  ['Australia/Lord_Howe', '2026-10-04'],
  ['Australia/Lord_Howe', '2026-04-05'],
  ['America/Havana', '2026-03-08'],
  ['Asia/Beirut', '2026-03-29'],
  ['Asia/Beirut', '2026-10-25'],
  ['Asia/Shanghai', '2026-02-28'],
] as const

/** Days before the change, and from it on. */
export const before = 5
export const after = 6
const day = 24 * 60 * 60_000

/** What the clock shows, in steps since 1970, at each step of these days. */
export interface Strip {
  readonly from: number
  readonly walls: readonly number[]
  /** The first place of each reading. */
  readonly at: ReadonlyMap<number, number>
}

const strips = new Map<string, Strip>()

/** `step` is in milliseconds. */
export function stripOf(zone: string, change: string, step: number): Strip {
  const key = `${zone} ${change} ${step}`
  const known = strips.get(key)
  if (known) return known
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
  const from = Date.parse(`${change}T00:00Z`) - before * day
  const walls = Array.from({ length: ((before + after) * day) / step }, (_, index) => {
    const shown = format.format(from + index * step)
    return Date.parse(`${shown.replace(' ', 'T')}Z`) / step
  })
  const at = new Map<number, number>()
  for (const [index, wall] of walls.entries()) if (!at.has(wall)) at.set(wall, index)
  const strip = { from, walls, at }
  strips.set(key, strip)
  return strip
}

/** Where the clock shows this first; if it never does, as much later as the clock skipped. */
export function firstAt({ walls, at }: Strip, wanted: number): number {
  const exact = at.get(wanted)
  if (exact !== undefined) return exact
  if (wanted < (walls[0] ?? 0)) return 0
  const jump = walls.findIndex((wall, index) => wall < wanted && (walls[index + 1] ?? 0) > wanted)
  return jump < 0 ? walls.length : jump + wanted - (walls[jump] ?? 0)
}
