// The life of an alarm, from its first report to its end: what happened, who did it, and which clients were sent it.

import type { ComponentChildren } from 'preact'
import { hrefOf } from '../core/address.ts'
import { read } from '../core/api.ts'
import { serverTimeText, timeText } from '../core/time-text.ts'
import { useLoad, When } from '../parts/load.tsx'
import { Time } from '../parts/time.tsx'
import { alarmTexts as words } from '../texts/alarm-texts.ts'
import { numberText } from '../texts/shared-texts.ts'

interface Happening {
  readonly time: string
  readonly action: string
  readonly userName: string
  readonly detail: string
  readonly pushed: string
}

interface Story {
  readonly trapId: string
  readonly complete: string
  readonly happening?: readonly Happening[]
  readonly repeat?: readonly { readonly from: string; readonly until: string; readonly times: string }[]
  readonly client?: readonly { readonly uuid: string; readonly connected: string; readonly past?: string }[]
}

interface Moment {
  readonly at: number
  readonly kind: string
  readonly title: string
  readonly detail: ComponentChildren
}

const nobody = new Set(['', '$SYSTEM'])

/** The service writes times in words as `2031-04-05T14:03:12.000Z`. */
const timesIn = (detail: string, text: (seconds: number) => string) =>
  detail.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, (time) => text(Date.parse(time) / 1000))

function momentOf({ time, action, userName, detail, pushed }: Happening, trapId: string): Moment {
  const isBeginning = action === 'raise'
  return {
    at: Number(time),
    kind: action,
    title: words.happenings[action] ?? action,
    detail: (
      <>
        {!nobody.has(userName) && <span>{words.by(userName)}</span>}
        {isBeginning && trapId !== '0' && <a href={hrefOf('trap', trapId)}>{words.trap(trapId)}</a>}
        {!isBeginning && detail !== '' && (
          <span class="said" title={timesIn(detail, serverTimeText)}>
            {timesIn(detail, timeText)}
          </span>
        )}
        {pushed === 'false' && words.inSilence.has(action) && <span class="tag">{words.silent}</span>}
      </>
    ),
  }
}

/** Newest first; intervals in which it was repeated are placed at their end. */
function momentsOf({ trapId, happening = [], repeat = [] }: Story): Moment[] {
  const repeats = repeat.map(({ from, until, times }) => ({
    at: Number(until),
    kind: 'repeat',
    title: words.reportedAgain(Number(times)),
    detail: Number(times) > 1 && from !== until && (
      <span title={serverTimeText(Number(from))}>{words.from(timeText(Number(from)))}</span>
    ),
  }))
  const moments = [...happening.map((one) => momentOf(one, trapId)), ...repeats]
  return moments
    .map((moment, index) => ({ moment, index }))
    .sort(latestFirst)
    .map(({ moment }) => moment)
}

type Placed = { readonly moment: Moment; readonly index: number }
/** Of the same second the later line comes first. */
const latestFirst = (a: Placed, b: Placed) => b.moment.at - a.moment.at || b.index - a.index

const maxShown = 40

function Moments({ story }: { story: Story }) {
  const moments = momentsOf(story)
  const { client = [], complete } = story
  const waiting = client.filter(({ past }) => past === 'false')
  return (
    <>
      <ol class="timeline">
        {moments.slice(0, maxShown).map(({ at, title, detail, kind }, index) => (
          <li key={index} class={kind}>
            <b>{title}</b> {detail}
            <Time at={at} />
          </li>
        ))}
      </ol>
      {moments.length > maxShown && <p class="hint">{words.earlier(moments.length - maxShown)}</p>}
      {complete === 'false' && <p class="hint">{words.incomplete}</p>}
      {client.length > 0 && (
        <p class="hint">
          {waiting.length === 0
            ? words.allClients(numberText(client.length))
            : words.waitingClients(waiting.map(({ uuid }) => uuid).join(', '))}
        </p>
      )}
    </>
  )
}

/** `on` is what must have changed for the history to be asked for again. */
export function Timeline({ id, on }: { id: string; on: readonly unknown[] }) {
  const loaded = useLoad(
    (over) => read<Story>(`/fault/alarm/${encodeURIComponent(id)}/history`, {}, over),
    [id, ...on],
  )
  return <When loaded={loaded} show={(story: Story) => <Moments story={story} />} />
}
