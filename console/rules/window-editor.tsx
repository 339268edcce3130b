// The editor of one maintenance window: what it covers, when, and beside it a dry run of what it would have held back.

import { useState } from 'preact/hooks'
import { address, hrefOf } from '../core/address.ts'
import { list, read } from '../core/api.ts'
import { Refused } from '../core/refused.ts'
import { may, session } from '../core/session.ts'
import { type Port, Ports } from '../inventory/port-choice.tsx'
import { SeveralByName } from '../parts/by-name.tsx'
import { ChangesLink } from '../parts/changes-link.tsx'
import { Section } from '../parts/facts.tsx'
import { When as Loaded, useLoad } from '../parts/load.tsx'
import { Empty } from '../parts/problem.tsx'
import { submitRecord } from '../parts/submit-record.ts'
import { texts } from '../texts/shared-texts.ts'
import { maintenanceTexts as words } from '../texts/trap-texts.ts'
import { DeviceChoice, EventsChoice } from './choose.tsx'
import { useDryRun } from './dry-run.tsx'
import { When } from './fields.tsx'
import type { NamedDevice } from './rule.ts'
import { limitsOf } from './validity.ts'
import { blankWindow, type Window, type WindowDraft, windowBodyOf, windowDraftOf } from './window.ts'
import { type WindowTrial, WindowTrialResult } from './window-trial.tsx'

interface EditProps {
  readonly draft: WindowDraft
  readonly set: (change: Partial<WindowDraft>) => void
}

const typed = (event: Event) => (event.target as HTMLInputElement).value

const Words = ({ draft, set }: EditProps) => (
  <Section title={words.what}>
    <div class="field">
      <label for="window-name">{words.name}</label>
      <input
        id="window-name"
        type="text"
        required
        placeholder={words.namePlaceholder}
        value={draft.name}
        onInput={(event: Event) => set({ name: typed(event) })}
      />
    </div>
    <div class="halves two">
      <div class="field half">
        <label for="window-reason">{words.reason}</label>
        <input
          id="window-reason"
          type="text"
          value={draft.reason}
          onInput={(event: Event) => set({ reason: typed(event) })}
        />
      </div>
      <div class="field half">
        <label for="window-owner">{words.owner}</label>
        <input
          id="window-owner"
          type="text"
          placeholder={words.ownerHint}
          value={draft.owner}
          onInput={(event: Event) => set({ owner: typed(event) })}
        />
      </div>
    </div>
  </Section>
)

const Covers = ({ draft, set }: EditProps) => (
  <Section title={words.covers} hint={words.coversHint}>
    <DeviceChoice devices={draft.devices} change={(devices: readonly NamedDevice[]) => set({ devices })} />
    <SeveralByName
      label={words.zones}
      kind="zone"
      chosen={draft.zones}
      change={(zones: readonly string[]) => set({ zones })}
    />
    <SeveralByName
      label={words.views}
      kind="view"
      chosen={draft.views}
      change={(views: readonly string[]) => set({ views })}
    />
    <div class="field">
      <Ports ports={draft.ports} isByDescription change={(ports: readonly Port[]) => set({ ports })} />
    </div>
    <EventsChoice
      label={words.events}
      hint={words.eventsHint}
      oids={draft.events}
      change={(events: readonly string[]) => set({ events })}
    />
  </Section>
)

/** From now for this long, or by days and times, or both. */
const Span = ({
  draft,
  set,
  isNew,
}: EditProps & {
  isNew: boolean
}) => (
  <Section title={words.fromNow} hint={isNew ? words.fromNowHint : words.fromNowAgain}>
    <div class="chips" role="group" aria-label={words.fromNow}>
      {words.lengths.map(([minutes, text]) => (
        <button
          key={minutes}
          type="button"
          class="chip"
          aria-pressed={draft.minutes === minutes}
          onClick={() => set({ minutes: draft.minutes === minutes ? '' : minutes })}
        >
          {text}
        </button>
      ))}
      <button
        type="button"
        class="chip"
        aria-pressed={draft.minutes === ''}
        onClick={() => set({ minutes: '' })}
      >
        {isNew ? words.later : words.asItWas}
      </button>
    </div>
    <div class="field half">
      <label for="window-minutes">{words.minutes}</label>
      <input
        id="window-minutes"
        type="text"
        inputmode="numeric"
        value={draft.minutes}
        onInput={(event: Event) => set({ minutes: typed(event) })}
      />
    </div>
  </Section>
)

