// The column headings of the table of open alarms.

import { setQuery } from '../core/address.ts'
import { may } from '../core/session.ts'
import { Edge } from '../parts/columns.tsx'
import { Icon } from '../parts/icon.tsx'
import { texts } from '../texts/shared-texts.ts'
import { alarmList, type ColumnName, shownColumns } from './alarm-columns.ts'
import { isWall } from './options.tsx'
import { clearSelection, filter, selectable, selected, selectMany } from './shown.ts'
import type { Order } from './view.ts'

const words = texts.alarms

function sortBy(order: Order): void {
  const { order: before, descending } = filter.value
  const turn = order === before && !descending
  setQuery({ sort: order === 'level' ? '' : order, desc: turn ? 'true' : '' }, { replace: false })
}

function Heading({ name, order }: { name: ColumnName; order?: Order | undefined }) {
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
          <span class="arrow">{isCurrent && <Icon name={descending ? 'ascending' : 'descending'} />}</span>
        </button>
      ) : (
        words.columns[name]
      )}
      {!isWall() && <Edge list={alarmList} column={name} />}
    </div>
  )
}

function SelectAll() {
  const ids = selectable.value
  const all = ids.length > 0 && ids.every((id) => selected.value.has(id))
  return (
    <div role="columnheader" class="c-select">
      <label>
        <input
          type="checkbox"
          aria-label={words.selectAll}
          checked={all}
          indeterminate={!all && selected.value.size > 0}
          onChange={() => (all ? clearSelection() : selectMany(ids))}
        />
      </label>
    </div>
  )
}

export const Headings = () => (
  <div role="row" class="row headings" aria-rowindex={1}>
    {may('operator') && <SelectAll />}
    {shownColumns.value.map(({ key, order }) => (
      <Heading key={key} name={key} order={order} />
    ))}
  </div>
)
