// Moves through a page with Tab alone.

import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

interface Walk {
  /** Elements that can be operated, in reading order. */
  readonly expected: readonly string[]
  /** The elements that got the focus, and those on which it was not visible. */
  readonly reached: string[]
  readonly unseen: string[]
}

/** Rows of a list are alike: of long lists, only the first and the last stops are tried. */
const longest = 40

/**
 * Every element that can be operated is reached in reading order, shows the focus, and does not trap it. The menu is
 * the same on all pages: `from` is where to begin.
 */
export async function tabThrough(page: Page, from: 'menu' | 'main'): Promise<void> {
  const all = await page.evaluate(listStops, from)
  const stretches =
    all <= longest
      ? [[0, all]]
      : [
          [0, longest / 2],
          [all - longest / 2, all],
        ]
  for (const [first = 0, end = 0] of stretches) {
    const presses = await page.evaluate(beginAt, [first, end] as const)
    for (let count = 0; count < presses; count += 1) await page.keyboard.press('Tab')
    const { expected, reached, unseen } = await page.evaluate(
      () => (window as unknown as { walk: Walk }).walk,
    )
    assert.deepEqual(reached.slice(0, expected.length), expected)
    assert.deepEqual(unseen, [])
  }
}

/** Inside the page: finds the elements that Tab must reach, and returns how many there are. */
function listStops(from: 'menu' | 'main'): number {
  const isStop = (element: HTMLElement) => element.tabIndex >= 0 && element.checkVisibility()
  // In a group of radio buttons only one is a stop: the others are reached with the arrow keys.
  const isOther = (element: HTMLElement) => {
    if (!(element instanceof HTMLInputElement) || element.type !== 'radio') return false
    const group = [...document.querySelectorAll<HTMLInputElement>(`input[name="${element.name}"]`)]
    return element !== (group.find(({ checked }) => checked) ?? group[0])
  }
  const root = from === 'menu' ? document : (document.getElementById('main') ?? document)
  const names =
    'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex]'
  const stops = [...root.querySelectorAll<HTMLElement>(names)].filter(
    (element) => isStop(element) && !isOther(element),
  )
  Object.assign(window, { stops, from })
  return stops.length
}

/** Inside the page: moves to the stop before the first, and records what gets the focus; returns how often to press. */
function beginAt([first, end]: readonly [number, number]): number {
  const { stops, from, over } = window as unknown as { stops: HTMLElement[]; from: string; over?: () => void }
  const wanted = stops.slice(first, end)
  // The label of an element may change meanwhile, as a time does: it is still the same stop.
  const names = new Map<Element, string>()
  const named = (element: Element) => {
    const name = names.get(element) ?? element.outerHTML.slice(0, 120)
    names.set(element, name)
    return name
  }
  const walk: Walk = { expected: wanted.map(named), reached: [], unseen: [] }
  const note = ({ target }: Event) => {
    const element = target as HTMLElement
    // A field that looks like one with what is around it has its outline there.
    const isDrawn = [element, element.parentElement ?? element].some((one) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(one)
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0
    })
    const { right, bottom, left, top } = element.getBoundingClientRect()
    const isInSight = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight
    walk.reached.push(named(element))
    if (!isDrawn || !isInSight) walk.unseen.push(named(element))
  }
  over?.()
  if (first > 0) stops[first - 1]?.focus()
  else if (from === 'main') document.getElementById('main')?.focus()
  document.addEventListener('focusin', note)
  Object.assign(window, { walk, over: () => document.removeEventListener('focusin', note) })
  // Each part of a date or a time is a stop.
  const dates = wanted.filter((element) => /^(date|time)/.test((element as HTMLInputElement).type ?? ''))
  return wanted.length + dates.length * 6
}
