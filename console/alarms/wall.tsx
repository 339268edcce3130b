// The alarms on a wall, to be read from across the room: a clock, how zones are, and page after page of what does not fit.

import { signal } from '@preact/signals'
import type { ComponentType, RefObject } from 'preact'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { clockText, now } from '../core/time-text.ts'
import { complain } from '../parts/toast.tsx'
import { locales } from '../texts/language.ts'
import { numberText, texts } from '../texts/shared-texts.ts'
import { wallTexts as words } from '../texts/wall-texts.ts'
import { Freshness } from './banner.tsx'
import { Counts } from './filters.tsx'
import { openAlarms } from './live.ts'
import { isWall } from './options.tsx'
import { shown } from './shown.ts'

const dayForm = new Intl.DateTimeFormat(locales.days, { weekday: 'long', day: 'numeric', month: 'long' })

const Clock = () => (
  <p class="wall-clock">
    <span>{dayForm.format(now.value)}</span>
    <time>{clockText(now.value / 1000).slice(0, 5)}</time>
  </p>
)

export const loadZones = () => import('./wall-zones.tsx')

/** Their code comes after the alarms. */
function Zones() {
  const [Content, setContent] = useState<ComponentType>()
  useEffect(() => {
    loadZones().then(({ default: WallZones }) => setContent(() => WallZones), complain)
  }, [])
  return Content ? <Content /> : null
}

/** Which page of how many. */
interface WallPage {
  readonly page: number
  readonly pages: number
}

const pageSeconds = 12

/** What everybody should see at once brings the first page back. */
const graveLevel = 1

/** How many rows fit, and how high one is. */
function fitOf(element: HTMLElement): { readonly fit: number; readonly row: number } {
  const row = Number.parseFloat(getComputedStyle(element).getPropertyValue('--row'))
  return { fit: Math.max(1, Math.floor(element.clientHeight / row)), row }
}

const wallPage = signal<WallPage>({ page: 0, pages: 1 })

/** Turns the pages of what does not fit; the table is scrolled by whole rows. Returns whether it does. */
export function useWallPages(scroller: RefObject<HTMLElement | null>): boolean {
  const wall = isWall()
  const { rows } = shown.value
  const turn = (step: (page: number, pages: number) => number) => {
    const element = scroller.current
    if (!element) return
    const { fit, row } = fitOf(element)
    const before = wallPage.peek()
    const pages = Math.max(1, Math.ceil(shown.peek().rows.length / fit))
    const page = step(before.page, pages)
    element.scrollTop = page * fit * row
    if (page !== before.page || pages !== before.pages) wallPage.value = { page, pages }
  }
  const stay = () => turn((page, pages) => Math.min(page, pages - 1))
  // A page that was emptied is left, and the rows stand where pages begin.
  useLayoutEffect(() => {
    if (wall) stay()
  }, [wall, rows])
  useEffect(() => {
    if (!wall) return
    const timer = setInterval(() => turn((page, pages) => (page + 1) % pages), pageSeconds * 1000)
    const size = new ResizeObserver(stay)
    if (scroller.current) size.observe(scroller.current)
    const forget = openAlarms.onNew(({ level, acknowledged }) => {
      if (level === graveLevel && !acknowledged) turn(() => 0)
    })
    return () => {
      clearInterval(timer)
      size.disconnect()
      forget()
    }
  }, [wall])
  return wall
}

function Pages() {
  const { page, pages } = wallPage.value
  return pages > 1 && <span class="wall-page">{words.page(numberText(page + 1), numberText(pages))}</span>
}

export const WallHead = ({ count }: { count: string }) => (
  <>
    <header class="page-head">
      <h1>{texts.alarms.title}</h1>
      <span class="count">{count}</span>
      <Pages />
      <Freshness />
      <span class="hint leave">{texts.options.wallLeave}</span>
      <span class="gap" />
      <Clock />
    </header>
    <Counts />
    <Zones />
  </>
)
