// The filter above the alarms, which is in the address: a field, and the levels and states with how many there would be
// of each.

import { address, setQuery } from '../core/address.ts'
import { LevelShape } from '../parts/level.tsx'
import { numberText, texts } from '../texts/shared-texts.ts'
import { FilterField } from './filter-field.tsx'
import { filterNames } from './filter-terms.ts'
import { held, heldTotal } from './held.ts'
import { openAlarms } from './live.ts'
import { SaveFilter } from './save-filter.tsx'
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
  openAlarms.isWhole.value ? (
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
const isNarrowed = () => filterNames.some((name) => name !== 'state' && address.value.query.get(name))

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

export const clearFilters = () =>
  setQuery(Object.fromEntries(filterNames.map((name) => [name, ''])), { replace: false })

export function Filters() {
  const isSet = filterNames.some((name) => address.value.query.get(name))
  return (
    <div class="filters">
      <div class="filter-line">
        <FilterField />
        {isSet && (
          <button type="button" class="plain" onClick={clearFilters}>
            {words.clear}
          </button>
        )}
        <SaveFilter />
      </div>
      <LevelChips />
      <StateChips />
    </div>
  )
}
