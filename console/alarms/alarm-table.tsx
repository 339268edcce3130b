// The table of open alarms. Of ten thousand rows only the visible ones exist.

import type { VNode } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { go, hrefOf } from '../core/address.ts'
import { may } from '../core/session.ts'
import { Level } from '../parts/level.tsx'
import { Age, ageAt } from '../parts/time.tsx'
import { Rows, useAnchor, useWindow } from '../parts/virtual.tsx'
import { numberText, texts } from '../texts/shared-texts.ts'
import { Headings } from './alarm-table-headings.tsx'
import { watchRows } from './live.ts'
import { type AlarmRow, shelfEnd } from './row.ts'
import { active, selected, selectMany, setFold, shown, toggle, unfolded } from './shown.ts'

const words = texts.alarms

/** How long a new row is highlighted, in milliseconds. */
const standsOut = 4000

const openAlarm = (id: string) => go(hrefOf('alarm', id))

function rowClass(row: AlarmRow): string {
  const classes = ['row', `edge-${row.level}`]
  if (row.id === active.value) classes.push('active')
  if (selected.value.has(row.id)) classes.push('selected')
  if (row.acknowledged) classes.push('acknowledged')
  const depth = shown.value.depths.get(row.id) ?? 0
  if (depth > 0) classes.push('follows', `below-${Math.min(depth, 3)}`)
  if (row.endedAt > 0) classes.push('ended')
  else if (row.changedAt > 0 && performance.now() - row.changedAt < standsOut) classes.push('fresh')
  return classes.join(' ')
}

const stateText = (row: AlarmRow) => {
  if (row.endedAt > 0) return words.ended
  if (row.shelvedUntil > 0) return words.shelvedUntil(shelfEnd(row.shelvedUntil).slice(5))
  if (row.heldBy !== '') return words.heldIn(row.heldBy)
  if (row.owner !== '') return words.owned(row.owner, row.acknowledged)
  if (!row.acknowledged) return words.states.new
  return nameless.has(row.acknowledgedBy)
    ? words.states.acknowledged
    : words.acknowledgedBy(row.acknowledgedBy)
}

/** As long as there are no operators, nobody has a name. */
const nameless = new Set(['', 'anonymous'])

/** A click anywhere in a row opens it, except on what has a purpose of its own. */
function onRowClick(event: MouseEvent, { id }: AlarmRow, index: number): void {
  const target = event.target as HTMLElement
  if (target.closest('a, button')) return
  if (event.shiftKey || target.closest('.c-select')) pick(event, id, index)
  else {
    active.value = id
    openAlarm(id)
  }
}

/** Where the last selection was made, for a range with the shift key. */
let lastPicked = 0

function pick(event: MouseEvent, id: string, index: number): void {
  event.preventDefault()
  if (event.shiftKey) {
    const [from, to] = [Math.min(lastPicked, index), Math.max(lastPicked, index)]
    selectMany(shown.value.rows.slice(from, to + 1).map((row) => row.id))
    getSelection()?.removeAllRanges()
  } else toggle(id)
  lastPicked = index
  active.value = id
}

/** Lines that are cached: several screens full. */
const mostDrawn = 500

interface Drawn {
  readonly row: AlarmRow
  readonly drawnAs: string
  readonly line: VNode
}

/** The cached line, where nothing of it has changed: most of them, while the table scrolls. */
function drawnLine(
  known: Map<string, Drawn>,
  row: AlarmRow,
  index: number,
  style: { transform: string },
): VNode {
  const { folded } = shown.value
  const drawnAs = [
    rowClass(row),
    style.transform,
    ageAt(row.time),
    folded.get(row.id),
    unfolded.value.has(row.id),
  ].join(' ')
  const before = known.get(row.id)
  if (before?.row === row && before.drawnAs === drawnAs) return before.line
  const line = alarmLine(row, index, style)
  known.set(row.id, { row, drawnAs, line })
  return line
}

/**
 * Its parts are functions and no components: a row is drawn for each few pixels of scrolling, and a component costs more
 * than what is in it.
 */
