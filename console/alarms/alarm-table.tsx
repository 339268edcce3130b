// The table of open alarms. Of ten thousand rows only the visible ones exist.

import type { VNode } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { go, hrefOf } from '../core/address.ts'
import { may } from '../core/session.ts'
import { Icon } from '../parts/icon.tsx'
import { LevelShape } from '../parts/level.tsx'
import { ageAt } from '../parts/time.tsx'
import { Rows, useAnchor, useWindow } from '../parts/virtual.tsx'
import { numberText, texts } from '../texts/shared-texts.ts'
import { onAimedClick, onDrag, onPress, watchAim } from './aim.ts'
import { cells } from './alarm-cells.tsx'
import { ownTemplate, shownColumns } from './alarm-columns.ts'
import { Headings } from './alarm-table-headings.tsx'
import { openAlarms, watchRows } from './live.ts'
import type { AlarmRow } from './row.ts'
import { active, letIn, noteDrawn, selected, selectMany, shown, toggle, unfolded } from './shown.ts'
import { useWallPages } from './wall.tsx'

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

/** Anywhere in the cell, and on the edges around it. */
function isOnTick({ target, clientX }: MouseEvent): boolean {
  const cell = (target as Element).closest('.row')?.querySelector('.c-select')
  return clientX < (cell?.getBoundingClientRect().right ?? 0)
}

/** A click anywhere in a row opens it, except on what has a purpose of its own. */
function onRowClick(event: MouseEvent, { id }: AlarmRow, index: number): void {
  const target = event.target as HTMLElement
  if (target.closest('a, button')) return
  if (event.shiftKey || isOnTick(event)) pick(event, id, index)
  else {
    active.value = id
    openAlarm(id)
  }
}

/** A click that was meant for another row than the one that is under the pointer by now. */
function onClickOfPressed(id: string, href: string, event: MouseEvent): void {
  const index = shown.value.rows.findIndex((row) => row.id === id)
  if (isOnTick(event)) pick(event, id, index)
  else go(href === '' ? hrefOf('alarm', id) : href)
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
const maxDrawn = 500

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
    ...shownColumns.value.map(({ key }) => key),
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
      {shownColumns.value.map(({ key }) => cells[key](row))}
    </div>
  )
}

/** Lets in what has come while rows hold still; over the headings, so that it moves nothing. */
function News() {
  const { waiting } = shown.value
  if (waiting.length === 0) return null
  const worst = waiting.reduce((level, row) => Math.min(level, row.level), 5)
  return (
    <button type="button" class="news" title={words.waitingHint} onClick={letIn}>
      <LevelShape level={worst} />
      {words.waiting(numberText(waiting.length))} <Icon name="arrowUp" />
    </button>
  )
}

/** On a wall pages are turned, and no row is kept in sight. */
const noRows: readonly AlarmRow[] = []

export function AlarmTable() {
  const table = useRef<HTMLDivElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => (table.current ? watchAim(table.current) : undefined), [])
  const drawn = useRef(new Map<string, Drawn>())
  if (drawn.current.size > maxDrawn) drawn.current.clear()
  const view = shown.value
  const { rows } = view
  useLayoutEffect(() => noteDrawn(view), [view, openAlarms.isWhole.value])
  const window = useWindow(scroller, rows.length)
  const turnsPages = useWallPages(scroller)
  useAnchor(scroller, turnsPages ? noRows : rows, window.height)
  useLayoutEffect(() => watchRows(rows.slice(window.first, window.end)), [rows, window.first, window.end])
  const activeIndex = active.value === '' ? -1 : rows.findIndex(({ id }) => id === active.value)
  useEffect(() => {
    if (activeIndex >= 0 && scroller.current) bringIntoSight(scroller.current, activeIndex, window.height)
    // The bar of actions takes room from the table.
  }, [active.value, selected.value.size > 0])
  const isSeen = activeIndex >= window.first && activeIndex < window.end
  return (
    <div
      class={`alarm-table ${may('operator') ? 'selectable' : ''} ${ownTemplate.value === '' ? '' : 'own-columns'}`}
      style={{ '--own-columns': ownTemplate.value }}
      ref={table}
      onPointerDown={onPress}
      onPointerMove={onDrag}
      // What a drag has selected so far would otherwise be dragged along.
      onDragStart={(event: DragEvent) => event.preventDefault()}
      onClickCapture={(event: MouseEvent) => onAimedClick(event, onClickOfPressed)}
    >
      <News />
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
