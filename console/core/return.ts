// The way back: a page is where it was left, with the focus where it was. Lists are requested again, so this is done
// once they are long enough.

interface Left {
  readonly scrolled: readonly (readonly [selector: string, top: number])[]
  /** A selector; empty where nothing had the focus that can be found again. */
  readonly focus: string
}

/** What scrolls: the page, and the table of alarms. */
const scrollers = ['#main', '[role=grid]']

/** By entry of the browser's history. */
const places = new Map<number, Left>()

let entry = 0
let newest = 0

const entryOf = (state: unknown) => Number((state as { entry?: number } | null)?.entry ?? 0)

/** Once, before the first link is followed. */
export function startReturning(): void {
  history.scrollRestoration = 'manual'
  entry = entryOf(history.state)
  newest = entry
}

/** The state of an entry of the history. */
export const stateOfEntry = () => ({ entry })

function focusedNow(): string {
  const element = document.activeElement
  if (!element || element === document.body || element.id === 'main') return ''
  // A focus inside the table of alarms would keep its rows from moving.
  const grid = element.closest('[role=grid]')
  if (grid) return grid === element ? '[role=grid]' : ''
  if (element.id !== '') return `#${CSS.escape(element.id)}`
  const href = element.getAttribute('href')
  return href === null ? '' : `#main a[href="${CSS.escape(href)}"]`
}

function noteLeft(): void {
  const scrolled = scrollers.map(
    (selector) => [selector, document.querySelector(selector)?.scrollTop ?? 0] as const,
  )
  places.set(entry, { scrolled, focus: focusedNow() })
}

/** Before a new entry is added. */
export function leaveEntry(): void {
  noteLeft()
  newest += 1
  entry = newest
  stop()
}

/** Milliseconds for which a page may take to be as long as it was. */
const waitLimit = 5000

let stop: () => void = () => undefined

/** Whether a page is being put where it was: it does not begin at its top. */
let isReturning = false
export const isOnWayBack = () => isReturning

/** On the way back or forward, before the page is drawn; `state` is that of the entry. */
export function returnTo(state: unknown): void {
  noteLeft()
  stop()
  entry = entryOf(state)
  const left = places.get(entry)
  if (!left) return
  isReturning = true
  const observer = new MutationObserver(() => restore(left) && stop())
  observer.observe(document.body, { childList: true, subtree: true })
  const timer = setTimeout(() => stop(), waitLimit)
  const over = new AbortController()
  stop = () => {
    isReturning = false
    observer.disconnect()
    clearTimeout(timer)
    over.abort()
    stop = () => undefined
  }
  // Whoever scrolls or goes on by now is not moved away.
  for (const name of ['wheel', 'pointerdown', 'keydown'])
    addEventListener(name, () => stop(), { capture: true, signal: over.signal })
}

/** Whether all of it is as it was. */
function restore({ scrolled, focus }: Left): boolean {
  let isDone = true
  for (const [selector, top] of scrolled) {
    const element = document.querySelector(selector)
    if (element && element.scrollTop !== top) element.scrollTop = top
    if (top > 0 && Math.abs((element?.scrollTop ?? 0) - top) > 1) isDone = false
  }
  if (focus === '') {
    // What had it has gone with the other page.
    if (document.activeElement === document.body)
      document.getElementById('main')?.focus({ preventScroll: true })
    return isDone && document.querySelector('.waiting') === null
  }
  const target = document.querySelector<HTMLElement>(focus)
  if (target && document.activeElement !== target) target.focus({ preventScroll: true })
  return isDone && document.activeElement === target
}
