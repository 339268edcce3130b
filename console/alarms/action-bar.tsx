// The bar with what can be done to selected alarms, below the list.

import { hrefOf } from '../core/address.ts'
import { copyText } from '../core/clipboard.ts'
import { complain, say } from '../parts/toast.tsx'
import { numberText, texts } from '../texts/shared-texts.ts'
import { begin } from './actions.tsx'
import { tabSeparated } from './copying.ts'
import type { Action } from './doing.ts'
import { clearSelection, selectable, selected, selectedRows, selectMany } from './shown.ts'

const words = texts.actions

/** What the bar and the keys offer; the rest is on the page of one alarm. */
export const keyOf: Readonly<Partial<Record<Action, string>>> = {
  acknowledge: 'a',
  shelve: 's',
  assign: 'o',
  note: 'n',
  end: 'e',
}

/** Where some are selected, and more match the filter. */
function SelectRest() {
  const ids = selectable.value
  if (ids.every((id) => selected.value.has(id))) return null
  return (
    <button type="button" class="plain" onClick={() => selectMany(ids)}>
      {texts.alarms.selectRest(numberText(ids.length))}
    </button>
  )
}

/** Those that the selected alarms are about, each once. */
const devicesOf = () => [...new Set(selectedRows().map(({ deviceId }) => deviceId))].join()

const copySelected = () =>
  void copyText(tabSeparated(selectedRows())).then(
    () => say(texts.alarms.copied(selected.value.size)),
    complain,
  )

/** Appears when something is selected. */
export function ActionBar({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <div class="action-bar" role="toolbar" aria-label={texts.alarms.selected(count)}>
      <strong>{texts.alarms.selected(count)}</strong>
      {Object.entries(keyOf).map(([action, key]) => (
        <button
          key={action}
          type="button"
          title={words.hints[action as Action]}
          onClick={() => begin(action as Action)}
        >
          {words[action as Action]}
          <kbd>{key}</kbd>
        </button>
      ))}
      <a
        class="button"
        title={words.hints.maintenance}
        href={hrefOf('window', 'new', { device: devicesOf() })}
      >
        {words.maintenance}
      </a>
      <button type="button" title={texts.alarms.copyHint} onClick={copySelected}>
        {texts.alarms.copy}
        <kbd>Ctrl C</kbd>
      </button>
      <SelectRest />
      <button type="button" class="plain" onClick={clearSelection}>
        {texts.alarms.clearSelection}
      </button>
    </div>
  )
}
