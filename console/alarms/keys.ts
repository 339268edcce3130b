// The keyboard on the page of alarms.

import { signal } from '@preact/signals'
import { go, hrefOf } from '../core/address.ts'
import { html } from '../core/html.ts'
import { may } from '../core/session.ts'
import { Dialog } from '../parts/dialog.ts'
import { texts } from '../texts/shared.ts'
import { begin, keyOf } from './actions.ts'
import type { Action } from './doing.ts'
import { searchId } from './filters.ts'
import { isWall, setWall, shortKeys } from './options.ts'
import { active, clearSelection, selected, setFold, step, toggle } from './shown.ts'

export const helpIsOpen = signal(false)

export const openHelp = () => {
  helpIsOpen.value = true
}

function leave(): void {
  if (isWall()) setWall(false)
  else if (selected.value.size > 0) clearSelection()
  else active.value = ''
}

const byKey: Readonly<Record<string, (() => void) | undefined>> = {
  j: () => step(1),
  ArrowDown: () => step(1),
  k: () => step(-1),
  ArrowUp: () => step(-1),
  PageDown: () => step(20),
  PageUp: () => step(-20),
  Home: () => step(-1e9),
  End: () => step(1e9),
  // A selection is made in order to do something.
  x: () => may('operator') && active.value !== '' && toggle(active.value),
  ArrowRight: () => setFold(active.value, true),
  ArrowLeft: () => setFold(active.value, false),
  Enter: () => active.value !== '' && go(hrefOf('alarm', active.value)),
  '/': () => document.getElementById(searchId)?.focus(),
  '?': openHelp,
  w: () => setWall(!isWall()),
  Escape: leave,
  ...Object.fromEntries(Object.entries(keyOf).map(([action, key]) => [key, () => begin(action as Action)])),
}

/** Keys typed into a field, or pressed in a dialog, belong to that. */
function isElsewhere({ target }: KeyboardEvent): boolean {
  const element = target as HTMLElement
  if (document.querySelector('dialog[open]')) return true
  return element.matches?.('input:not([type=checkbox]), select, textarea') ?? false
}

export function onKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || isElsewhere(event)) return
  const element = event.target as HTMLElement
  // Single letters can be turned off: whoever dictates, or presses keys by mistake, would set them off.
  if (event.key.length === 1 && !shortKeys.value) return
  // A button under the focus is pressed by Enter.
  if (event.key === 'Enter' && element.matches?.('a, button, summary')) return
  const act = byKey[event.key]
  if (!act) return
  event.preventDefault()
  act()
}

export const Help = () =>
  helpIsOpen.value &&
  html`<${Dialog}
    title=${texts.keys.title}
    onClose=${() => {
      helpIsOpen.value = false
    }}
  >
    <dl class="keys">
      ${texts.keys.list.map(([key, text]) => html`<div key=${key}><dt>${key.split(', ').map((one) => html`<kbd key=${one}>${one}</kbd>`)}</dt><dd>${text}</dd></div>`)}
    </dl>
  <//>`
