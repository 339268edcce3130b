// The column headings of the table of open alarms.

import { setQuery } from '../core/address.ts'
import { may } from '../core/session.ts'
import { texts } from '../texts/shared-texts.ts'
import { isWall } from './options.tsx'
import { clearSelection, filter, selectable, selected, selectMany } from './shown.ts'
import type { Order } from './view.ts'

const words = texts.alarms

function sortBy(order: Order): void {
  const { order: before, descending } = filter.value
  const turn = order === before && !descending
  setQuery({ sort: order === 'level' ? '' : order, desc: turn ? 'true' : '' }, { replace: false })
}

function Heading({ name, order }: { name: keyof typeof words.columns; order?: Order }) {
  const { order: current, descending } = filter.value
  const isCurrent = order === current
  const sort = !isCurrent ? 'none' : descending ? 'descending' : 'ascending'
  return (
    <div role="columnheader" class={`c-${name}`} aria-sort={order && sort}>
      {order && !isWall() ? (
        <button
          type="button"
          class="plain"
          title={words.sortBy(words.columns[name])}
          onClick={() => sortBy(order)}
        >
          {words.columns[name]}
          <span class="arrow" aria-hidden="true">
            {isCurrent ? (descending ? '▴' : '▾') : ''}
          </span>
        </button>
      ) : (
        words.columns[name]
      )}
    </div>
  )
}

function SelectAll() {
  const ids = selectable.value
  const all = ids.length > 0 && ids.every((id) => selected.value.has(id))
  return (
    <div role="columnheader" class="c-select">
      <input
        type="checkbox"
        aria-label={words.selectAll}
        checked={all}
        indeterminate={!all && selected.value.size > 0}
        onChange={() => (all ? clearSelection() : selectMany(ids))}
      />
    </div>
  )
}

export const Headings = () => (
  <div role="row" class="row headings" aria-rowindex={1}>
    {may('operator') && <SelectAll />}
    <Heading name="level" order="level" />
    <Heading name="device" order="device" />
    <Heading name="text" />
    <Heading name="time" order="time" />
    <Heading name="repeats" order="repeats" />
    <Heading name="state" />
    <Heading name="remark" />
  </div>
)
