// How many alarms there were and how long people took: this week beside the week before, and the trend by day.

import { hrefOf } from '../core/address.ts'
import { lastedText, now, serverZone } from '../core/time-text.ts'
import { ownZone, wallClock, wallDay } from '../core/zone-time.ts'
import { overviewTexts as words } from '../texts/overview-texts.ts'
import { numberText, texts } from '../texts/shared-texts.ts'
import { changeOf, type DayFigures, type Week, weekOf } from './series.ts'

const took = (seconds: number | undefined) =>
  seconds === undefined ? words.nothingTook : lastedText(seconds)

const day = 86_400_000
const daysDrawn = 14

interface Line {
  readonly label: string
  readonly of: (week: Week) => number | undefined
  readonly text: (value: number | undefined) => string
}

const lines: readonly Line[] = [
  { label: words.alarmsRaised, of: ({ raised }) => raised, text: (value) => numberText(value ?? 0) },
  { label: words.toAcknowledge, of: ({ secondsToAcknowledge }) => secondsToAcknowledge, text: took },
  { label: words.toEnd, of: ({ secondsToEnd }) => secondsToEnd, text: took },
]

const barWidth = 5
const barHeight = 20

/** A bar for each of the last days; the table beside it has the numbers. */
function Bars({ values, label }: { values: readonly (number | undefined)[]; label: string }) {
  const most = Math.max(...values.map((value) => value ?? 0))
  const width = values.length * (barWidth + 1)
  return (
    <svg
      class="bars"
      viewBox={`0 0 ${width} ${barHeight}`}
      style={{ width: `${width}px` }}
      role="img"
      aria-label={label}
    >
      {values.map((value = 0, index) => {
        const height = most === 0 || value === 0 ? 1 : Math.max(2, (value / most) * barHeight)
        return (
          <rect
            key={String(index)}
            class={index < values.length - 7 ? 'before' : ''}
            x={index * (barWidth + 1)}
            y={barHeight - height}
            width={barWidth}
            height={height}
          />
        )
      })}
    </svg>
  )
}

/** The last seven days of the service beside the seven before. */
export function Weeks({ days }: { days: readonly DayFigures[] }) {
  const today = wallClock(serverZone.value ?? ownZone(), now.value)
  const dayText = (ago: number) => wallDay(today - ago * day)
  const [last, before] = [weekOf(days, dayText(6), dayText(0)), weekOf(days, dayText(13), dayText(7))]
  const single = Array.from({ length: daysDrawn }, (_, index) => {
    const one = dayText(daysDrawn - 1 - index)
    return weekOf(days, one, one)
  })
  return (
    <>
      <table class="weeks">
        <thead>
          <tr>
            <td />
            <th scope="col">{words.thisWeek}</th>
            <th scope="col">{words.weekBefore}</th>
            <th scope="col">{words.change}</th>
            <th scope="col">{words.byDay}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ label, of, text }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{text(of(last))}</td>
              <td>{text(of(before))}</td>
              <td>{changeOf(of(last), of(before))}</td>
              <td>
                <Bars values={single.map(of)} label={words.barsOf(label)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        <a href={hrefOf('statistics')}>{texts.menu.statistics}</a>
      </p>
    </>
  )
}
