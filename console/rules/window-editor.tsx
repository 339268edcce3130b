// The editor of one maintenance window: what it covers, when, and beside it a dry run of what it would have held back.

import { address, hrefOf } from '../core/address.ts'
import { list, read } from '../core/api.ts'
import { Refused } from '../core/refused.ts'
import { may, session } from '../core/session.ts'
import { now, serverZone } from '../core/time-text.ts'
import { type Port, Ports } from '../inventory/port-choice.tsx'
import { SeveralByName } from '../parts/by-name.tsx'
import { ChangesLink } from '../parts/changes-link.tsx'
import { RestoredNote, useDraft } from '../parts/draft.tsx'
import { Section } from '../parts/facts.tsx'
import { When as Loaded, useLoad } from '../parts/load.tsx'
import { Empty } from '../parts/problem.tsx'
import { Refusal, useMark, useRefused } from '../parts/refusal.ts'
import { submitRecord } from '../parts/submit-record.ts'
import { maintenanceTexts as words } from '../texts/maintenance-texts.ts'
import { texts } from '../texts/shared-texts.ts'
import { DeviceChoice, EventsChoice } from './choose.tsx'
import { useDryRun } from './dry-run.tsx'
import { windowLabels } from './labels.ts'
import type { NamedDevice } from './rule.ts'
import { limitsOf, unlimited } from './validity.ts'
import {
  blankWindow,
  isUsable,
  type Window,
  type WindowDraft,
  windowBodyOf,
  windowDraftOf,
} from './window.ts'
import { type WindowTrial, WindowTrialResult } from './window-trial.tsx'
import { WindowWhen } from './window-when.tsx'

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
        {...useMark('name')}
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
          {...useMark('reason')}
          type="text"
          value={draft.reason}
          onInput={(event: Event) => set({ reason: typed(event) })}
        />
      </div>
      <div class="field half">
        <label for="window-owner">{words.owner}</label>
        <input
          id="window-owner"
          {...useMark('owner')}
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

/** That is so for every new one: there is nothing to try yet. */
const coversNothing = ({ devices, ports, views, zones, events }: WindowDraft) =>
  [devices, ports, views, zones, events].every(({ length }) => length === 0)

function Editor({ id, start }: { id: string; start: WindowDraft }) {
  const kept = useDraft(`window ${id}?${address.peek().query}`, start)
  const { value: draft, change: setDraft } = kept
  const set = (change: Partial<WindowDraft>) => setDraft((before) => ({ ...before, ...change }))
  const [refused, setRefused] = useRefused(draft)
  const isNew = id === 'new'
  const body = windowBodyOf(draft, isNew, serverZone.value ?? 'UTC')
  const isEmpty = coversNothing(draft)
  // Of one that is still to come, nothing that is kept was in its hours: what it covers is tried.
  const triedBody = draft.kind === 'once' ? { ...body, ...limitsOf(unlimited), minutes: '1' } : body
  const tried = isEmpty ? undefined : { ...triedBody, name: draft.name || words.one }
  const run = useDryRun<WindowTrial>('/fault/maintenance/dryRun', tried)
  const save = (event: Event) =>
    submitRecord(event, {
      path: '/fault/maintenance',
      id,
      body,
      saved: words.saved,
      next: 'maintenance',
      done: kept.forget,
      labels: windowLabels,
      refuse: setRefused,
    })
  const mayChange = may('operator')
  return (
    <article class="page editor">
      <form onSubmit={save}>
        <header class="page-head">
          <h1>{isNew ? words.create : draft.name}</h1>
          {!isNew && <ChangesLink resource="maintenance" id={id} />}
        </header>
        {!mayChange && <p class="hint">{texts.errors.onlyLook(session.value.role)}</p>}
        <RestoredNote {...kept} />
        <fieldset disabled={!mayChange}>
          <Refusal.Provider value={refused ?? run.refused}>
            <Words draft={draft} set={set} />
            <Covers draft={draft} set={set} />
            <WindowWhen draft={draft} set={set} isNew={isNew} />
          </Refusal.Provider>
        </fieldset>
        {mayChange && (
          <footer class="buttons">
            <button
              type="submit"
              class="main"
              disabled={isEmpty || !isUsable(draft) || run.refused !== undefined}
            >
              {words.save}
            </button>
            <a class="button" href={hrefOf('maintenance')} onClick={kept.forget}>
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

/** From the page of an alarm, a device or several comes what the window is to cover. */
async function draftFor(id: string, query: URLSearchParams, over: AbortSignal): Promise<WindowDraft> {
  const window =
    id === 'new' ? undefined : await read<Window>(`/fault/maintenance/${encodeURIComponent(id)}`, {}, over)
  const ids = window?.device ?? (query.get('device') ?? '').split(',').filter(Boolean)
  const { rows } = await list<{ id: string; label: string }>(
    '/plat/res/device',
    { id: ids.join(), size: ids.length },
    over,
  )
  const named = rows.map((device) => ({ id: device.id, name: device.label }))
  if (window) return windowDraftOf(window, named, serverZone.value ?? 'UTC')
  const event = query.get('event')
  const events = event ? [event] : []
  // What an alarm is about is being worked on, most of the time.
  const kind = event ? 'now' : 'once'
  const devices = ids.length > 0 ? named : []
  // From the calendar comes when.
  const [from, to] = [query.get('from'), query.get('to')]
  const when = from && to ? { from, to } : {}
  return { ...blankWindow(now.peek()), ...when, kind, name: query.get('name') ?? '', devices, events }
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
