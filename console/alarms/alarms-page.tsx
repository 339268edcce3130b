// The page that stays open: all alarms that are not over, as they come and go.

import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { setQuery } from '../core/address.ts'
import { now } from '../core/time-text.ts'
import { densityNow } from '../parts/appearance.tsx'
import { ColumnsPanel } from '../parts/columns.tsx'
import { complain, say } from '../parts/toast.tsx'
import { texts } from '../texts/shared-texts.ts'
import { ActionBar } from './action-bar.tsx'
import { ActionDialog } from './actions.tsx'
import { alarmColumns, alarmList } from './alarm-columns.ts'
import { AlarmTable } from './alarm-table.tsx'
import { saveAlarms, tabSeparated } from './copying.ts'
import { clearFilters, Filters } from './filters.tsx'
import { held, heldTotal, watchHeld } from './held.ts'
import { isTyping, onKey, openHelp } from './keyboard.tsx'
import { openAlarms } from './live.ts'
import { Nothing } from './nothing.tsx'
import { isWall, Options } from './options.tsx'
import { filter, selectable, selected, selectedRows, shown } from './shown.ts'
import { WallHead } from './wall.tsx'

const words = texts.alarms

function Empty() {
  const { all } = shown.value
  if (!openAlarms.isWhole.value)
    return (
      <div class="empty">
        <p>{texts.stream.loading}</p>
      </div>
    )
  if (all > 0)
    return (
      <div class="empty">
        <h2>{words.noneMatch}</h2>
        <p>{words.noneMatchHint(all)}</p>
        {!isWall() && (
          <button type="button" onClick={clearFilters}>
            {words.clear}
          </button>
        )}
      </div>
    )
  if (held.value.size === 0) return <Nothing />
  return (
    <div class="empty good">
      <h2>{words.noneElse}</h2>
      <p>{words.noneElseHint}</p>
      <HeldBack />
    </div>
  )
}

const HeldBack = () => (
  <>
    <p>{words.heldBack(heldTotal.value)}</p>
    {!isWall() && (
      <button type="button" onClick={() => setQuery({ state: 'held' }, { replace: false })}>
        {words.showHeld}
      </button>
    )}
  </>
)

const SaveButtons = () =>
  (['csv', 'json'] as const).map((form) => (
    <button key={form} type="button" onClick={() => void saveAlarms(selectable.value, form).catch(complain)}>
      {words.saveAs[form]}
    </button>
  ))

/** Copies the selected rows, unless some text is selected. */
function onCopy(event: ClipboardEvent): void {
  const isText = getSelection()?.isCollapsed === false || isTyping(event.target as Element)
  if (isText || selected.value.size === 0) return
  event.preventDefault()
  event.clipboardData?.setData('text/plain', tabSeparated(selectedRows()))
  say(words.copied(selected.value.size))
}

/** For screen readers: the number of alarms at intervals, and not each row. */
function Summary() {
  const [text, setText] = useState('')
  const { open, byLevel } = shown.value
  const isWhole = openAlarms.isWhole.value
  const turn = Math.floor(now.value / 30_000)
  useEffect(() => {
    if (isWhole) setText(texts.stream.summary(open, byLevel.get(1) ?? 0))
  }, [turn, isWhole])
  return (
    <p class="unseen" role="status" aria-live="polite">
      {text}
    </p>
  )
}

export default function AlarmsPage() {
  // Before the first frame: as soon as a row is visible, a key may be pressed.
  useLayoutEffect(() => {
    document.addEventListener('keydown', onKey)
    document.addEventListener('copy', onCopy)
    return () => {
      document.removeEventListener('keydown', onKey)
      document.removeEventListener('copy', onCopy)
    }
  }, [])
  useEffect(watchHeld, [])
  const { rows, open, all } = shown.value
  const wall = isWall()
  const count = openAlarms.isWhole.value
    ? words.count(open, filter.value.states.has('held') ? open : all)
    : words.soFar(open)
  return (
    <section class={`alarms ${wall ? 'wall' : ''}`}>
      {wall ? (
        <WallHead count={count} />
      ) : (
        <>
          <header class="page-head">
            <h1>{words.title}</h1>
            <span class="count">{count}</span>
            <span class="gap" />
            <Options>
              <SaveButtons />
            </Options>
            <ColumnsPanel list={alarmList} columns={alarmColumns} />
            <button type="button" class="keys-button" onClick={openHelp}>
              {words.keys} <kbd>?</kbd>
            </button>
          </header>
          <Filters />
        </>
      )}
      {rows.length === 0 ? <Empty /> : <AlarmTable key={densityNow()} />}
      <ActionBar count={selected.value.size} />
      <ActionDialog />
      <Summary />
    </section>
  )
}
