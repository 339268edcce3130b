// The saved filters in the menu, each with how many alarms pass it now.

import { useEffect, useState } from 'preact/hooks'
import { address } from '../core/address.ts'
import { numberText, texts } from '../texts/shared-texts.ts'
import { queryText } from './filter-terms.ts'
import { openAlarms } from './live.ts'
import { membersOf } from './members.ts'
import { filterHref, type SavedFilter, savedFilters } from './saved-filters.ts'
import { countOf, filterOf } from './view.ts'

/** Milliseconds between two counts: in a storm, every change would otherwise count all alarms. */
const pause = 1000

function countNow({ query: text }: SavedFilter): number | undefined {
  const query = new URLSearchParams(text)
  const filter = filterOf(query, membersOf(query))
  // Those that are held back are read on the page of alarms alone.
  if (!openAlarms.isWhole.value || filter.states.has('held')) return undefined
  return countOf(openAlarms.rows.values(), filter, Date.now() / 1000)
}

function Count({ of }: { of: SavedFilter }) {
  const [, draw] = useState(0)
  useEffect(() => {
    let drawn = openAlarms.version.peek()
    const timer = setInterval(() => {
      if (openAlarms.version.peek() === drawn) return
      drawn = openAlarms.version.peek()
      draw((n) => n + 1)
    }, pause)
    return () => clearInterval(timer)
  }, [])
  const count = countNow(of)
  return count === undefined ? null : <b class="saved-count">{numberText(count)}</b>
}

export function SavedItems() {
  const all = savedFilters()
  if (all.length === 0) return null
  const query = address.value.page === 'alarms' ? queryText(address.value.query) : ''
  return (
    <ul class="saved-filters" aria-label={texts.alarms.saved.label}>
      {all.map((one) => (
        <li key={one.name}>
          <a href={filterHref(one)} aria-current={one.query === query ? 'page' : undefined}>
            <span>{one.name}</span>
            <Count of={one} />
          </a>
        </li>
      ))}
    </ul>
  )
}
