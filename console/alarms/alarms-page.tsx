// The page that stays open: all alarms that are not over, as they come and go.

import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { hrefOf, setQuery } from '../core/address.ts'
import { count } from '../core/api.ts'
import { now } from '../core/time-text.ts'
import { useLoad } from '../parts/load.tsx'
import { texts } from '../texts/shared-texts.ts'
import { ActionBar, ActionDialog } from './actions.tsx'
import { AlarmTable } from './alarm-table.tsx'
import { Freshness } from './banner.tsx'
import { Counts, clearFilters, Filters } from './filters.tsx'
import { held, heldTotal, watchHeld } from './held.ts'
import { Help, onKey, openHelp } from './keyboard.tsx'
import { book } from './live.ts'
import { isWall, Options } from './options.tsx'
import { filter, selected, shown } from './shown.ts'

const words = texts.alarms

function Empty() {
  const { all } = shown.value
  if (!book.isWhole.value)
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
  const isHeld = held.value.size > 0
  return (
    <div class="empty good">
      <h2>{isHeld ? words.noneElse : words.none}</h2>
      <p>{isHeld ? words.noneElseHint : words.noneHint}</p>
      {isHeld ? <HeldBack /> : <FirstSteps />}
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

/** Where there has never been an alarm, how to get one; else where the last ones are. */
function FirstSteps() {
  const ever = useLoad(() => count('/fault/alarm'), []).data
  if (ever === undefined) return null
  if (ever > 0)
    return (
      <a class="button" href={hrefOf('history')}>
        {words.lately}
      </a>
    )
  return (
    <>
      <p class="hint">{words.firstSteps}</p>
      <code>belfry trap linkDown</code>
    </>
  )
}

/** For screen readers: the number of alarms at intervals, and not each row. */
function Summary() {
  const [text, setText] = useState('')
  const { open, byLevel } = shown.value
  const isWhole = book.isWhole.value
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
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  useEffect(watchHeld, [])
  const { rows, open, all } = shown.value
  const wall = isWall()
  return (
    <section class={`alarms ${wall ? 'wall' : ''}`}>
      <header class="page-head">
        <h1>{words.title}</h1>
        <span class="count">
          {book.isWhole.value
            ? words.count(open, filter.value.states.has('held') ? open : all)
            : words.soFar(open)}
        </span>
        {wall && (
          <>
            <Freshness />
            <span class="hint leave">{texts.options.wallLeave}</span>
          </>
        )}
        <span class="gap" />
        {!wall && (
          <>
            <Options />
            <button type="button" class="keys-button" onClick={openHelp}>
              {words.keys} <kbd>?</kbd>
            </button>
          </>
        )}
      </header>
      {wall ? <Counts /> : <Filters />}
      {rows.length === 0 ? <Empty /> : <AlarmTable />}
      <ActionBar count={selected.value.size} />
      <ActionDialog />
      <Help />
      <Summary />
    </section>
  )
}
