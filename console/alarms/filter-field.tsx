// The field above the alarms: what is typed filters by words; terms, such as a level or a device, are chips in it. A
// combobox as ARIA describes it: the focus stays in the field, and the keys move through what is offered.

import { useEffect, useId } from 'preact/hooks'
import { address } from '../core/address.ts'
import { NameOf, useChoosable, useSource } from '../parts/by-name.tsx'
import { deviceName, useDeviceNames } from '../parts/device-names.tsx'
import { useFinding } from '../parts/finding.ts'
import { Icon } from '../parts/icon.tsx'
import { LevelShape } from '../parts/level.tsx'
import { texts } from '../texts/shared-texts.ts'
import { type Offer, offersFor, removeTerm, type Typing, useTyping } from './filter-offers.ts'
import { type TermName, termLabel, termNames, type Value, valuesOf } from './filter-terms.ts'
import { openAlarms } from './live.ts'

const words = texts.alarms

/** Where zones and views can be read, their names. */
function useNamed(name: TermName | undefined, text: string): readonly Value[] {
  const kind = name === 'view' ? 'view' : 'zone'
  const isWanted = name === 'zone' || name === 'view'
  const found = useFinding(useSource(kind, isWanted), text, isWanted).found
  return isWanted ? found : []
}

const ChosenName = ({ kind, id }: { kind: 'zone' | 'view'; id: string }) => (
  <NameOf among={useChoosable(kind)} id={id} />
)

function ChosenDevice({ value }: { value: string }) {
  const isId = /^\d+$/.test(value)
  useDeviceNames(isId ? [value] : [])
  return <>{(isId && deviceName(value)) || value}</>
}

function ChosenEvent({ value }: { value: string }) {
  void openAlarms.version.value
  const row = [...openAlarms.rows.values()].find(({ oid }) => oid === value)
  return <>{row?.event || value}</>
}

function Chosen({ name, value }: { name: TermName; value: string }) {
  if (name === 'zone' || name === 'view') return <ChosenName kind={name} id={value} />
  if (name === 'device') return <ChosenDevice value={value} />
  if (name === 'event') return <ChosenEvent value={value} />
  const known = valuesOf(name, []).filter((one) => value.split(',').includes(one.value))
  return <>{known.map(({ label }) => label).join(', ') || value}</>
}

interface ChipProps {
  readonly name: TermName
  readonly edit: () => void
  readonly leave: () => void
}

function Chip({ name, edit, leave }: ChipProps) {
  const value = address.value.query.get(name) ?? ''
  return (
    <li>
      <button type="button" class="plain term" title={words.changeTerm(termLabel(name))} onClick={edit}>
        <span class="hint">{termLabel(name)}</span> <Chosen name={name} value={value} />
      </button>
      <button
        type="button"
        class="plain icon"
        aria-label={words.removeTerm(termLabel(name))}
        onClick={() => {
          removeTerm(name)
          leave()
        }}
      >
        <Icon name="close" />
      </button>
    </li>
  )
}

interface OffersProps {
  readonly id: string
  readonly offers: readonly Offer[]
  readonly active: number
}

function Offers({ id, offers, active }: OffersProps) {
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    // The field keeps the focus while one is clicked.
    <div class="options" onMouseDown={(event: Event) => event.preventDefault()}>
      <div role="listbox" id={id} aria-label={words.offered}>
        {offers.map(({ key, label, note, level, isSet, act }, index) => (
          <div key={key} role="option" id={`${id}-${index}`} aria-selected={index === active} onClick={act}>
            {level !== undefined && <LevelShape level={level} />}
            <span>{label}</span>
            {isSet && <Icon name="check" />}
            {note && <span class="mono hint">{note}</span>}
          </div>
        ))}
      </div>
    </div>
  )
}

interface InputProps {
  readonly id: string
  readonly list: string
  readonly typing: Typing
  readonly offers: readonly Offer[]
}

function Input({ id, list, typing, offers }: InputProps) {
  const { term, input, active } = typing
  const isExpanded = offers.length > 0
  return (
    <input
      id={id}
      ref={input}
      type="text"
      role="combobox"
      autocomplete="off"
      spellcheck={false}
      placeholder={term ? words.termHints[term] : words.search}
      aria-label={term ? termLabel(term) : words.searchLabel}
      aria-autocomplete="list"
      aria-expanded={isExpanded}
      aria-controls={isExpanded ? list : undefined}
      aria-activedescendant={offers[active] ? `${list}-${active}` : undefined}
      value={term ? typing.typed : typing.text}
      onInput={(event) => typing.type(event.currentTarget.value)}
      onClick={typing.open}
      onBlur={typing.leave}
      onKeyDown={(event) => typing.press(event, offers)}
    />
  )
}

export function FilterField() {
  const typing = useTyping()
  const { term, text, input, begin } = typing
  const named = useNamed(term, typing.typed)
  const offers = offersFor(typing, named)
  const list = useId()
  const onClick = (event: Event) => event.target === event.currentTarget && input.current?.focus()
  return (
    <div class="filter-field" role="search" onClick={onClick}>
      <Icon name="search" />
      <ul class="tokens">
        {termNames
          .filter((name) => address.value.query.get(name))
          .map((name) => (
            <Chip
              key={name}
              name={name}
              edit={() => begin(name, text)}
              leave={() => input.current?.focus()}
            />
          ))}
        {term && text !== '' && <li class="quoted">{words.quoted(text)}</li>}
      </ul>
      {term && <span class="hint">{termLabel(term)}</span>}
      <Input id="alarm-search" list={list} typing={typing} offers={offers} />
      {offers.length > 0 && <Offers id={list} offers={offers} active={typing.active} />}
    </div>
  )
}
