// The filter above the alarms. Each choice shows how many there would be, and is in the address.

import type { VNode } from 'preact'
import { useId } from 'preact/hooks'
import { address, setQuery } from '../core/address.ts'
import { type Kind, OneByName } from '../parts/by-name.tsx'
import { useFold } from '../parts/fold.ts'
import { LevelShape } from '../parts/level.tsx'
import { numberText, texts } from '../texts/shared-texts.ts'
import { held, heldTotal } from './held.ts'
import { book } from './live.ts'
import { filter, shown } from './shown.ts'
import { levels, states } from './view.ts'

const words = texts.alarms

/** A choice of several: pressed ones are ORed; none pressed means all. */
function toggleIn(name: string, value: string, pressed: ReadonlySet<unknown>): void {
  const now = new Set([...pressed].map(String))
  if (!now.delete(value)) now.add(value)
  setQuery({ [name]: [...now].sort().join(',') }, { replace: false })
}

/** A part of the list says nothing about the whole. */
const Count = ({ count, isLeast = false }: { count: number; isLeast?: boolean }) =>
  book.isWhole.value ? (
    <b title={isLeast ? words.atLeast : undefined}>
      {numberText(count)}
      {isLeast && (
        <>
          <span aria-hidden="true">+</span>
          <span class="unseen">, {words.atLeast}</span>
        </>
      )}
    </b>
  ) : (
    <b>
      <span aria-hidden="true">…</span>
      <span class="unseen">{words.notCounted}</span>
    </b>
  )

interface CountedProps {
  readonly label: string
  readonly of: readonly { readonly text: string; readonly count: number; readonly level?: number }[]
}

/** The same numbers for the wall mode, where nobody presses anything. */
const Counted = ({ label, of }: CountedProps) => (
  <ul class="chips" aria-label={label}>
    {of.map(({ text, count, level }) => (
      <li key={text} class={`chip ${level ? `level-${level}` : ''} ${count === 0 ? 'none' : ''}`}>
        {level && <LevelShape level={level} />}
        <span>{text}</span>
        <Count count={count} />
      </li>
    ))}
  </ul>
)

export const Counts = () => (
  <div class="filters">
    <Counted
      label={words.levelFilter}
      of={levels.map((level) => ({
        level,
        text: texts.levels[level] ?? String(level),
        count: shown.value.byLevel.get(level) ?? 0,
      }))}
    />
    <Counted
      label={words.stateFilter}
      of={states.map((state) => ({ text: words.states[state], count: shown.value.byState.get(state) ?? 0 }))}
    />
  </div>
)

const LevelChips = () => (
  <div class="chips" role="group" aria-label={words.levelFilter}>
    {levels.map((level) => {
      const count = shown.value.byLevel.get(level) ?? 0
      const pressed = filter.value.levels.has(level)
      return (
        <button
          key={level}
          type="button"
          class={`chip level-${level} ${count === 0 ? 'none' : ''}`}
          aria-pressed={pressed}
          onClick={() => toggleIn('level', String(level), filter.value.levels)}
        >
          <LevelShape level={level} />
          <span>{texts.levels[level]}</span>
          <Count count={count} />
        </button>
      )
    })}
  </div>
)

/** Whether there is a filter beside the state. */
const isNarrowed = () => all.some((name) => name !== 'state' && address.value.query.get(name))

/** Not all alarms that are held back may be loaded: their number is known, not how many of them match a filter. */
const StateChips = () => (
  <div class="chips" role="group" aria-label={words.stateFilter}>
    {states.map((state) => {
      const here = shown.value.byState.get(state) ?? 0
      const isBeyond = state === 'held' && heldTotal.value > held.value.size
      const count = isBeyond && !isNarrowed() ? Math.max(here, heldTotal.value) : here
      return (
        <button
          key={state}
          type="button"
          class={`chip ${count === 0 ? 'none' : ''}`}
          aria-pressed={filter.value.states.has(state)}
          onClick={() => toggleIn('state', state, filter.value.states)}
        >
          <span>{words.states[state]}</span>
          <Count count={count} isLeast={isBeyond && isNarrowed()} />
        </button>
      )
    })}
  </div>
)

const Search = () => (
  <input
    id="alarm-search"
    type="search"
    class="search"
    autocomplete="off"
    spellcheck={false}
    placeholder={words.search}
    aria-label={words.searchLabel}
    value={address.value.query.get('q') ?? ''}
    onInput={(event: InputEvent) => setQuery({ q: (event.target as HTMLInputElement).value })}
    onKeyDown={(event: KeyboardEvent) => {
      if (event.key === 'Escape' || event.key === 'Enter') (event.target as HTMLInputElement).blur()
    }}
  />
)

interface PlaceProps {
  /** Also the name of the filter. */
  readonly kind: Extract<Kind, 'zone' | 'view'>
  readonly label: string
  readonly any: string
}

function Place({ kind, label, any }: PlaceProps) {
  const id = useId()
  const value = address.value.query.get(kind) ?? ''
  return (
    <div class="device-filter">
      <label for={id}>{label}</label>
      <OneByName
        id={id}
        label={label}
        kind={kind}
        any={any}
        value={value}
        change={(chosen: string) => setQuery({ [kind]: chosen })}
      />
    </div>
  )
}

const Field = ({ name, label, hint }: { name: string; label: string; hint: string }) => (
  <label>
    {label}
    <input
      type="text"
      autocomplete="off"
      spellcheck={false}
      placeholder={hint}
      value={address.value.query.get(name) ?? ''}
      onInput={(event: InputEvent) => setQuery({ [name]: (event.target as HTMLInputElement).value })}
    />
  </label>
)

const WithinChoice = () => (
  <label>
    {words.within}
    <select
      value={String(filter.value.within)}
      onChange={(event: Event) => {
        const { value } = event.target as HTMLSelectElement
        setQuery({ within: value === '0' ? '' : value })
      }}
    >
      {Object.entries(words.ages).map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  </label>
)

const rare = ['device', 'event', 'zone', 'view', 'within'] as const
const all = ['level', 'state', 'q', ...rare]

export const clearFilters = () =>
  setQuery(Object.fromEntries(all.map((name) => [name, ''])), { replace: false })

const fields: Readonly<Record<(typeof rare)[number], () => VNode>> = {
  device: () => <Field name="device" label={words.device} hint={words.deviceHint} />,
  event: () => <Field name="event" label={words.event} hint={words.eventHint} />,
  zone: () => <Place kind="zone" label={words.zone} any={words.anyZone} />,
  view: () => <Place kind="view" label={words.view} any={words.anyView} />,
  within: () => <WithinChoice />,
}

export function Filters() {
  const isSet = (name: string) => Boolean(address.value.query.get(name))
  const fold = useFold(rare, isSet)
  const inSight = rare.filter((name) => !fold.isHidden(name))
  const inUse = rare.filter(isSet)
  return (
    <div class="filters">
      <LevelChips />
      <StateChips />
      <Search />
      <button type="button" aria-expanded={fold.isOpen} aria-controls="more-filters" onClick={fold.turn}>
        {words.more}
        {inUse.length > 0 && (
          <>
            {' '}
            <b>{inUse.length}</b>
          </>
        )}
      </button>
      {all.some(isSet) && (
        <button type="button" class="plain" onClick={clearFilters}>
          {words.clear}
        </button>
      )}
      {inSight.length > 0 && (
        <div class="more" id="more-filters">
          {inSight.map((name) => (
            <div key={name}>{fields[name]()}</div>
          ))}
        </div>
      )}
    </div>
  )
}
