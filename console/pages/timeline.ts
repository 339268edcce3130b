// The life of an alarm, from its first report to its end.

import type { AlarmRow } from '../alarms/row.ts'
import { hrefOf } from '../core/address.ts'
import { type Children, html } from '../core/html.ts'
import { Time } from '../parts/time.ts'
import { alarmTexts as words } from '../texts/alarm.ts'
import type { AlarmDetail } from './alarm.ts'
import type { Trap } from './alarm-why.ts'

interface Moment {
  readonly at: number
  readonly title: string
  readonly detail?: Children
  readonly kind: 'raised' | 'repeated' | 'acknowledged' | 'over'
}

interface TimelineProps {
  readonly alarm: AlarmDetail
  readonly row: AlarmRow
  readonly traps: readonly Trap[]
  readonly total: number
}

const trapLink = ({ id }: Trap) => html`<a href=${hrefOf('trap', id)}>${words.trap(id)}</a>`

/** Reports beyond these are only counted. */
const mostReports = 8

function momentsOf({ alarm, row, traps }: TimelineProps): Moment[] {
  const [first, ...others] = [...traps].sort((a, b) => Number(a.receivedTime) - Number(b.receivedTime))
  const moments: Moment[] = [
    { at: row.time, kind: 'raised', title: words.raised, detail: first && trapLink(first) },
    ...others
      .filter(({ bin }) => bin !== 'recovered')
      .slice(-mostReports)
      .map((trap) => ({
        at: Number(trap.receivedTime),
        kind: 'repeated' as const,
        title: words.repeated,
        detail: trapLink(trap),
      })),
  ]
  if (row.acknowledged)
    moments.push({
      at: row.acknowledgedAt,
      kind: 'acknowledged',
      title: words.acknowledged,
      detail: row.acknowledgedBy,
    })
  const end = Number(alarm.recTime)
  if (end > 0) {
    const by = alarm.recUserName === '$SYSTEM' ? '' : alarm.recUserName
    moments.push({ at: end, kind: 'over', title: words.recovered, detail: by })
  }
  return moments.sort((a, b) => b.at - a.at)
}

export function Timeline(props: TimelineProps) {
  const moments = momentsOf(props)
  const shownReports = moments.filter(({ kind }) => kind === 'repeated').length
  const unshown = props.row.repeats - 1 - shownReports
  return html`<ol class="timeline">
    ${moments.map(
      ({ at, title, detail, kind }, index) => html`<li key=${index} class=${kind}>
        <b>${title}</b> ${detail}
        <${Time} at=${at} />
      </li>`,
    )}
  </ol>
  ${unshown > 0 && html`<p class="hint">${words.more(unshown)}</p>`}`
}
