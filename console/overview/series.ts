// Figures by time: in the form that charts need, one array per line with a value for every step, and by weeks.

export interface Figure {
  readonly time: number
  readonly key: string
  readonly count: number
}

export interface Series {
  readonly times: number[]
  readonly byKey: ReadonlyMap<string, number[]>
}

/** All steps from the first to the last, also those in which nothing happened. */
export function seriesOf(
  figures: readonly Figure[],
  keys: readonly string[],
  step: number,
  until: number,
  length: number,
): Series {
  const last = Math.floor(until / step) * step
  const times = Array.from({ length }, (_, index) => last - (length - 1 - index) * step)
  const first = times[0] ?? 0
  const byKey = new Map(keys.map((key) => [key, new Array<number>(length).fill(0)]))
  for (const { time, key, count } of figures) {
    const index = Math.round((Math.floor(time / step) * step - first) / step)
    const line = byKey.get(key)
    if (line && index >= 0 && index < length) line[index] = (line[index] ?? 0) + count
  }
  return { times, byKey }
}

/** Each line on top of those before it. */
export function stacked(lines: readonly (readonly number[])[]): number[][] {
  const sums: number[][] = []
  for (const line of lines) {
    const below = sums.at(-1)
    sums.push(line.map((value, index) => value + (below?.[index] ?? 0)))
  }
  return sums
}

/** One day of alarms; a day without any is not sent. */
export interface DayFigures {
  /** Such as `2031-04-05`. */
  readonly day: string
  readonly raised: string
  readonly acknowledged: string
  /** The mean of those that were acknowledged, or have ended, on that day. */
  readonly secondsToAcknowledge: string
  readonly ended: string
  readonly secondsToEnd: string
}

export interface Week {
  readonly raised: number
  /** Undefined where nothing was acknowledged, or has ended. */
  readonly secondsToAcknowledge: number | undefined
  readonly secondsToEnd: number | undefined
}

/** Days from the first to the last, both included. */
export function weekOf(days: readonly DayFigures[], first: string, last: string): Week {
  const inside = days.filter(({ day }) => first <= day && day <= last)
  const sum = (of: (day: DayFigures) => number) => inside.reduce((total, day) => total + of(day), 0)
  const mean = (count: 'acknowledged' | 'ended', seconds: 'secondsToAcknowledge' | 'secondsToEnd') => {
    const all = sum((day) => Number(day[count]))
    return all === 0 ? undefined : sum((day) => Number(day[count]) * Number(day[seconds])) / all
  }
  return {
    raised: sum(({ raised }) => Number(raised)),
    secondsToAcknowledge: mean('acknowledged', 'secondsToAcknowledge'),
    secondsToEnd: mean('ended', 'secondsToEnd'),
  }
}

/** What is usual: the middle one, so that one bad week does not count. Undefined where nothing is known. */
export function medianOf(counts: readonly number[]): number | undefined {
  const sorted = counts.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [low, high] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]]
  return low === undefined || high === undefined ? undefined : Math.round((low + high) / 2)
}

/** By how much it has changed, such as `+25 %`; empty where there is nothing to compare with. */
export function changeOf(now: number | undefined, before: number | undefined): string {
  if (now === undefined || before === undefined || before === 0) return ''
  const share = Math.round((now / before - 1) * 100)
  return `${share > 0 ? '+' : share < 0 ? '−' : '±'}${Math.abs(share)} %`
}
