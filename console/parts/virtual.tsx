// A long list of which only the visible part exists: rows of one height, placed where they belong.

import type { RefObject, VNode } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/** Rows beyond the edges, so that fast scrolling shows no blank. */
const beyond = 6

export interface Window {
  /** The first row that exists, and one behind the last. */
  readonly first: number
  readonly end: number
  readonly height: number
}

interface Measure {
  readonly top: number
  readonly view: number
  readonly row: number
}

const windowOf = ({ top, view, row }: Measure, count: number): Window => {
  // In steps, so that most movements change nothing.
  const first = Math.max(0, Math.floor(top / row / 4) * 4 - beyond)
  return { first, end: Math.min(count, first + Math.ceil(view / row) + 2 * beyond + 4), height: row }
}

/** Until the browser has laid the element out: to ask it before would make it do so twice. */
const guessed = (): Measure => ({ top: 0, view: innerHeight - 100, row: defaultRow })
const defaultRow = 34

/** The visible part of `count` rows in this element, whose style names the height of a row as `--row`. */
export function useWindow(scroller: RefObject<HTMLElement | null>, count: number): Window {
  const [measure, setMeasure] = useState(guessed)
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const look = () => {
      const row = Number.parseFloat(getComputedStyle(element).getPropertyValue('--row')) || defaultRow
      const next = { top: element.scrollTop, view: element.clientHeight, row }
      setMeasure((before) => (isSameWindow(next, before) ? before : next))
    }
    const move = () =>
      setMeasure((before) => {
        const next = { ...before, top: element.scrollTop }
        return isSameWindow(next, before) ? before : next
      })
    // It also reports the first size.
    const size = new ResizeObserver(look)
    size.observe(element)
    element.addEventListener('scroll', move, { passive: true })
    return () => {
      size.disconnect()
      element.removeEventListener('scroll', move)
    }
  }, [scroller])
  return windowOf(measure, count)
}

function isSameWindow(a: Measure, b: Measure): boolean {
  const [one, other] = [windowOf(a, Number.POSITIVE_INFINITY), windowOf(b, Number.POSITIVE_INFINITY)]
  return one.first === other.first && one.end === other.end && one.height === other.height
}

interface RowsProps {
  readonly window: Window
  readonly count: number
  readonly row: (index: number, style: { transform: string }) => VNode
}

/** Elements are reused for other rows: making them anew is what makes scrolling stutter. */
export function Rows({ window: { first, end, height }, count, row }: RowsProps): VNode {
  const rows: VNode[] = []
  const slots = Math.max(1, end - first)
  for (let index = first; index < end; index += 1) {
    const one = row(index, { transform: `translateY(${index * height}px)` })
    one.key = index % slots
    rows.push(one)
  }
  return (
    <div class="rows" role="presentation" style={{ height: `${count * height}px` }}>
      {rows}
    </div>
  )
}

interface Identified {
  readonly id: string
}

/** Keeps the first visible row where it is, when others come or go above it. */
export function useAnchor(
  scroller: RefObject<HTMLElement | null>,
  rows: readonly Identified[],
  rowHeight: number,
): void {
  const before = useRef(rows)
  useLayoutEffect(() => {
    const old = before.current
    before.current = rows
    const element = scroller.current
    if (!element || old === rows) return
    const top = element.scrollTop
    // At the top, new rows are shown as they come.
    if (top <= rowHeight) return
    const index = Math.floor(top / rowHeight)
    const id = old[index]?.id
    if (id === undefined || rows[index]?.id === id) return
    const now = rows.findIndex((row) => row.id === id)
    if (now >= 0) element.scrollTop = top + (now - index) * rowHeight
  }, [scroller, rows, rowHeight])
}
