// Times as people read them: how long ago, with the exact time on hover.

import { html } from '../core/html.ts'
import { ageText, now, serverTimeText, timeText } from '../core/time.ts'

export const ageAt = (at: number) => ageText(now.value / 1000 - at)

/** When something was, as an age; hovering shows the time here and at the service, which is computed only then. */
export const Age = ({ at }: { at: number }) => {
  if (at === 0) return null
  const hover = (event: PointerEvent) => {
    ;(event.currentTarget as HTMLElement).title = bothTimes(at)
  }
  return html`<time datetime=${new Date(at * 1000).toISOString()} onPointerEnter=${hover}>${ageAt(at)}</time>`
}

export const Time = ({ at }: { at: number }) =>
  at === 0
    ? null
    : html`<time datetime=${new Date(at * 1000).toISOString()} title=${serverTimeText(at)}>${timeText(at)}</time>`

export function bothTimes(at: number): string {
  const server = serverTimeText(at)
  return server === '' ? timeText(at) : `${timeText(at)}\n${server}`
}