/** Days and times that are not given would look like the whole week beside a length from now. */
const isByDays = (draft: WindowDraft) => draft.minutes === '' || limitsOf(draft).exectimeType !== '0'

/** That is so for every new one: there is nothing to try yet. */
const coversNothing = ({ devices, ports, views, zones, events }: WindowDraft) =>
  [devices, ports, views, zones, events].every(({ length }) => length === 0)

function Editor({ id, start }: { id: string; start: WindowDraft }) {
  const [draft, setDraft] = useState(start)
  const set = (change: Partial<WindowDraft>) => setDraft((before) => ({ ...before, ...change }))
  const isNew = id === 'new'
  const body = windowBodyOf(draft, isNew)
  const isEmpty = coversNothing(draft)
  const tried = isEmpty ? undefined : { ...body, name: draft.name || words.one }
  const run = useDryRun<WindowTrial>('/fault/maintenance/dryRun', tried)
  const save = (event: Event) =>
    submitRecord(event, { path: '/fault/maintenance', id, body, saved: words.saved, next: 'maintenance' })
  const mayChange = may('operator')
  return (
    <article class="page editor">
      <form onSubmit={save}>
        <header class="page-head">
          <h1>{isNew ? words.create : draft.name}</h1>
          {!isNew && <ChangesLink resource="maintenance" id={id} />}
        </header>
        {!mayChange && <p class="hint">{texts.errors.onlyLook(session.value.role)}</p>}
        <fieldset disabled={!mayChange}>
          <Words draft={draft} set={set} />
          <Covers draft={draft} set={set} />
          <Span draft={draft} set={set} isNew={isNew} />
          {isByDays(draft) && <When title={words.recurring} draft={draft} set={set} />}
        </fieldset>
        {mayChange && (
          <footer class="buttons">
            <button type="submit" class="main" disabled={isEmpty || run.refused !== undefined}>
              {words.save}
            </button>
            <a class="button" href={hrefOf('maintenance')}>
              {texts.cancel}
            </a>
          </footer>
        )}
      </form>
      <aside>
        <WindowTrialResult {...run} missing={isEmpty ? words.missing : undefined} />
      </aside>
    </article>
  )
}

/** From the page of an alarm or a device comes what the window is to cover. */
async function draftFor(id: string, query: URLSearchParams, over: AbortSignal): Promise<WindowDraft> {
  const window =
    id === 'new' ? undefined : await read<Window>(`/fault/maintenance/${encodeURIComponent(id)}`, {}, over)
  const ids = window?.device ?? [query.get('device') ?? ''].filter(Boolean)
  const { rows } = await list<{ id: string; label: string }>(
    '/plat/res/device',
    { id: ids.join(), size: ids.length },
    over,
  )
  const named = rows.map((device) => ({ id: device.id, name: device.label }))
  if (window) return windowDraftOf(window, named)
  const event = query.get('event')
  const events = event ? [event] : []
  return { ...blankWindow, name: query.get('name') ?? '', devices: ids.length > 0 ? named : [], events }
}

export default function WindowPage({ id }: { id: string }) {
  const loaded = useLoad((over) => draftFor(id, address.value.query, over), [id])
  if (loaded.error instanceof Refused && loaded.error.status === 404)
    return (
      <Empty title={words.gone}>
        <a class="button" href={hrefOf('maintenance')}>
          {words.title}
        </a>
      </Empty>
    )
  return <Loaded loaded={loaded} show={(start: WindowDraft) => <Editor id={id} start={start} />} />
}
