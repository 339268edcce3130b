// The alarms of the last hour beside those of the same hour in the weeks before.

import { hrefOf } from '../core/address.ts'
import { Bar } from '../parts/bar.tsx'
import { overviewTexts as words } from '../texts/overview-texts.ts'
import { numberText } from '../texts/shared-texts.ts'
import type { Overview } from './overview-charts.tsx'
import { medianOf } from './series.ts'

export function Hour({ hour }: Pick<Overview, 'hour'>) {
  const weeks = hour.map(({ weeksAgo, count }) => ({ weeksAgo: Number(weeksAgo), count: Number(count) }))
  const [now, ...before] = weeks
  const most = Math.max(1, ...weeks.map(({ count }) => count))
  return (
    <>
      <p class="figure-line">
        <a class="figure" href={hrefOf('alarms', '', { within: '3600' })}>
          {numberText(now?.count ?? 0)}
        </a>{' '}
        <span>{words.hourSays(now?.count ?? 0, medianOf(before.map(({ count }) => count)))}</span>
      </p>
      <ul class="ranks">
        {weeks.map(({ weeksAgo, count }) => (
          <li key={weeksAgo}>
            <span>{words.weeksAgo(weeksAgo)}</span>
            <Bar part={count} whole={most} />
            <b>{numberText(count)}</b>
          </li>
        ))}
      </ul>
    </>
  )
}
