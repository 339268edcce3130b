// When a maintenance window is in force: once, every week, or from now on for a while; in words, in both zones.

import type { ComponentChildren } from 'preact'
import { now, serverZone } from '../core/time-text.ts'
import { ownZone } from '../core/zone-time.ts'
import { Section } from '../parts/facts.tsx'
import { useMark } from '../parts/refusal.ts'
import { locales } from '../texts/language.ts'
import { maintenanceTexts as words } from '../texts/maintenance-texts.ts'
import { When } from './fields.tsx'
import { nextSpans, type Span, spanOf } from './once.ts'
import type { Validity } from './validity.ts'
import type { WindowDraft } from './window.ts'

interface EditProps {
  readonly draft: WindowDraft
  readonly set: (change: Partial<WindowDraft>) => void
}

interface WindowWhenProps extends EditProps {
  readonly isNew: boolean
}

const typed = (event: Event) => (event.target as HTMLInputElement).value

const Chip = ({
  isOn,
  press,
  children,
}: {
  isOn: boolean
  press: () => void
  children: ComponentChildren
}) => (
  <button type="button" class="chip" aria-pressed={isOn} onClick={press}>
    {children}
  </button>
)

/** From now for so long; a window that there is stays as it was where none is given. */
const FromNow = ({ draft, set, isNew }: WindowWhenProps) => (
  <>
    <div class="chips" role="group" aria-label={words.fromNow}>
      {words.lengths.map(([minutes, text]) => (
        <Chip key={minutes} isOn={draft.minutes === minutes} press={() => set({ minutes })}>
          {text}
        </Chip>
      ))}
      {!isNew && (
        <Chip isOn={draft.minutes === ''} press={() => set({ minutes: '' })}>
          {words.asItWas}
        </Chip>
      )}
    </div>
    <div class="field half">
      <label for="window-minutes">{words.minutes}</label>
      <input
        id="window-minutes"
        {...useMark('minutes')}
        type="text"
        inputmode="numeric"
        value={draft.minutes}
        onInput={(event: Event) => set({ minutes: typed(event) })}
      />
    </div>
  </>
)

const OnceFields = ({ draft, set }: EditProps) => (
  <div class="halves two">
    {(['from', 'to'] as const).map((name) => (
      <div key={name} class="field half">
        <label for={`window-${name}`}>{words[name]}</label>
        <input
          id={`window-${name}`}
          type="datetime-local"
          value={draft[name]}
          onInput={(event: Event) => set({ [name]: typed(event) })}
        />
      </div>
    ))}
  </div>
)

const dateForm = { weekday: 'short', day: 'numeric', month: 'short' } as const
const timeForm = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

/** `Wed 18 Nov 22:00 to Thu 19 Nov 02:00`; the day once where both are on it. */
function spanText({ from, to }: Span, zone: string): string {
  const text = (at: number, form: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locales.days, { ...form, timeZone: zone }).format(at).replace(',', '')
  const isSameDay = text(from, dateForm) === text(to, dateForm)
  const end = isSameDay ? text(to, timeForm) : `${text(to, dateForm)} ${text(to, timeForm)}`
  return words.span(`${text(from, dateForm)} ${text(from, timeForm)}`, end)
}

const hour = 3_600_000

/** In the zone of the viewer, and in that of the service where it is another. */
function SpanLine({ span }: { span: Span }) {
  const [own, service] = [ownZone(), serverZone.value ?? 'UTC']
  return (
    <>
      <b>{spanText(span, own)}</b> {words.lasting(Math.round(((span.to - span.from) / hour) * 10) / 10)}
      {own !== service && <span class="hint"> {words.inZone(spanText(span, service), service)}</span>}
    </>
  )
}

const Warning = ({ children }: { children: ComponentChildren }) => <p class="remarks">{children}</p>

function OnceResult({ draft }: { draft: WindowDraft }) {
  const span = spanOf(draft, ownZone())
  if (!span) return <p class="hint">{words.onceMissing}</p>
  if (span.to <= span.from) return <p class="field-error">{words.backwards}</p>
  return (
    <>
      <p>
        {words.onceText} <SpanLine span={span} />
      </p>
      {span.to <= now.value && <Warning>{words.isPast}</Warning>}
      {span.to - span.from > 24 * hour && <Warning>{words.isLong}</Warning>}
    </>
  )
}

/** Days that limit a weekly window to a few occurrences are usually meant as one span. */
const fewOccurrences = 3

function WeeklyResult({ draft }: { draft: WindowDraft }) {
  const spans = nextSpans(draft, serverZone.value ?? 'UTC', now.value, fewOccurrences + 1)
  if (spans === undefined) return null
  if (spans.length === 0) return <Warning>{words.neverApplies}</Warning>
  const isFew = spans.length <= fewOccurrences && draft.startDay !== '' && draft.endDay !== ''
  return (
    <>
      <p>{words.nextOnes}</p>
      <ol class="reasons">
        {spans.slice(0, 3).map((span) => (
          <li key={span.from}>
            <SpanLine span={span} />
          </li>
        ))}
      </ol>
      {isFew && spans.length > 1 && <Warning>{words.isSeveral(spans.length)}</Warning>}
    </>
  )
}

export function WindowWhen({ draft, set, isNew }: WindowWhenProps) {
  const kinds = ['once', 'weekly', 'now'] as const
  return (
    <>
      <Section title={words.fromNow} hint={words.kindHints[draft.kind]}>
        <div class="chips" role="group" aria-label={words.fromNow}>
          {kinds.map((kind) => (
            <Chip key={kind} isOn={draft.kind === kind} press={() => set({ kind })}>
              {words.kinds[kind]}
            </Chip>
          ))}
        </div>
        {draft.kind === 'once' && (
          <>
            <OnceFields draft={draft} set={set} />
            <OnceResult draft={draft} />
          </>
        )}
        {draft.kind === 'now' && <FromNow draft={draft} set={set} isNew={isNew} />}
        {draft.kind === 'weekly' && <WeeklyResult draft={draft} />}
      </Section>
      {draft.kind === 'weekly' && (
        <When title={words.recurring} draft={draft} set={(change: Partial<Validity>) => set(change)} />
      )}
    </>
  )
}
