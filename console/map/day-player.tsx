// Plays the alarms of a day on the map: a slider over the day, with how many alarms were open at each time above it.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { listWhole } from '../core/api.ts'
import { clockText, dayBegins, dayEnds } from '../core/time-text.ts'
import { Icon } from '../parts/icon.tsx'
import { type Loaded, useLoad } from '../parts/load.tsx'
import { mapTexts as words } from '../texts/map-texts.ts'
import type { Span } from './states.ts'

const minute = 60
/** Seconds in which a day passes. */
const playing = 45
const bars = 144

/** As the service answers at most. */
export const maxSpans = 20_000

interface Period {
  readonly begins: number
  readonly ends: number
}

/** In Unix seconds, in the zone of the browser: a day may have 23 hours, or 25. */
export const dayOf = (date: string): Period => ({
  begins: Number(dayBegins(date)),
  ends: Number(dayEnds(date)) + 1,
})

const untilNow = ({ begins, ends }: Period): Period => ({
  begins,
  ends: Math.max(begins, Math.min(ends, Math.floor(Date.now() / 1000))),
})

/** As fields for days have it, in whatever language. */
export const today = () => new Intl.DateTimeFormat('sv-SE').format(Date.now())

export const useDay = (date: string | undefined): Loaded<readonly Span[]> =>
  useLoad(
    async (over) => {
      if (date === undefined) return []
      const { begins, ends } = untilNow(dayOf(date))
      return listWhole<Span>('/fault/alarmSpan', { from: begins, until: ends }, over)
    },
    [date],
  )

/** How many were open, and the worst of them, in each part of a day. */
function dayBars(spans: readonly Span[], { begins, ends }: Period): { count: number; level: number }[] {
  const step = (ends - begins) / bars
  const found = Array.from({ length: bars }, () => ({ count: 0, level: 5 }))
  for (const { faultTime, recTime, alarmLevel } of spans) {
    const first = Math.max(0, Math.floor((Number(faultTime) - begins) / step))
    const end = recTime === '0' ? Math.min(ends, Date.now() / 1000) : Number(recTime)
    const last = Math.min(bars - 1, Math.floor((end - begins) / step))
    for (let at = first; at <= last; at += 1) {
      const bar = found[at]
      if (!bar) continue
      bar.count += 1
      bar.level = Math.min(bar.level, Number(alarmLevel))
    }
  }
  return found
}

interface PlayerProps {
  readonly date: string
  readonly spans: readonly Span[]
  readonly isLoading: boolean
  readonly at: number
  readonly open: number
  readonly setDate: (date: string) => void
  readonly setAt: (at: number) => void
  readonly leave: () => void
}

export function DayPlayer({ date, spans, isLoading, at, open, setDate, setAt, leave }: PlayerProps) {
  const [isPlaying, setPlaying] = useState(false)
  const whole = dayOf(date)
  const { begins, ends } = untilNow(whole)
  const speed = (whole.ends - whole.begins) / playing
  const now = useRef(at)
  now.current = at
  useEffect(() => {
    if (!isPlaying) return
    let before = performance.now()
    let frame = requestAnimationFrame(function next(time) {
      const to = now.current + ((time - before) / 1000) * speed
      before = time
      setAt(Math.min(ends, to))
      if (to >= ends) setPlaying(false)
      else frame = requestAnimationFrame(next)
    })
    return () => cancelAnimationFrame(frame)
  }, [isPlaying, date])
  const start = () => {
    if (at >= ends) setAt(begins)
    setPlaying(!isPlaying)
  }
  const name = isPlaying ? words.stop : words.start
  return (
    <section class="map-player" aria-label={words.play}>
      <button type="button" class="main icon" aria-label={name} title={name} onClick={start}>
        <Icon name={isPlaying ? 'pause' : 'play'} />
      </button>
      <label class="map-day">
        <span class="unseen">{words.day}</span>
        <input
          type="date"
          value={date}
          max={today()}
          onChange={({ currentTarget }) => currentTarget.value && setDate(currentTarget.value)}
        />
      </label>
      <div class="map-time">
        <DayBars spans={spans} date={date} />
        <input
          type="range"
          aria-label={words.time}
          aria-valuetext={clockText(at).slice(0, 5)}
          min={begins}
          max={whole.ends}
          step={minute}
          value={at}
          onInput={({ currentTarget }) => {
            setPlaying(false)
            setAt(Math.min(ends, Number(currentTarget.value)))
          }}
        />
      </div>
      <output class="map-clock">
        <b>{clockText(at).slice(0, 5)}</b>
        <span class="hint">{isLoading ? words.loadingDay : words.openThen(open)}</span>
      </output>
      <button type="button" onClick={leave}>
        {words.live}
      </button>
      {spans.length >= maxSpans && <p class="hint">{words.tooMany(maxSpans)}</p>}
    </section>
  )
}

const height = 28

function DayBars({ spans, date }: Pick<PlayerProps, 'spans' | 'date'>) {
  const found = useMemo(() => dayBars(spans, dayOf(date)), [spans, date])
  const highest = Math.max(1, ...found.map(({ count }) => count))
  return (
    <svg viewBox={`0 0 ${bars} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      {found.map(({ count, level }, index) => {
        const tall = count === 0 ? 0 : Math.max(2, (count / highest) * height)
        return (
          count > 0 && (
            <rect
              key={index}
              class={`bar-${level}`}
              x={index + 0.1}
              y={height - tall}
              width={0.8}
              height={tall}
            />
          )
        )
      })}
    </svg>
  )
}
