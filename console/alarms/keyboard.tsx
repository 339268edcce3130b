// The keyboard on the page of alarms.

import { signal } from '@preact/signals'
import { go, hrefOf } from '../core/address.ts'
import { may } from '../core/session.ts'
import { Dialog } from '../parts/dialog.tsx'
import { say } from '../parts/toast.tsx'
import { texts } from '../texts/shared-texts.ts'
import { begin, keyOf } from './actions.tsx'
import type { Action } from './doing.ts'
import { searchId } from './filters.tsx'
import { isWall, setWall, shortKeys } from './options.tsx'
import { active, clearSelection, openRow, selected, setFold, step, toggle } from './shown.ts'

/** What Enter presses. */
const pressable = 'a, button, summary'

export const helpIsOpen = signal(false)

export const openHelp = () => {
  helpIsOpen.value = true
}

function leave(): void {
  if (isWall()) setWall(false)
  else if (selected.value.size > 0) clearSelection()
  else active.value = ''
}

/** With the rows, the focus goes to their table: Enter would still press the button that was clicked before. */
function move(by: number): void {
  step(by)
  if (document.activeElement?.matches(pressable))
    document.querySelector<HTMLElement>('[role=grid]')?.focus({ preventScroll: true })
}

/** A row that is over stays for a moment. */
function select(): void {
  if (!may('operator') || active.value === '') return
  if (openRow(active.value)) toggle(active.value)
  else say(texts.actions.isOver)
}

const byKey: Readonly<Record<string, (() => void) | undefined>> = {
  j: () => move(1),
  ArrowDown: () => move(1),
  k: () => move(-1),
  ArrowUp: () => move(-1),
  PageDown: () => move(20),
  PageUp: () => move(-20),
  Home: () => move(-1e9),
  End: () => move(1e9),
  // A selection is made in order to do something.
  x: select,
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
  if (event.key === 'Enter' && element.matches?.(pressable)) return
  const act = byKey[event.key]
  if (!act) return
  event.preventDefault()
  act()
}

export const Help = () =>
  helpIsOpen.value && (
    <Dialog
      title={texts.keys.title}
      onClose={() => {
        helpIsOpen.value = false
      }}
    >
      <dl class="keys">
        {texts.keys.list.map(([key, text]) => (
          <div key={key}>
            <dt>
              {key.split(', ').map((one) => (
                <kbd key={one}>{one}</kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
