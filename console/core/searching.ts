// Whether the search over everything is open. It is opened from every page, and knows every page itself.

import { signal } from '@preact/signals'

export const isSearching = signal(false)

export const openSearch = () => {
  isSearching.value = true
}

export const closeSearch = () => {
  isSearching.value = false
}

/** Ctrl+K, also from inside a field; a dialog that is open goes first. */
export function startSearch(): void {
  document.addEventListener('keydown', (event) => {
    const isAsked = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key === 'k'
    if (!isAsked || document.querySelector('dialog[open]')) return
    event.preventDefault()
    openSearch()
  })
}
