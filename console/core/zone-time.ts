// Clocks on the wall: what they show in a zone, and when they show something.

const forms = new Map<string, Intl.DateTimeFormat>()

function formIn(zone: string): Intl.DateTimeFormat {
  const known =
    forms.get(zone) ??
    new Intl.DateTimeFormat('en-US', {
      ...{ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
      ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
    })
  forms.set(zone, known)
  return known
}

/** What a clock shows in a zone, as if it were UTC: milliseconds, as all times here. */
export function wallClock(zone: string, at: number): number {
  const parts = formIn(zone).formatToParts(at)
  const part = Object.fromEntries(parts.map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

const day = 86_400_000

/** When a clock first shows this. A time that it skips moves forward, as everywhere in the service. */
export function momentOf(zone: string, wall: number): number {
  const offsetAt = (at: number) => wallClock(zone, at) - at
  const [before, after] = [offsetAt(wall - day), offsetAt(wall + day)]
  const found = [wall - before, wall - after].filter((at) => wallClock(zone, at) === wall)
  return found.length === 0 ? wall - before : Math.min(...found)
}

/** `2031-04-05` and `16:03`, as a clock shows them. */
export const wallDay = (wall: number) => new Date(wall).toISOString().slice(0, 10)
export const wallTime = (wall: number) => new Date(wall).toISOString().slice(11, 16)

/** A day and a time such as `2031-04-05T16:03`, as a wall clock; undefined where it is none. */
export function wallOf(text: string): number | undefined {
  const wall = Date.parse(`${text}Z`)
  return Number.isNaN(wall) ? undefined : wall
}

/** The zone of this browser. */
export const ownZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone
