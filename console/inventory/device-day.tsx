// The last day of a device: each alarm is a bar from its beginning to its end.

import { hrefOf } from '../core/address.ts'
import { listWhole } from '../core/api.ts'
import { clockText, now } from '../core/time-text.ts'
import type { Span } from '../map/states.ts'
import { useEvery, useLoad, When } from '../parts/load.tsx'
import { frontTexts as words } from '../texts/map-texts.ts'
import { texts } from '../texts/shared-texts.ts'

const day = 86_400
const maxLanes = 8
/** Parts of the day that a bar has at least: the style makes it as wide as can be pressed, also on a phone. */
const minShare = 0.07

interface Bar {
  readonly span: Span
  readonly lane: number
  /** Parts of the day. */
  readonly from: number
  readonly width: number
}

/** Each in the first lane that is free; those that find none are counted. */
export function barsOf(spans: readonly Span[], until: number): { bars: Bar[]; left: number } {
  const free: number[] = []
  const bars: Bar[] = []
  let left = 0
  for (const span of spans) {
    const begin = Math.max(0, (Number(span.faultTime) - until) / day + 1)
    const end = span.recTime === '0' ? 1 : Math.min(1, (Number(span.recTime) - until) / day + 1)
    const width = Math.max(minShare, end - begin)
    const from = Math.min(begin, 1 - width)
    const found = free.findIndex((at) => at <= from)
    const lane = found < 0 ? free.length : found
    if (lane >= maxLanes) {
      left += 1
      continue
    }
    free[lane] = from + width + 0.004
    bars.push({ span, lane, from, width })
  }
  return { bars, left }
}

const percent = (part: number) => `${(part * 100).toFixed(2)}%`

function DayBar({ bar: { span, lane, from, width } }: { bar: Bar }) {
  const ended = span.recTime === '0' ? words.now : clockText(Number(span.recTime)).slice(0, 5)
  const level = texts.levels[Number(span.alarmLevel)] ?? ''
  const name = words.daySpan(
    `${level}: ${span.alarmDesc}`,
    clockText(Number(span.faultTime)).slice(0, 5),
    ended,
  )
  return (
    <a
      class={`day-bar bar-${span.alarmLevel}`}
      href={hrefOf('alarm', span.id)}
      title={name}
      style={{
        left: `min(${percent(from)}, calc(100% - 24px))`,
        width: percent(width),
        top: `calc(${lane} * var(--lane))`,
      }}
    >
      <span class="unseen">{name}</span>
    </a>
  )
}

const hours = [0, 6, 12, 18]

export function DeviceDay({ id }: { id: string }) {
  const loaded = useLoad((over) => listWhole<Span>('/fault/alarmSpan', { deviceId: id }, over), [id])
  useEvery(30, loaded)
  const until = now.value / 1000
  return (
    <When
      loaded={loaded}
      show={(spans: readonly Span[]) => {
        const { bars, left } = barsOf(spans, until)
        if (bars.length === 0) return <p class="hint">{words.dayNone}</p>
        const lanes = Math.max(...bars.map(({ lane }) => lane)) + 1
        return (
          <div class="day-strip">
            <div class="day-lanes" style={{ '--lanes': lanes }}>
              {bars.map((bar) => (
                <DayBar key={bar.span.id} bar={bar} />
              ))}
            </div>
            <p class="day-hours" aria-hidden="true">
              {hours.map((hour) => (
                <span key={hour}>{clockText(until - day + hour * 3600).slice(0, 5)}</span>
              ))}
              <span>{words.now}</span>
            </p>
            {left > 0 && (
              <p>
                <a href={hrefOf('history', '', { deviceId: id })}>{words.dayMore(left)}</a>
              </p>
            )}
          </div>
        )
      }}
    />
  )
}
