// Records how often an alarm was repeated in each interval, compactly enough to be stored with the alarm. Intervals start
// at one minute; when there are too many, neighbours are merged.

/** Seconds in an interval, and the number of repeats by the number of the interval. */
type RepeatTimes = readonly [seconds: number, counts: readonly (readonly [interval: number, times: number])[]]

export const noRepeats = '[]'
const firstSeconds = 60
const intervalLimit = 48

const read = (text: string): RepeatTimes => (text === noRepeats ? [firstSeconds, []] : JSON.parse(text))

export function addRepeats(text: string, at: number, times: number): string {
  // The common case in a storm.
  if (text === noRepeats) return `[${firstSeconds},[[${Math.floor(at / 1000 / firstSeconds)},${times}]]]`
  let [seconds, counts] = read(text)
  counts = add(counts, Math.floor(at / 1000 / seconds), times)
  while (counts.length > intervalLimit) {
    seconds *= 2
    let wider: RepeatTimes[1] = []
    for (const [interval, n] of counts) wider = add(wider, Math.floor(interval / 2), n)
    counts = wider
  }
  return JSON.stringify([seconds, counts])
}

/** Searches from the end; not always the last one, because the clock may have been set back. */
function add(counts: RepeatTimes[1], interval: number, times: number): RepeatTimes[1] {
  const index = counts.findLastIndex(([known]) => known <= interval)
  const known = counts[index]
  if (known?.[0] === interval) return counts.with(index, [interval, known[1] + times])
  return counts.toSpliced(index + 1, 0, [interval, times])
}

/** Oldest first. */
export function readRepeatTimes(text: string): { from: number; until: number; times: number }[] {
  const [seconds, counts] = read(text)
  return counts.map(([interval, times]) => ({
    from: interval * seconds * 1000,
    until: (interval + 1) * seconds * 1000,
    times,
  }))
}
