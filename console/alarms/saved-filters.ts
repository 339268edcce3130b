// Filters that the person at this browser has saved, by name; and the page that the console begins with. Kept in the
// browser, for each operator. Other tabs follow.

import { type Signal, signal } from '@preact/signals'
import { hrefOf } from '../core/address.ts'
import { session } from '../core/session.ts'

export interface SavedFilter {
  readonly name: string
  /** As in the address. */
  readonly query: string
}

/** Also the most that the menu has room for. */
export const mostSaved = 30

const isFilter = (one: unknown): one is SavedFilter =>
  typeof one === 'object' &&
  one !== null &&
  typeof (one as SavedFilter).name === 'string' &&
  typeof (one as SavedFilter).query === 'string'

/** What an older version, or somebody, has written to the storage may be anything. */
function readFilters(stored: string | null): readonly SavedFilter[] {
  try {
    const all: unknown = JSON.parse(stored ?? '[]')
    return Array.isArray(all) ? all.filter(isFilter).slice(0, mostSaved) : []
  } catch {
    return []
  }
}

const kept = new Map<string, Signal<string | null>>()

/** What the storage has under a name for this operator. */
function keptFor(name: string): { readonly key: string; readonly state: Signal<string | null> } {
  const key = `belfry ${name} ${session.value.operatorId}`
  const state = kept.get(key) ?? signal(localStorage.getItem(key))
  kept.set(key, state)
  return { key, state }
}

function keep(name: string, value: string): void {
  const { key, state } = keptFor(name)
  state.value = value
  localStorage.setItem(key, value)
}

export const savedFilters = () => readFilters(keptFor('filters').state.value)

/** One of the same name is replaced. */
export function saveFilter(one: SavedFilter): void {
  const others = savedFilters().filter(({ name }) => name !== one.name)
  keep('filters', JSON.stringify([...others, one].sort((a, b) => a.name.localeCompare(b.name))))
}

export function forgetFilter(gone: SavedFilter): void {
  keep('filters', JSON.stringify(savedFilters().filter(({ name }) => name !== gone.name)))
}

export const filterHref = ({ query }: SavedFilter) => `${hrefOf('alarms')}?${query}`

/** A page, or a page and its filter; empty for the alarms. */
export const startPage = () => keptFor('start').state.value ?? ''

export const chooseStart = (page: string) => keep('start', page)

/** They were changed in another tab. */
export function followSaved(): void {
  addEventListener('storage', ({ key, newValue }) => {
    const state = kept.get(key ?? '')
    if (state) state.value = newValue
  })
}
