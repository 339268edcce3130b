// The filters of a list, whose values are in the address of the page.

import { useId } from 'preact/hooks'
import { address, setQuery } from '../core/address.ts'
import { texts } from '../texts/shared-texts.ts'
import { type Kind, OneByName, SomeByName } from './by-name.tsx'
import { DeviceInput } from './device-input.tsx'
import { useFold } from './fold.ts'
import { LevelsFilter } from './levels-filter.tsx'

const words = texts.list

export interface ListFilter {
  readonly name: string
  readonly label: string
  readonly hint?: string
  /** A choice instead of a text: values and their words. */
  readonly choices?: Readonly<Record<string, string>>
  /** One of these, by its name; or several, with commas between their ids. */
  readonly of?: Kind
  readonly several?: true
  /** `day` is a date; `device` is found by its name and asked for by its id; `levels` are any of the levels. */
  readonly kind?: 'day' | 'device' | 'levels'
  /** Text is searched anywhere in the value. */
  readonly anywhere?: boolean
  /** The query value for what was typed, where it is neither that nor a pattern. */
  readonly form?: (text: string) => string
}

/** The name of a parameter in the address of the page, which may have several lists. */
export const keyIn = (queryPrefix: string | undefined, name: string) =>
  queryPrefix === undefined ? name : `${queryPrefix}.${name}`

const typed = (event: Event) => (event.target as HTMLInputElement).value

interface FilterProps extends ListFilter {
  readonly queryPrefix: string | undefined
}

interface TypedFilterProps {
  readonly isDay: boolean
  readonly hint: string
  readonly value: string
  readonly change: (event: Event) => void
}

function TypedFilter({ isDay, hint, value, change }: TypedFilterProps) {
  const given = { autocomplete: 'off', spellcheck: false, placeholder: hint, value, onInput: change }
  return isDay ? <input type="date" {...given} /> : <input type="search" {...given} />
}

function FilterField({ name, label, hint = '', choices, of, several, kind, queryPrefix }: FilterProps) {
  const id = useId()
  const key = keyIn(queryPrefix, name)
  const value = address.value.query.get(key) ?? ''
  const set = (text: string) => setQuery({ [key]: text, [keyIn(queryPrefix, 'start')]: '' })
  if (kind === 'device')
    return (
      <div class="device-filter">
        <label for={id}>{label}</label>
        <DeviceInput id={id} label={label} value={value} none={words.any} change={set} />
      </div>
    )
  if (kind === 'levels') return <LevelsFilter label={label} value={value} set={set} />
  if (of)
    return (
      <div class="device-filter">
        <label for={id}>{label}</label>
        {several ? (
          <SomeByName
            id={id}
            label={label}
            kind={of}
            any={words.any}
            chosen={value.split(',').filter(Boolean)}
            change={(ids: readonly string[]) => set(ids.join())}
          />
        ) : (
          <OneByName id={id} label={label} kind={of} value={value} any={words.any} change={set} />
        )}
      </div>
    )
  const change = (event: Event) => set(typed(event))
  return (
    <label>
      {label}
      {choices ? (
        <select value={value} onChange={change}>
          <option value="">{words.any}</option>
          {Object.entries(choices).map(([one, text]) => (
            <option key={one} value={one}>
              {text}
            </option>
          ))}
          {value !== '' && !(value in choices) && <option value={value}>{value}</option>}
        </select>
      ) : (
        <TypedFilter isDay={kind === 'day'} hint={hint} value={value} change={change} />
      )}
    </label>
  )
}

/** So many are always in sight; one more would not be worth a button. */
const inSight = 4

interface FiltersProps {
  readonly filters: readonly ListFilter[]
  readonly queryPrefix?: string | undefined
}

export function ListFilters({ filters, queryPrefix }: FiltersProps) {
  const id = useId()
  const cut = filters.length > inSight + 1 ? inSight : filters.length
  const rare = filters.slice(cut)
  const isSet = (name: string) => Boolean(address.value.query.get(keyIn(queryPrefix, name)))
  const fold = useFold(
    rare.map(({ name }) => name),
    isSet,
  )
  const field = (filter: ListFilter) => (
    <FilterField key={filter.name} {...filter} queryPrefix={queryPrefix} />
  )
  return (
    <form class="list-filters" role="search" onSubmit={(event: Event) => event.preventDefault()}>
      {filters.slice(0, cut).map(field)}
      {rare.length > 0 && (
        <>
          <button type="button" aria-expanded={fold.isOpen} aria-controls={id} onClick={fold.turn}>
            {words.more}
          </button>
          <div class="more-filters" id={id}>
            {rare.filter(({ name }) => !fold.isHidden(name)).map(field)}
          </div>
        </>
      )}
    </form>
  )
}
