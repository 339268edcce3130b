// The picture of a week: seven lines of twenty-four hours, with what is in force filled in.

import { ruleTexts as words } from '../texts/trap-texts.ts'
import { hoursOf, type Stretch } from './week.ts'

/** The week begins on Monday. */
const order = [1, 2, 3, 4, 5, 6, 0]
const line = 16
const left = 34
const width = 480
const scale = (width - left) / 24

const x = (hour: number) => left + hour * scale

export function WeekPicture({ stretches }: { stretches: readonly Stretch[] }) {
  const summary = words.weekHours(hoursOf(stretches))
  return (
    <figure class="week">
      <svg viewBox={`0 0 ${width} ${line * 8}`} role="img" aria-label={`${words.week}: ${summary}`}>
        {[0, 6, 12, 18, 24].map((hour) => (
          <g key={hour}>
            <text x={x(hour)} y="11" text-anchor={hour === 24 ? 'end' : hour === 0 ? 'start' : 'middle'}>
              {hour}:00
            </text>
            <line x1={x(hour)} x2={x(hour)} y1={line} y2={line * 8} />
          </g>
        ))}
        {order.map((day, index) => {
          const y = line * (index + 1)
          return (
            <g key={day}>
              <text x="0" y={y + 12}>
                {words.short[day]}
              </text>
              <rect class="day" x={left} y={y + 2} width={width - left} height={line - 4} rx="2" />
              {stretches
                .filter((one) => one.day === day)
                .map(({ from, to }) => (
                  <rect
                    key={from}
                    class="on"
                    x={x(from)}
                    y={y + 2}
                    width={(to - from) * scale}
                    height={line - 4}
                    rx="2"
                  />
                ))}
            </g>
          )
        })}
      </svg>
      <figcaption>{summary}</figcaption>
    </figure>
  )
}
