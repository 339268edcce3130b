// How a device answered over time: a strip of when it did not, and the round trip as a line.

import { useState } from 'preact/hooks'
import { listWhole } from '../core/api.ts'
import { now, timeText } from '../core/time-text.ts'
import { useEvery, useLoad, When } from '../parts/load.tsx'
import { historyTexts as words } from '../texts/reach-texts.ts'

interface Step {
  readonly time: string
  readonly answers: string
  readonly losses: string
  readonly answeringSeconds: string
  readonly silentSeconds: string
  readonly roundTrip: string
  readonly longestRoundTrip: string
}

const day = 86_400
const spans = {
  day: { by: 'halfHour', step: 1800, count: 48 },
  week: { by: 'halfHour', step: 1800, count: 7 * 48 },
  year: { by: 'day', step: day, count: 365 },
} as const
type Span = keyof typeof spans

/** Of the picture; it is stretched to the width of the page. */
const width = 480
const height = 72

/** One of its steps; undefined where nothing was measured. */
type Slot = Step | undefined

export function slotsOf(steps: readonly Step[], step: number, count: number, until: number): Slot[] {
  const last = Math.floor(until / step)
  const slots = new Array<Slot>(count).fill(undefined)
  for (const one of steps) {
    const at = count - 1 - (last - Math.floor(Number(one.time) / step))
    if (at >= 0 && at < count) slots[at] = one
  }
  return slots
}

const silentPart = (one: Step) => {
  const [answering, silent] = [Number(one.answeringSeconds), Number(one.silentSeconds)]
  // The first question of all has no time before it.
  if (answering + silent === 0) return Number(one.losses) > 0 && Number(one.answers) === 0 ? 1 : 0
  return silent / (answering + silent)
}

/** The line, in as many pieces as there are stretches with figures. */
function linePath(slots: readonly Slot[], top: number): string {
  const wide = width / slots.length
  let isDrawn = false
  const points = slots.map((one, at) => {
    const value = Number(one?.roundTrip ?? 0)
    if (value === 0) {
      isDrawn = false
      return ''
    }
    const y = (height - (value / top) * (height - 4)).toFixed(1)
    const point = `${isDrawn ? 'L' : 'M'}${(at * wide).toFixed(1)} ${y}H${((at + 1) * wide).toFixed(1)}`
    isDrawn = true
    return point
  })
  return points.join('')
}

const milliseconds = (micros: number) => words.milliseconds(micros / 1000)

function Picture({ slots }: { slots: readonly Slot[] }) {
  const wide = width / slots.length
  const top = Math.max(1, ...slots.map((one) => Number(one?.roundTrip ?? 0)))
  const bars = slots.flatMap((one, at) => {
    if (!one) return []
    const part = silentPart(one)
    const title = words.step(
      timeText(Number(one.time)).slice(0, 16),
      Number(one.roundTrip) > 0 ? milliseconds(Number(one.roundTrip)) : words.noRoundTrip,
      words.percent(1 - part),
    )
    return [
      <g key={one.time}>
        <title>{title}</title>
        <rect class="reach-answered" x={at * wide} y={height + 4} width={wide} height={8} />
        <rect class="reach-silent" x={at * wide} y={height + 4} width={wide * part} height={8} />
        <rect class="reach-touch" x={at * wide} y={0} width={wide} height={height + 12} />
      </g>,
    ]
  })
  return (
    <svg
      class="reach-picture"
      viewBox={`0 0 ${width} ${height + 12}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={words.title}
    >
      <path class="reach-line" d={linePath(slots, top)} />
      {bars}
    </svg>
  )
}

function Figures({ steps }: { steps: readonly Step[] }) {
  const sum = (name: 'answers' | 'losses' | 'answeringSeconds' | 'silentSeconds') =>
    steps.reduce((all, one) => all + Number(one[name]), 0)
  const [answering, silent] = [sum('answeringSeconds'), sum('silentSeconds')]
  const timed = steps.filter(({ roundTrip }) => Number(roundTrip) > 0)
  const weight = timed.reduce((all, one) => all + Number(one.answers), 0)
  const mean = timed.reduce((all, one) => all + Number(one.roundTrip) * Number(one.answers), 0) / weight
  const longest = Math.max(0, ...timed.map((one) => Number(one.longestRoundTrip)))
  return (
    <p class="hint reach-figures">
      {answering + silent > 0 && (
        <span>
          {words.answered} <b>{words.percent(answering / (answering + silent))}</b>
        </span>
      )}
      <span>
        {words.losses} <b>{sum('losses')}</b>
      </span>
      {timed.length > 0 && (
        <>
          <span>
            {words.mean} <b>{milliseconds(mean)}</b>
          </span>
          <span>
            {words.longest} <b>{milliseconds(longest)}</b>
          </span>
        </>
      )}
    </p>
  )
}

export function ReachHistory({ id }: { id: string }) {
  const [span, setSpan] = useState<Span>('day')
  const { by, step, count } = spans[span]
  const until = now.value / 1000
  const first = (Math.floor(until / step) - count + 1) * step
  const loaded = useLoad(
    (over) => listWhole<Step>('/plat/reachHistory', { deviceId: id, by, from: String(first) }, over),
    [id, span],
  )
  useEvery(60, loaded)
  return (
    <div class="reach-history">
      <div class="chips" role="group" aria-label={words.span}>
        {(Object.keys(spans) as Span[]).map((name) => (
          <button
            key={name}
            type="button"
            class="chip"
            aria-pressed={name === span}
            onClick={() => setSpan(name)}
          >
            {words.spans[name]}
          </button>
        ))}
      </div>
      <When
        loaded={loaded}
        show={(steps: readonly Step[]) =>
          steps.length === 0 ? (
            <p class="hint">{words.none}</p>
          ) : (
            <>
              <Picture slots={slotsOf(steps, step, count, until)} />
              <Figures steps={steps} />
            </>
          )
        }
      />
    </div>
  )
}
