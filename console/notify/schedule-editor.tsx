// The editor of one schedule: its layers, and below it the overrides.

import { useId, useState } from 'preact/hooks'
import { go, hrefOf } from '../core/address.ts'
import { read } from '../core/api.ts'
import { Refused } from '../core/refused.ts'
import { may, session } from '../core/session.ts'
import { serverZone } from '../core/time-text.ts'
import { SeveralByName } from '../parts/by-name.tsx'
import { ChangesLink } from '../parts/changes-link.tsx'
import { RestoredNote, useDraft } from '../parts/draft.tsx'
import { Section } from '../parts/facts.tsx'
import { useLoad, When } from '../parts/load.tsx'
import { Empty } from '../parts/problem.tsx'
import { DeleteDialog, DeleteMore } from '../parts/records.tsx'
import { Refusal, useMark, useRefused } from '../parts/refusal.ts'
import { submitRecord } from '../parts/submit-record.ts'
import { timeZoneOf } from '../parts/time-zone.tsx'
import { Weekdays } from '../parts/weekdays.tsx'
import { onCallTexts as words } from '../texts/on-call-texts.ts'
import { texts } from '../texts/shared-texts.ts'
import { Overrides } from './overrides.tsx'
import {
  blankLayer,
  blankSchedule,
  type Draft,
  type Layer,
  type Schedule,
  scheduleBody,
  scheduleLabels,
  schedulePath,
} from './schedule.ts'

const TimeZone = timeZoneOf({ label: words.timeZone })

interface InputProps {
  /** Its path in the record. */
  readonly field: string
  readonly label: string
  readonly type?: 'text' | 'time' | 'date'
  readonly value: string
  readonly set: (value: string) => void
}

function Input({ field, label, type = 'text', value, set }: InputProps) {
  const id = useId()
  const common = {
    ...{ id, value, autocomplete: 'off' as const, ...useMark(field) },
    onInput: (event: Event) => set((event.target as HTMLInputElement).value),
  }
  return (
    <div class="field half">
      <label for={id}>{label}</label>
      {type === 'text' && <input type="text" {...common} />}
      {type === 'time' && <input type="time" {...common} />}
      {type === 'date' && <input type="date" {...common} />}
    </div>
  )
}

interface LayerProps {
  readonly number: number
  readonly layer: Layer
  readonly set: (change: Partial<Layer>) => void
  readonly remove: (() => void) | undefined
}

const Turns = ({ number, layer, set }: Omit<LayerProps, 'remove'>) => (
  <div class="halves">
    <Input
      field={`layer[${number}]/every`}
      label={words.everyOf(layer.rotation)}
      value={layer.every ?? ''}
      set={(every: string) => set({ every })}
    />
    <Input
      field={`layer[${number}]/handOver`}
      label={words.handOver}
      type="time"
      value={layer.handOver ?? ''}
      set={(handOver: string) => set({ handOver })}
    />
    <Input
      field={`layer[${number}]/startDay`}
      label={words.startDay}
      type="date"
      value={layer.startDay ?? ''}
      set={(startDay: string) => set({ startDay })}
    />
  </div>
)