function alarmLine(row: AlarmRow, index: number, style: { transform: string }) {
  const isSelected = selected.value.has(row.id)
  return (
    <div
      role="row"
      id={`row-${row.id}`}
      class={rowClass(row)}
      style={style}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      onClick={(event: MouseEvent) => onRowClick(event, row, index)}
    >
      {may('operator') && (
        <div role="gridcell" class="c-select">
          <span class="box" aria-hidden="true" />
        </div>
      )}
      <div role="gridcell" class="c-level">
        {Level(row)}
      </div>
      <div role="gridcell" class="c-device">
        {row.deviceId === '0' || row.deviceId === '' ? (
          row.device
        ) : (
          <a href={hrefOf('device', row.deviceId)} tabindex={-1} title={row.ip}>
            {row.device}
          </a>
        )}
      </div>
      <div role="gridcell" class="c-text">
        {shown.value.depths.has(row.id) && (
          <span class="branch" title={words.follows}>
            <span aria-hidden="true">↳</span>
            <span class="unseen">{words.follows}</span>
          </span>
        )}
        <a href={hrefOf('alarm', row.id)} tabindex={-1} title={row.text}>
          {row.text}
        </a>
        {fold(row)}
      </div>
      <div role="gridcell" class="c-time">
        {Age({ at: row.time })}
      </div>
      <div role="gridcell" class="c-repeats">
        {row.repeats > 1 ? `× ${numberText(row.repeats)}` : ''}
      </div>
      <div
        role="gridcell"
        class="c-state"
        title={row.heldBy === '' ? stateText(row) : words.heldBy(row.heldBy)}
      >
        {stateText(row)}
      </div>
      <div role="gridcell" class="c-remark" title={row.note || row.remark}>
        {row.note || row.remark}
      </div>
    </div>
  )
}

/** What follows from a row and is held back because of it. */
function fold({ id }: AlarmRow) {
  const count = shown.value.folded.get(id) ?? 0
  if (count === 0) return null
  const isOpen = unfolded.value.has(id)
  return (
    <button
      type="button"
      class="fold"
      tabindex={-1}
      aria-expanded={isOpen}
      onClick={() => setFold(id, !isOpen)}
    >
      <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span> {words.following(count)}
    </button>
  )
}

export function AlarmTable() {
  const scroller = useRef<HTMLDivElement>(null)
  const drawn = useRef(new Map<string, Drawn>())
  if (drawn.current.size > mostDrawn) drawn.current.clear()
  const { rows } = shown.value
  const window = useWindow(scroller, rows.length)
  useAnchor(scroller, rows, window.height)
  useLayoutEffect(() => watchRows(rows.slice(window.first, window.end)), [rows, window.first, window.end])
  const activeIndex = active.value === '' ? -1 : rows.findIndex(({ id }) => id === active.value)
  useEffect(() => {
    if (activeIndex >= 0 && scroller.current) bringIntoSight(scroller.current, activeIndex, window.height)
  }, [active.value])
  const isSeen = activeIndex >= window.first && activeIndex < window.end
  return (
    <div class={`alarm-table ${may('operator') ? 'selectable' : ''}`}>
      <div
        class="scroller"
        ref={scroller}
        role="grid"
        tabindex={0}
        aria-label={words.title}
        aria-rowcount={rows.length + 1}
        aria-multiselectable={may('operator')}
        aria-activedescendant={isSeen ? `row-${active.value}` : undefined}
      >
        <Headings />
        <Rows
          window={window}
          count={rows.length}
          row={(index: number, style: { transform: string }) =>
            drawnLine(drawn.current, rows[index] as AlarmRow, index, style)
          }
        />
      </div>
    </div>
  )
}

/** The headings stay in place and cover the top. */
function bringIntoSight(scroller: HTMLElement, index: number, height: number): void {
  const covered = (scroller.querySelector('.headings') as HTMLElement | null)?.offsetHeight ?? 0
  const top = index * height
  if (top < scroller.scrollTop) scroller.scrollTop = top
  else if (top + height + covered > scroller.scrollTop + scroller.clientHeight)
    scroller.scrollTop = top + height + covered - scroller.clientHeight
}
