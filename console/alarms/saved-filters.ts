// Filters that the person at this browser has saved, by name; and the page that the console begins with. Kept in the
// browser, for each operator.

import { hrefOf } from '../core/address.ts'
import { keep, keptFor } from '../core/kept.ts'

export interface SavedFilter {
  readonly name: string
  /** As in the address. */
  readonly query: string
}

/** Also the most that the menu has room for. */
export const maxSaved = 30

const isFilter = (one: unknown): one is SavedFilter =>
  typeof one === 'object' &&
  one !== null &&
  typeof (one as SavedFilter).name === 'string' &&
  typeof (one as SavedFilter).query === 'string'

/** What an older version, or somebody, has written to the storage may be anything. */
function readFilters(stored: string | null): readonly SavedFilter[] {
  try {
    const all: unknown = JSON.parse(stored ?? '[]')
    return Array.isArray(all) ? all.filter(isFilter).slice(0, maxSaved) : []
  } catch {
    return []
  }
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
