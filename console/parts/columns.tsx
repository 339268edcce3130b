// Choosing the columns of a list in a panel, and their width by the edge of a heading as well.

import { useRef } from 'preact/hooks'
import { texts } from '../texts/shared-texts.ts'
import {
  chooseColumns,
  columnChoice,
  forgetColumns,
  isDefaultChoice,
  isShown,
  maxWidth,
  minWidth,
  ordered,
} from './column-choice.ts'
import { Icon } from './icon.tsx'
import type { IconName } from './icons.ts'
import { Panel } from './panel.tsx'

const words = texts.columns

export interface NamedColumn {
  readonly key: string
  readonly title: string
  readonly isFixed?: boolean
  readonly isExtra?: boolean
}

interface ColumnsProps {
  /** Names the list among all lists. */
  readonly list: string
  readonly columns: readonly NamedColumn[]
  /** Where parts of a page are chosen in the same way; these have no width. */
  readonly label?: string
  readonly icon?: IconName
}

/** In pixels. */
const widths = { narrow: 96, medium: 160, wide: 280, widest: 440 } as const

function Width({ list, column }: { list: string; column: NamedColumn }) {
  const choice = columnChoice(list)
  const width = choice.widths[column.key]
  const change = (event: Event) => {
    const { [column.key]: _, ...others } = choice.widths
    const chosen = Number((event.target as HTMLSelectElement).value)
    chooseColumns(list, { widths: chosen === 0 ? others : { ...others, [column.key]: chosen } })
  }
  const isOther = width !== undefined && !Object.values<number>(widths).includes(width)
  return (
    <select aria-label={words.widthOf(column.title)} value={String(width ?? 0)} onChange={change}>
      <option value="0">{words.byContent}</option>
      {Object.entries(widths).map(([name, pixels]) => (
        <option key={name} value={String(pixels)} selected={width === pixels}>
          {words.widths[name]}
        </option>
      ))}
      {isOther && (
        <option value={String(width)} selected>
          {words.pixels(width)}
        </option>
      )}
    </select>
  )
}

interface LineProps extends Pick<ColumnsProps, 'list' | 'columns'> {
  readonly hasWidth: boolean
  readonly column: NamedColumn
  readonly index: number
}

function Line({ list, columns, column, index, hasWidth }: LineProps) {
  const choice = columnChoice(list)
  const line = useRef<HTMLLIElement>(null)
  const { key, title, isFixed = false, isExtra = false } = column
  const shown = isShown(column, choice)
  const turn = () => {
    const name = isExtra ? 'added' : 'hidden'
    const isNamed = choice[name].includes(key)
    chooseColumns(list, {
      [name]: isNamed ? choice[name].filter((one) => one !== key) : [...choice[name], key],
    })
  }
  const move = (by: -1 | 1) => {
    const keys = columns.map((one) => one.key)
    keys.splice(index, 1)
    keys.splice(index + by, 0, key)
    chooseColumns(list, { order: keys })
    // The button that was pressed moves along, and keeps the focus, unless it is at the end of its way.
    const button = line.current?.querySelector<HTMLButtonElement>(by < 0 ? '.up' : '.down')
    requestAnimationFrame(() => {
      if (button?.disabled) line.current?.querySelector<HTMLButtonElement>('.plain:enabled')?.focus()
      else button?.focus()
    })
  }
  return (
    <li ref={line}>
      <label class="check">
        <input type="checkbox" checked={shown} disabled={isFixed} onChange={turn} />
        {title}
      </label>
      {hasWidth && <Width list={list} column={column} />}
      <button
        type="button"
        class="plain icon up"
        aria-label={words.before(title)}
        disabled={index === 0}
        onClick={() => move(-1)}
      >
        <Icon name="arrowUp" />
      </button>
      <button
        type="button"
        class="plain icon down"
        aria-label={words.after(title)}
        disabled={index === columns.length - 1}
        onClick={() => move(1)}
      >
        <Icon name="arrowDown" />
      </button>
    </li>
  )
}

/** What takes effect at once needs no button to confirm it. */
export function ColumnsPanel({ list, columns, label, icon = 'columns' }: ColumnsProps) {
  const choice = columnChoice(list)
  const lines = ordered(columns, choice)
  return (
    <Panel label={label ?? words.choose} icon={icon}>
      <ul class={`column-lines ${label === undefined ? '' : 'without-widths'}`}>
        {lines.map((column, index) => (
          <Line
            key={column.key}
            {...{ list, column, index }}
            columns={lines}
            hasWidth={label === undefined}
          />
        ))}
      </ul>
      <button type="button" disabled={isDefaultChoice(choice)} onClick={() => forgetColumns(list)}>
        {words.reset}
      </button>
    </Panel>
  )
}

interface EdgeProps {
  readonly list: string
  readonly column: string
}

/** The end of a heading, which is dragged. For keys there is the panel. */
export function Edge({ list, column }: EdgeProps) {
  const drag = useRef<{ readonly from: number; readonly width: number } | undefined>(undefined)
  const begin = (event: PointerEvent) => {
    const edge = event.currentTarget as HTMLElement
    const heading = edge.parentElement
    if (!heading || event.button !== 0) return
    event.preventDefault()
    edge.setPointerCapture(event.pointerId)
    drag.current = { from: event.clientX, width: heading.getBoundingClientRect().width }
  }
  const move = ({ clientX }: PointerEvent) => {
    if (!drag.current) return
    const wanted = Math.round(drag.current.width + clientX - drag.current.from)
    const width = Math.min(maxWidth, Math.max(minWidth, wanted))
    const { widths: before } = columnChoice(list)
    if (before[column] !== width) chooseColumns(list, { widths: { ...before, [column]: width } })
  }
  const end = () => {
    drag.current = undefined
  }
  return (
    <span
      class="edge"
      aria-hidden="true"
      onPointerDown={begin}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={end}
    />
  )
}
