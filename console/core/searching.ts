// Whether the search over everything is open. It is opened from every page, and knows every page itself.

import { signal } from '@preact/signals'

export const isSearching = signal(false)

/** What has been typed since it was opened and before its code was there. */
let typedEarly = ''

export const openSearch = () => {
  typedEarly = ''
  isSearching.value = true
}

/**
 * As long as the dialog is awaited, keys are meant for it: the page below has keys of its own, one of which ends alarms.
 * Returns what stops that.
 */
export function collectKeys(): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    if (event.key === 'Escape') closeSearch()
    else if (event.key === 'Backspace') typedEarly = typedEarly.slice(0, -1)
    else if (event.key.length === 1) typedEarly += event.key
  }
  addEventListener('keydown', onKeyDown, { capture: true })
  return () => removeEventListener('keydown', onKeyDown, { capture: true })
}

export const earlyText = () => typedEarly

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
