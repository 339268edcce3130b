// Which devices have fallen silent or flood, judged by what was usual for each of them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { judged, type RateState } from '../../src/upkeep/watches/message-rate.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const interval = 5 * minute
const start = Date.UTC(2026, 6, 6)

interface Judgement extends Pick<RateState, 'isSilent' | 'isFlooding'> {
  readonly at: number
}

/** Judged every five minutes until a time; messages are given by their times, and how many there are. */
function play(
  said: readonly (readonly [at: number, count: number])[],
  until: number,
  since: (now: number) => number | undefined = () => start,
): { readonly state: RateState | undefined; readonly changes: readonly Judgement[] } {
  const changes: Judgement[] = []
  let state: RateState | undefined
  let next = 0
  for (let now = start + interval; now <= until; now += interval) {
    const [first] = said.slice(next)
    let count = 0
    let last = 0
    for (let one = said[next]; one && one[0] <= now; one = said[next]) {
      count += one[1]
      last = one[0]
      next += 1
    }
    const heard = count > 0 && first ? { count, firstAt: first[0], lastAt: last } : undefined
    const before = state
    state = judged(state, heard, { now, since: since(now), interval })
    const { isSilent = false, isFlooding = false } = state ?? {}
    if (isSilent !== (before?.isSilent ?? false) || isFlooding !== (before?.isFlooding ?? false))
      changes.push({ at: now, isSilent, isFlooding })
  }
  return { state, changes }
}

/** A message every so often, for days. */
const every = (gap: number, days: number, from = start) =>
  Array.from({ length: Math.floor((days * day) / gap) }, (_, at) => [from + at * gap, 1] as const)

test('a device that speaks every ten minutes is silent after an hour, and speaks again', () => {
  const last = start + 10 * day
  const { changes } = play([...every(10 * minute, 10), [last + 5 * hour, 1]], last + 6 * hour)
  assert.deepEqual(
    changes.map(({ at, isSilent }) => [at - last, isSilent]),
    [
      [hour - 10 * minute, true],
      [5 * hour, false],
    ],
  )
})

test('what has spoken for less than a week, rarely, or only in working hours is not taken for silent', () => {
  assert.deepEqual(play(every(10 * minute, 3), start + 10 * day).changes, [], 'three days')
  assert.deepEqual(play(every(3 * day, 13), start + 25 * day).changes, [], 'each third day')
  assert.deepEqual(play([[start, 500]], start + 13 * day).changes, [], 'once')
  // From Monday to Friday, from eight to six.
  const working = every(10 * minute, 26).filter(
    ([at]) =>
      ![0, 6].includes(new Date(at).getUTCDay()) &&
      new Date(at).getUTCHours() >= 8 &&
      new Date(at).getUTCHours() < 18,
  )
  assert.deepEqual(play(working, start + 26 * day).changes, [])
})

test('silence counts from the start of the service, and while messages are received', () => {
  const last = start + 10 * day
  const restart = (now: number) => (now < last + 10 * minute ? start : last + 50 * minute)
  const { changes } = play(every(10 * minute, 10), last + 3 * hour, restart)
  assert.deepEqual(
    changes.map(({ at }) => at - last),
    [hour + 50 * minute],
  )
  assert.deepEqual(
    play(every(10 * minute, 10), last + day, (now) => (now < last ? start : undefined)).changes,
    [],
  )
})

test('a device that says less than before is taken for silent a few times, then its new habit is known', () => {
  const said = [...every(10 * minute, 10), ...every(7 * hour, 10, start + 10 * day)]
  const silences = play(said, start + 20 * day).changes.filter(({ isSilent }) => isSilent)
  assert.ok(silences.length > 0 && silences.length <= 3, String(silences.length))
})

test('a device that has been silent for two weeks is forgotten', () => {
  const { state, changes } = play(every(10 * minute, 10), start + 26 * day)
  assert.equal(state, undefined)
  assert.equal(changes.at(-1)?.isSilent, false)
})

test('a hundred times more than usual is a flood when it lasts, and is over when it is', () => {
  const storm = start + 3 * day
  const usual = every(10 * minute, 4)
  const flood = (minutes: number, count: number) =>
    [
      ...usual,
      ...Array.from({ length: minutes }, (_, at) => [storm + (at + 1) * minute, count] as const),
    ].sort((a, b) => a[0] - b[0])
  assert.deepEqual(play(flood(5, 2000), storm + hour).changes, [], 'a restart')
  assert.deepEqual(play(flood(60, 100), storm + 2 * hour).changes, [], 'few')
  assert.deepEqual(
    play(flood(60, 300), storm + 2 * hour).changes.map(({ at, isFlooding }) => [at - storm, isFlooding]),
    [
      [10 * minute, true],
      [65 * minute, false],
    ],
  )
  assert.deepEqual(play([[start + hour, 100_000]], start + 2 * hour).changes, [], 'its first day')
})

test('a flood of days becomes usual', () => {
  const said = [
    ...every(10 * minute, 4),
    ...every(minute, 12, start + 4 * day).map(([at]) => [at, 400] as const),
  ]
  const { changes } = play(said, start + 16 * day)
  assert.deepEqual(
    changes.map(({ isFlooding }) => isFlooding),
    [true, false],
  )
  assert.ok((changes[1]?.at ?? 0) - start < 10 * day)
})

test('whatever comes, a device that spoke lately is not silent, and what is remembered is bounded', () => {
  const steps = fc.array(
    fc.record({
      wait: fc.integer({ min: -2 * day, max: 3 * day }),
      count: fc.nat({ max: 100_000 }),
      isHeard: fc.boolean(),
      isListening: fc.boolean(),
    }),
    { maxLength: 100 },
  )
  fc.assert(
    fc.property(steps, (some) => {
      let state: RateState | undefined
      let now = start
      for (const { wait, count, isHeard, isListening } of some) {
        now += wait
        const heard = isHeard ? { count: count + 1, firstAt: now - minute, lastAt: now } : undefined
        const since = isListening ? start : undefined
        state = judged(state, heard, { now, since, interval })
        if (isHeard) assert.equal(state?.isSilent, false)
        if (!state) continue
        assert.ok(state.days.length <= 15 && state.last <= now)
        assert.ok(state.days.every(([, , gap]) => Number.isFinite(gap) && gap >= 0))
        if (!isListening) assert.ok(!state.isSilent && !state.isFlooding)
      }
    }),
  )
})