function OneLayer({ number, layer, set, remove }: LayerProps) {
  const id = useId()
  const title = words.layerOf(number, layer.name)
  return (
    <div class="row-card" role="group" aria-label={title}>
      <div class="halves two">
        <Input
          field={`layer[${number}]/name`}
          label={words.name}
          value={layer.name}
          set={(name: string) => set({ name })}
        />
        <div class="field half">
          <label for={id}>{words.rotation}</label>
          <select
            id={id}
            value={layer.rotation}
            onChange={(event: Event) => set({ rotation: (event.target as HTMLSelectElement).value })}
          >
            {Object.entries(words.rotations).map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </div>
      </div>
      <SeveralByName
        label={words.people}
        kind="contact"
        none={words.noPeople}
        chosen={layer.contact}
        change={(contact: readonly string[]) => set({ contact })}
        state={useMark(`layer[${number}]/contact`)}
      />
      {layer.rotation !== 'byHand' && <Turns number={number} layer={layer} set={set} />}
      <p class="hint">{words.limited}</p>
      <Weekdays
        chosen={(layer.selectedWeekDay ?? '').split(',').filter(Boolean).map(Number)}
        change={(days: readonly number[]) => set({ selectedWeekDay: [...days].sort().join() })}
      />
      <div class="halves two">
        <Input
          field={`layer[${number}]/startTime`}
          label={words.startTime}
          type="time"
          value={(layer.startTime ?? '').slice(0, 5)}
          set={(startTime: string) => set({ startTime })}
        />
        <Input
          field={`layer[${number}]/endTime`}
          label={words.endTime}
          type="time"
          value={(layer.endTime ?? '').slice(0, 5)}
          set={(endTime: string) => set({ endTime })}
        />
      </div>
      {remove && (
        <div class="buttons">
          <button type="button" class="plain" aria-label={words.removeLayer(title)} onClick={remove}>
            {words.remove}
          </button>
        </div>
      )}
    </div>
  )
}

interface FieldsProps {
  readonly draft: Draft
  readonly set: (change: Partial<Draft>) => void
}

function Fields({ draft, set }: FieldsProps) {
  const { layer: layers } = draft
  const zoneMark = useMark('timeZone')
  return (
    <>
      <Section title={words.facts}>
        <Input field="name" label={words.name} value={draft.name} set={(name: string) => set({ name })} />
        <Input
          field="description"
          label={words.description}
          value={draft.description}
          set={(description: string) => set({ description })}
        />
        <div class="field">
          <TimeZone
            value={draft.timeZone}
            error={zoneMark['aria-invalid'] ? words.timeZone : ''}
            change={(timeZone: string) => set({ timeZone })}
          />
        </div>
      </Section>
      <Section title={words.layers} hint={words.layersHint}>
        {layers.map((layer, index) => (
          <OneLayer
            key={index}
            number={index + 1}
            layer={layer}
            set={(change: Partial<Layer>) => set({ layer: layers.with(index, { ...layer, ...change }) })}
            remove={layers.length > 1 ? () => set({ layer: layers.toSpliced(index, 1) }) : undefined}
          />
        ))}
        <div class="buttons">
          <button type="button" onClick={() => set({ layer: [...layers, blankLayer()] })}>
            {words.addLayer}
          </button>
        </div>
      </Section>
    </>
  )
}

function Editor({ id, start }: { id: string; start: Draft }) {
  const kept = useDraft(`schedule ${id}`, start)
  const { value: draft, change: setDraft } = kept
  const [deleting, setDeleting] = useState(false)
  const [refused, setRefused] = useRefused(draft)
  const isNew = id === 'new'
  const mayChange = may('administrator')
  const save = (event: Event) =>
    submitRecord(event, {
      ...{ path: schedulePath, id, body: scheduleBody(draft), saved: words.saved, next: 'oncall' },
      ...{ done: kept.forget, labels: scheduleLabels, refuse: setRefused },
    })
  return (
    <article class="page">
      <form class="fields" onSubmit={save}>
        <header class="page-head">
          <h1>{isNew ? words.create : draft.name}</h1>
          <span class="gap" />
          {!isNew && <ChangesLink resource="schedule" id={id} />}
          {!isNew && mayChange && <DeleteMore name={draft.name} ask={() => setDeleting(true)} />}
        </header>
        {!mayChange && <p class="hint">{texts.errors.onlyLook(session.value.role)}</p>}
        <RestoredNote {...kept} />
        <fieldset disabled={!mayChange}>
          <Refusal.Provider value={refused}>
            <Fields
              draft={draft}
              set={(change: Partial<Draft>) => setDraft((old) => ({ ...old, ...change }))}
            />
          </Refusal.Provider>
        </fieldset>
        {mayChange && (
          <footer class="buttons">
            <button type="submit" class="main">
              {words.save}
            </button>
            <a class="button" href={hrefOf('oncall')} onClick={kept.forget}>
              {texts.cancel}
            </a>
          </footer>
        )}
      </form>
      {!isNew && <Overrides scheduleId={id} />}
      {deleting && (
        <DeleteDialog
          title={texts.records.deleteTitle(words.one, draft.name)}
          hint={words.deleteHint}
          path={`${schedulePath}/${id}`}
          close={() => setDeleting(false)}
          done={() => {
            kept.forget()
            go(hrefOf('oncall'))
          }}
        />
      )}
    </article>
  )
}

async function draftFor(id: string, over: AbortSignal): Promise<Draft> {
  if (id === 'new') return blankSchedule(serverZone.value ?? 'UTC')
  const { name, description = '', timeZone, layer } = await read<Schedule>(`${schedulePath}/${id}`, {}, over)
  return { name, description, timeZone, layer }
}

export default function SchedulePage({ id }: { id: string }) {
  const loaded = useLoad((over) => draftFor(id, over), [id])
  if (loaded.error instanceof Refused && loaded.error.status === 404)
    return (
      <Empty title={words.gone}>
        <a class="button" href={hrefOf('oncall')}>
          {words.title}
        </a>
      </Empty>
    )
  return <When loaded={loaded} show={(start: Draft) => <Editor id={id} start={start} />} />
}
