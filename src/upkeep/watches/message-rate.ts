// What is usual for a device that sends syslog messages, and whether it has fallen silent or floods.
//
// Silent: it was never silent for a quarter of this time in two weeks. So a device that says something each morning is
// judged by days, and one that rarely says anything is not judged. Flooding: in two intervals, one after the other, it
// has sent a hundred times as much as in those of its usual day, which is the median of its days.

const hour = 3_600_000
const day = 24 * hour
/** Days that are remembered. */
const memory = 14
/** It must have spoken for so long before its silence means anything: weekends differ from other days. */
const acquaintance = 7 * day
const minSilence = hour
/** How much longer than ever before a silence must be. */
const silenceFactor = 4
const floodFactor = 100
/** Messages a second below which nothing is a flood. */
const floodRate = 1000 / 300
/** Intervals that a flood must last: a restart is over sooner. */
const floodIntervals = 2

export interface ReceivedCount {
  readonly count: number
  readonly firstAt: number
  readonly lastAt: number
}

export interface RateState {
  /** When it was last judged, first heard, and last heard. */
  readonly at: number
  readonly since: number
  readonly last: number
  /** Number of the day, messages, and the longest silence that ended on it. */
  readonly days: readonly (readonly [day: number, count: number, gap: number])[]
  /** Intervals in a row in which it has sent very much. */
  readonly busy: number
  readonly isSilent: boolean
  readonly isFlooding: boolean
}

export interface Listening {
  readonly now: number
  /** Since when messages are received without interruption: silence before that proves nothing. Undefined: they are not. */
  readonly since: number | undefined
  /** Milliseconds from one judgement to the next. */
  readonly interval: number
}

/** Undefined: it has said nothing for so long that it is forgotten. */
export function judged(
  before: RateState | undefined,
  heard: ReceivedCount | undefined,
  listening: Listening,
): RateState | undefined {
  const { now, since } = listening
  const learnt = learn(before, heard, listening)
  if (!learnt || now - learnt.last > memory * day) return undefined
  if (since === undefined) return { ...learnt, at: now, busy: 0, isSilent: false, isFlooding: false }
  // Where judgements follow each other at once, the counts of several intervals may come in one.
  const elapsed = Math.max(listening.interval, now - (before?.at ?? now))
  const perInterval = ((heard?.count ?? 0) * listening.interval) / elapsed
  const limit = floodLimit(learnt, listening)
  const busy = perInterval >= limit ? learnt.busy + 1 : 0
  return {
    ...learnt,
    at: now,
    busy,
    isSilent: learnt.isSilent || now - Math.max(learnt.last, since) >= silenceLimit(learnt),
    isFlooding: busy >= floodIntervals || (learnt.isFlooding && perInterval >= limit / 2),
  }
}

function learn(
  before: RateState | undefined,
  heard: ReceivedCount | undefined,
  { now, since = now }: Listening,
): RateState | undefined {
  // The clock may have been set back.
  const known = before && { ...before, last: Math.min(before.last, now) }
  if (!heard) return known
  const first = Math.min(heard.firstAt, now)
  const last = Math.max(known?.last ?? 0, Math.min(heard.lastAt, now))
  const gap = known ? Math.max(0, first - Math.max(known.last, since)) : 0
  // Of a silence that was an alarm, only the beginning is usual: a device that was down for days is watched as before.
  const usual = known?.isSilent ? Math.min(gap, silenceLimit(known)) : gap
  const today = Math.floor(last / day)
  const days = (known?.days ?? []).filter(([one]) => one > today - memory && one <= today)
  const [, count, longest] = days.find(([one]) => one === today) ?? [today, 0, 0]
  return {
    ...{ at: now, busy: 0, isFlooding: false, ...known },
    ...{ since: Math.min(known?.since ?? first, first), last, isSilent: false },
    days: [...days.filter(([one]) => one !== today), [today, count + heard.count, Math.max(longest, usual)]],
  }
}

export const longestGap = ({ days }: RateState) => Math.max(0, ...days.map(([, , gap]) => gap))

/** How long it must say nothing until it is silent. */
function silenceLimit(state: RateState): number {
  const limit = Math.max(minSilence, silenceFactor * longestGap(state))
  const isKnown = state.last - state.since >= acquaintance && limit <= acquaintance
  return isKnown ? limit : Number.POSITIVE_INFINITY
}

/** Messages of an interval, on its usual day; undefined until it has been heard for a whole day. */
export function usualCount({ since, days }: RateState, { now, interval }: Listening): number | undefined {
  const today = Math.floor(now / day)
  const first = Math.max(Math.floor(since / day) + 1, today - memory)
  const counts: number[] = []
  for (let one = first; one < today; one += 1) counts.push(days.find(([known]) => known === one)?.[1] ?? 0)
  counts.sort((a, b) => a - b)
  const median = counts[Math.floor(counts.length / 2)]
  return median === undefined ? undefined : (median * interval) / day
}

function floodLimit(state: RateState, listening: Listening): number {
  const usual = usualCount(state, listening)
  if (usual === undefined) return Number.POSITIVE_INFINITY
  return Math.max((floodRate * listening.interval) / 1000, floodFactor * usual)
}
