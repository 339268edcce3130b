// When an alarm was repeated: how often in each interval, short enough to be stored with the alarm. Intervals are a
// minute long at first; where there would be too many, two are merged into one.

/** Seconds in an interval, and the number of repeats by the number of the interval. */
type RepeatTimes = readonly [seconds: number, counts: readonly (readonly [stretch: number, times: number])[]]

export const noRepeats = '[]'
const firstSeconds = 60
const limit = 48

const read = (text: string): RepeatTimes => (text === noRepeats ? [firstSeconds, []] : JSON.parse(text))

export function repeatedAgain(text: string, at: number, times: number): string {
  // Most of a storm is repeated for the first time.
  if (text === noRepeats) return `[${firstSeconds},[[${Math.floor(at / 1000 / firstSeconds)},${times}]]]`
  let [seconds, counts] = read(text)
  counts = add(counts, Math.floor(at / 1000 / seconds), times)
  while (counts.length > limit) {
    seconds *= 2
    let wider: RepeatTimes[1] = []
    for (const [stretch, n] of counts) wider = add(wider, Math.floor(stretch / 2), n)
    counts = wider
  }
  return JSON.stringify([seconds, counts])
}

/** The clock may have been set back: the interval is searched from the end. */
function add(counts: RepeatTimes[1], stretch: number, times: number): RepeatTimes[1] {
  const index = counts.findLastIndex(([known]) => known <= stretch)
  const known = counts[index]
  if (known?.[0] === stretch) return counts.with(index, [stretch, known[1] + times])
  return counts.toSpliced(index + 1, 0, [stretch, times])
}

/** From when to when, and how often; oldest first. */
export function readRepeatTimes(text: string): { from: number; until: number; times: number }[] {
  const [seconds, counts] = read(text)
  return counts.map(([stretch, times]) => ({
    from: stretch * seconds * 1000,
    until: (stretch + 1) * seconds * 1000,
    times,
  }))
}
