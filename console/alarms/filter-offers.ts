// What is typed into the filter field, what it offers for that, and what the keys do.

import { useRef, useState } from 'preact/hooks'
import { address, setQuery } from '../core/address.ts'
import { texts } from '../texts/shared-texts.ts'
import {
  begunIn,
  lastWord,
  like,
  type TermName,
  takesSeveral,
  takesText,
  termLabel,
  termNames,
  type Value,
  valuesOf,
} from './filter-terms.ts'
import { openAlarms } from './live.ts'

const words = texts.alarms

export interface Offer {
  readonly key: string
  readonly label: string
  readonly note?: string
  readonly level?: number
  readonly isSet?: boolean
  readonly act: () => void
}

const valuesSet = (name: string) => (address.value.query.get(name) ?? '').split(',').filter(Boolean)

function setTerm(name: TermName, value: string): void {
  const before = valuesSet(name)
  const several = before.includes(value) ? before.filter((one) => one !== value) : [...before, value].sort()
  setQuery({ [name]: takesSeveral(name) ? several.join() : value }, { replace: false })
}

export const removeTerm = (name: TermName) => setQuery({ [name]: '' }, { replace: false })

/** The words are in the address as they are typed; of a term, what has been typed so far is here. */
export function useTyping() {
  const [term, setName] = useState<TermName | undefined>(undefined)
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const input = useRef<HTMLInputElement>(null)
  const text = address.value.query.get('q') ?? ''

  const begin = (name: TermName, before: string, value = '') => {
    if (before !== text) setQuery({ q: before.trimEnd() })
    setName(name)
    setTyped(value)
    setActive(-1)
    setOpen(true)
    input.current?.focus()
  }
  const leave = () => {
    setName(undefined)
    setTyped('')
    setActive(-1)
    setOpen(false)
  }
  const take = (name: TermName, value: string, before = text) => {
    setTerm(name, value)
    if (before !== text) setQuery({ q: before.trimEnd() })
    leave()
  }
  const type = (value: string) => {
    setOpen(true)
    setActive(-1)
    const begun = term ? undefined : begunIn(value)
    if (term) setTyped(value)
    else if (begun) begin(begun.name, begun.before, begun.text)
    else setQuery({ q: value })
  }
  const enter = (offers: readonly Offer[]) => {
    const [first, ...others] = offers
    const part = typed.trim()
    const chosen = offers[active] ?? (term && others.length === 0 ? first : undefined)
    if (chosen) chosen.act()
    else if (term && takesText(term) && part !== '') take(term, part)
    else if (!term) input.current?.blur()
  }
  /** With nothing before it in the field, the last chip is taken off. */
  const back = () => {
    if (term) return leave()
    const last = termNames.findLast((name) => address.value.query.get(name))
    if (last) removeTerm(last)
  }
  const move = (by: number, count: number) => {
    setOpen(true)
    if (count > 0) setActive(active < 0 && by < 0 ? count - 1 : (active + by + count) % count)
  }
  const press = (event: KeyboardEvent, offers: readonly Offer[]) => {
    const { key } = event
    if (key === 'ArrowDown' || key === 'ArrowUp') move(key === 'ArrowDown' ? 1 : -1, offers.length)
    else if (key === 'Enter') enter(offers)
    else if (key === 'Escape') {
      if (term) leave()
      else input.current?.blur()
    } else if (key === 'Backspace' && (term ? typed : text) === '') back()
    else return
    event.preventDefault()
  }
  return {
    ...{ term, typed, text, isOpen, active, input },
    ...{ open: () => setOpen(true), begin, leave, take, type, press },
  }
}

export type Typing = ReturnType<typeof useTyping>

function valueOffers({ typed, take }: Typing, term: TermName, named: readonly Value[]): Offer[] {
  const values = term === 'zone' || term === 'view' ? named : valuesOf(term, openAlarms.rows.values())
  const offers = like(values, typed).map(
    ({ value, ...shown }): Offer => ({
      ...{ ...shown, key: value, isSet: valuesSet(term).includes(value), act: () => take(term, value) },
    }),
  )
  const part = typed.trim()
  if (!takesText(term) || part === '') return offers
  return [{ key: ' ', label: words.contains(part), act: () => take(term, part) }, ...offers]
}

/** Terms whose values are offered before the term itself is typed. */
const known = ['level', 'state', 'device', 'event'] as const
const maxOfEach = 3

function termOffers({ text, begin, take }: Typing): Offer[] {
  const { word, before } = lastWord(text)
  const wanted = word.toLowerCase()
  const terms = termNames
    .filter((name) => termLabel(name).toLowerCase().startsWith(wanted))
    .map(
      (name): Offer => ({
        ...{ key: name, label: termLabel(name), note: words.termHints[name] },
        act: () => begin(name, before),
      }),
    )
  if (wanted.length < 2) return terms
  const values = known.flatMap((name) =>
    like(valuesOf(name, openAlarms.rows.values()), word)
      .slice(0, maxOfEach)
      .map(
        ({ value, label, level }): Offer => ({
          ...{ key: `${name} ${value}`, label: `${termLabel(name)}: ${label}` },
          ...(level !== undefined && { level }),
          act: () => take(name, value, before),
        }),
      ),
  )
  return [...terms, ...values]
}

/** `named` are zones or views, where these are asked for. */
export function offersFor(typing: Typing, named: readonly Value[]): Offer[] {
  if (!typing.isOpen) return []
  return typing.term ? valueOffers(typing, typing.term, named) : termOffers(typing)
}
