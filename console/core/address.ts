// The address of the page: which page, of what, and how it is filtered. A link shows others the same.

import { computed, signal } from '@preact/signals'
import { leaveEntry, returnTo, startReturning, stateOfEntry } from './return.ts'
import { leaveSafely } from './unsaved.ts'

/** Where the service's root is for this browser: the files of the console lie below it. */
export const root = new URL(import.meta.url).pathname.split('/console/files/', 1)[0] ?? ''

const home = `${root}/console`

const here = () => ({ path: location.pathname, search: location.search })

const place = signal(here())

export interface Address {
  readonly page: string
  /** The part of the path behind the page. */
  readonly id: string
  readonly query: URLSearchParams
}

export const address = computed<Address>(() => {
  const [page = '', ...id] = place.value.path.slice(home.length).split('/').filter(Boolean)
  return {
    page: page === '' ? 'alarms' : page,
    id: id.map(decodeURIComponent).join('/'),
    query: new URLSearchParams(place.value.search),
  }
})

/** No page is named: the console begins where the person wants it to. */
export const isBare = () =>
  place.peek().path.slice(home.length).replaceAll('/', '') === '' && place.peek().search === ''

export type Query = Readonly<Record<string, string | number | undefined>>

export function hrefOf(page: string, id = '', query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  const path = id === '' ? page : `${page}/${encodeURIComponent(id)}`
  return `${home}/${path}${search === '' ? '' : `?${search}`}`
}

export function go(href: string, { replace = false } = {}): void {
  if (!replace) leaveEntry()
  if (replace) history.replaceState(stateOfEntry(), '', href)
  else history.pushState(stateOfEntry(), '', href)
  place.value = here()
  if (!replace) scrollTo(0, 0)
}

/** Changes parts of the query; empty ones are removed. Typing must not fill the browser's history. */
export function setQuery(changes: Query, { replace = true } = {}): void {
  const query = new URLSearchParams(location.search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') query.delete(name)
    else query.set(name, String(value))
  }
  const search = query.toString()
  go(`${location.pathname}${search === '' ? '' : `?${search}`}`, { replace })
}

/** Links inside the console change the address without loading the page anew. */
export function followLinks(): void {
  startReturning()
  addEventListener('popstate', ({ state }) => {
    returnTo(state)
    place.value = here()
  })
  document.addEventListener('click', (event) => {
    const link = (event.target as Element | null)?.closest?.('a[href]') as HTMLAnchorElement | null
    const special =
      event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey
    if (!link || special || link.target !== '' || link.hasAttribute('download')) return
    if (link.origin !== location.origin || !`${link.pathname}/`.startsWith(`${home}/`)) return
    // To a place on this page, such as past the menu.
    if (link.hash !== '' && link.pathname === location.pathname) return
    event.preventDefault()
    const follow = () => go(link.pathname + link.search)
    // Another filter of the same page leaves its fields as they are.
    if (link.pathname === location.pathname) follow()
    else leaveSafely(follow)
  })
}
