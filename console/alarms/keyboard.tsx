// The keyboard: on the page of alarms, on that of one alarm, and what every page has.

import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { address, go, hrefOf } from '../core/address.ts'
import { openSearch } from '../core/searching.ts'
import { may } from '../core/session.ts'
import { Dialog } from '../parts/dialog.tsx'
import { say } from '../parts/toast.tsx'
import { texts } from '../texts/shared-texts.ts'
import { keyOf } from './action-bar.tsx'
import { begin } from './actions.tsx'
import type { Action } from './doing.ts'
import { isWall, setWall, shortKeys } from './options.tsx'
import type { AlarmRow } from './row.ts'
import { active, clearSelection, openRow, selected, setFold, step, toggle } from './shown.ts'

/** What Enter presses. */
const pressable = 'a, button, summary'

const helpIsOpen = signal(false)

export const openHelp = () => {
  helpIsOpen.value = true
}

function leave(): void {
  if (isWall()) setWall(false)
  else if (selected.value.size > 0) clearSelection()
  else {
    active.value = ''
    // Rows need no longer hold still.
    document.querySelector<HTMLElement>('[role=grid]:focus')?.blur()
  }
}

/** With the rows, the focus goes to their table: Enter would still press the button that was clicked before. */
function move(by: number): void {
  step(by)
  document.querySelector<HTMLElement>('[role=grid]')?.focus({ preventScroll: true })
}

/** A row that is over stays for a moment. */
function select(): void {
  if (!may('operator') || active.value === '') return
  if (openRow(active.value)) toggle(active.value)
  else say(texts.actions.isOver)
}

type Keys = Readonly<Record<string, (() => void) | undefined>>

/** The first filter of the page. */
const searchField = () =>
  document.querySelector<HTMLElement>('#main :is([role=search] :is(input, select), input[type=search])')

/** In the list of this page, else in everything. */
function search(): void {
  const field = searchField()
  if (field) field.focus()
  else openSearch()
}

/** On every page. */
const everywhere: Keys = {
  '/': search,
  '?': openHelp,
}

const actionKeys = (act: (action: Action) => void): Keys =>
  Object.fromEntries(Object.entries(keyOf).map(([action, key]) => [key, () => act(action as Action)]))

const onList: Keys = {
  ...everywhere,
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
  w: () => setWall(!isWall()),
  Escape: leave,
  ...actionKeys((action) => begin(action)),
}

export const isTyping = (element: Element | null) =>
  element?.matches?.('input:not([type=checkbox]), select, textarea') ?? false

/** Keys typed into a field, or pressed in a dialog, belong to that. */
const isElsewhere = ({ target }: KeyboardEvent) =>
  document.querySelector('dialog[open]') !== null || isTyping(target as Element)

function press(event: KeyboardEvent, keys: Keys): void {
  if (event.ctrlKey || event.metaKey || event.altKey || isElsewhere(event)) return
  const element = event.target as HTMLElement
  // Single letters can be turned off: whoever dictates, or presses keys by mistake, would set them off.
  if (event.key.length === 1 && !shortKeys.value) return
  // A button under the focus is pressed by Enter.
  if (event.key === 'Enter' && element.matches?.(pressable)) return
  const act = keys[event.key]
  if (!act) return
  event.preventDefault()
  act()
}

export const onKey = (event: KeyboardEvent) => press(event, onList)

/** The list of alarms has its own keys, with these among them. */
export function startKeys(): void {
  document.addEventListener('keydown', (event) => {
    if (address.peek().page !== 'alarms') press(event, everywhere)
  })
}

/** On the page of an alarm, keys act on it. */
export function useAlarmKeys(row: AlarmRow, isOver: boolean): void {
  useEffect(() => {
    if (isOver) return
    const keys = actionKeys((action) => begin(action, [row]))
    const onAlarm = (event: KeyboardEvent) => press(event, keys)
    document.addEventListener('keydown', onAlarm)
    return () => document.removeEventListener('keydown', onAlarm)
  }, [row, isOver])
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
