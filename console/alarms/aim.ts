// Whether somebody is about to do something with the rows: the pointer is on them, the keyboard was just used there, or
// text of them is chosen. And what was under the pointer when it was pressed.

import { computed, signal } from '@preact/signals'

const pointerIsOn = signal(false)
const keyboardIsOn = signal(false)
const textIsChosen = signal(false)

export const isAimed = computed(() => pointerIsOn.value || keyboardIsOn.value || textIsChosen.value)

/** Milliseconds after the pointer has left: a finger leaves with the touch, before the click that it makes. */
const afterLeaving = 800

/** Milliseconds after a key: keys act on the current alarm wherever it is, and the focus may stay here for hours. */
const afterKey = 10_000

/** Watches a table; returns how to end it. */
export function watchAim(table: HTMLElement): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const enter = () => {
    clearTimeout(timer)
    pointerIsOn.value = true
  }
  const leave = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      pointerIsOn.value = false
    }, afterLeaving)
  }
  let keyTimer: ReturnType<typeof setTimeout> | undefined
  const rest = () => {
    clearTimeout(keyTimer)
    keyboardIsOn.value = false
  }
  // A table that was clicked has the focus as well, long after the pointer has gone: only that of the keyboard counts.
  const type = () => {
    rest()
    keyboardIsOn.value = table.querySelector(':focus-visible') !== null
    keyTimer = setTimeout(rest, afterKey)
  }
  const chosen = () => {
    const selection = getSelection()
    textIsChosen.value = selection !== null && !selection.isCollapsed && table.contains(selection.anchorNode)
  }
  const over = new AbortController()
  const { signal: until } = over
  // A pointer that rests where a dialog was, or another page, aims at nothing until it moves.
  for (const name of ['pointermove', 'pointerdown'])
    table.addEventListener(name, enter, { signal: until, passive: true })
  table.addEventListener('pointerleave', leave, { signal: until })
  // With the next frame: the focus is on its way.
  for (const name of ['focusin', 'keydown']) table.addEventListener(name, type, { signal: until })
  table.addEventListener('focusout', rest, { signal: until })
  document.addEventListener('selectionchange', chosen, { signal: until })
  return () => {
    over.abort()
    clearTimeout(timer)
    clearTimeout(keyTimer)
    for (const state of [pointerIsOn, keyboardIsOn, textIsChosen]) state.value = false
  }
}

interface Press {
  readonly row: string
  readonly href: string
  readonly x: number
  readonly y: number
  /** Where in the text it is. */
  readonly caret: CaretPosition | null
}

let press: Press | undefined

const rowAt = (target: EventTarget | null) => (target as Element).closest('.rows .row')

export function onPress({ target, clientX: x, clientY: y }: PointerEvent): void {
  const row = rowAt(target)
  const href = (target as Element).closest('a')?.getAttribute('href') ?? ''
  press = row ? { row: row.id, href, x, y, caret: document.caretPositionFromPoint(x, y) } : undefined
}

/** Pixels beyond which a press is a drag. */
const drag = 5

const isDrag = ({ x, y }: Press, { clientX, clientY }: MouseEvent) =>
  Math.hypot(clientX - x, clientY - y) > drag

/** Browsers do not begin a selection in a link, and most of the text of a row is in links. */
export function onDrag(event: PointerEvent): void {
  if (!press?.caret || press.href === '' || event.buttons !== 1 || !isDrag(press, event)) return
  const to = document.caretPositionFromPoint(event.clientX, event.clientY)
  const { offsetNode, offset } = press.caret
  if (to) getSelection()?.setBaseAndExtent(offsetNode, offset, to.offsetNode, to.offset)
}

/**
 * Before a click reaches what is under the pointer. One that ends a drag does nothing; one on a row that was another when
 * it was pressed is meant for that one, by its id and the link that was pressed.
 */
export function onAimedClick(
  event: MouseEvent,
  act: (id: string, href: string, event: MouseEvent) => void,
): void {
  const pressed = press
  press = undefined
  if (!pressed) return
  const wasDrag = isDrag(pressed, event)
  const row = rowAt(event.target)
  if (!wasDrag && (!row || row.id === pressed.row)) return
  event.preventDefault()
  event.stopPropagation()
  if (!wasDrag) act(pressed.row.slice('row-'.length), pressed.href, event)
}
