// Times as people read them: how long ago, with the exact time on hover.

import { ageText, agoText, now, serverTimeText, timeText } from '../core/time-text.ts'

export const ageAt = (at: number) => ageText(now.value / 1000 - at)

interface AgeProps {
  readonly at: number
  readonly text?: (seconds: number) => string
}

/** When something was, as an age; hovering shows the time here and at the service, which is computed only then. */
export const Age = ({ at, text = ageText }: AgeProps) => {
  if (at === 0) return null
  const hover = (event: PointerEvent) => {
    ;(event.currentTarget as HTMLElement).title = bothTimes(at)
  }
  const shown = text(now.value / 1000 - at)
  // Ages stand at the right: another one begins elsewhere, and is no movement of the one before.
  return (
    <time key={shown} datetime={new Date(at * 1000).toISOString()} onPointerEnter={hover}>
      {shown}
    </time>
  )
}

/** The same in words: `3 min ago`. */
export const Ago = ({ at }: { at: number }) => Age({ at, text: agoText })

export const Time = ({ at }: { at: number }) =>
  at === 0 ? null : (
    <time datetime={new Date(at * 1000).toISOString()} title={serverTimeText(at)}>
      {timeText(at)}
    </time>
  )

function bothTimes(at: number): string {
  const server = serverTimeText(at)
  return server === '' ? timeText(at) : `${timeText(at)}\n${server}`
}
