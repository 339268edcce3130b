// Figures by time, in the form that charts need: one array per line, a value for every step.

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
