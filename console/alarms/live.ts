// The open alarms of this page, and how fresh they are. It runs on every page: the count beside the menu and the sound
// of a critical alarm do not depend on which page is open.

import { effect, signal } from '@preact/signals'
import { address } from '../core/address.ts'
import { count, list, request } from '../core/api.ts'
import { returns } from '../core/away.ts'
import { isIn, session } from '../core/session.ts'
import { earlyRows } from './early.ts'
import { enoughRows, firstQueries } from './first-screen.ts'
import { OpenAlarms } from './open-alarms.ts'
import type { AlarmRow, ListedAlarm } from './row.ts'
import { AlarmFeed, type StreamState } from './stream.ts'

/** Milliseconds between frames of a list that is still loading: each costs a pass over all that are here. */
const whileLoading = 200

/** While the page is hidden, browsers draw no frames; the openAlarms must be up to date when they do. */
const frame = (work: () => void) => {
  if (document.hidden) setTimeout(work, 1000)
  else if (openAlarms.isLoading) setTimeout(() => requestAnimationFrame(work), whileLoading)
  else requestAnimationFrame(work)
}

export const openAlarms = new OpenAlarms({ frame, clock: () => performance.now() })

export const streamState = signal<StreamState>({ kind: 'loading' })
/** When changes may last have been missed, in milliseconds, and why; shown until somebody has read it. */
export const gap = signal<{ at: number; reason: string } | undefined>(undefined)

/** Alarms that are held back are open, and not on the stream. */
const countOpen = () => count('/fault/alarm', { recStatus: 0, suppressed: false })

/** Once the browser has drawn what is there now, or would have if the page were visible. */
const drawn = () =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, 300)
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))
  })

function showFirst(rows: readonly ListedAlarm[]): void {
  openAlarms.showFirst(rows)
  // Their details need not be requested again at once.
  for (const { id } of rows) asked.add(id)
}

/** Whether the rows that were requested early have come; after that, they are of an earlier moment. */
let early: Promise<boolean> | undefined = earlyRows.then((rows) => {
  if (rows) showFirst(rows)
  return rows !== undefined
})

/** Once the first rows that were requested early are there, or cannot be had. */
export const firstRowsThere: Promise<boolean> = early

/** The rows that will be first are there before the rest of ten thousand; other pages show none of them. */
async function askFirst(over: AbortSignal): Promise<void> {
  const { page, query: filter } = address.peek()
  const asking = early
  early = undefined
  if (page !== 'alarms' || openAlarms.isWhole.peek()) return
  for (const [index, query] of firstQueries(filter).entries()) {
    const isThere = index === 0 && (await asking)
    if (!isThere) showFirst((await list<ListedAlarm>('/fault/alarm', query, over)).rows)
    if (openAlarms.rows.size >= enoughRows) break
  }
  // The rest would take the thread that draws them.
  if (openAlarms.rows.size > 0) await drawn()
}

const feed = new AlarmFeed({
  ahead: askFirst,
  open: (position, over) =>
    request('GET', `/events?type=11&changes=true${position === '' ? '&snapshot=true' : ''}`, {
      headers: { Accept: 'text/event-stream', ...(position !== '' && { 'Last-Event-ID': position }) },
      signal: over,
    }),
  countOpen,
  listener: {
    state: (state) => {
      const isBack = state.kind === 'live' && streamState.peek().kind === 'stale'
      streamState.value = state
      if (isBack) returns.value += 1
    },
    alarm: (alarm) => openAlarms.push(alarm),
    begin: () => openAlarms.beginAll(),
    complete: () => openAlarms.endAll(),
    gap: (reason) => {
      gap.value = { at: Date.now(), reason }
    },
  },
  clock: Date.now,
})

export const retryNow = () => feed.retryNow()

/** From sign-in to sign-out. */
export function startLive(): void {
  effect(() => {
    if (!isIn.value) return
    // Another operator may see other things.
    void session.peek()
    void feed.run()
    return () => feed.stop()
  })
  addEventListener('online', () => feed.retryNow())
}

const refreshSeconds = 5
/** What fits on a wall. */
const maxAtOnce = 200

/** The visible rows, whose repeats and remarks are requested at intervals. */
let watched: readonly string[] = []
let asked = new Set<string>()

export function watchRows(rows: readonly AlarmRow[]): void {
  watched = rows.filter(({ endedAt }) => endedAt === 0).map(({ id }) => id)
  if (watched.some((id) => !asked.has(id))) askSoon()
}

let timer: ReturnType<typeof setTimeout> | undefined

function askSoon(): void {
  if (timer !== undefined) return
  timer = setTimeout(() => {
    timer = undefined
    void refreshWatched()
  }, 150)
}

async function refreshWatched(): Promise<void> {
  const ids = watched.slice(0, maxAtOnce)
  asked = new Set(ids)
  if (ids.length === 0 || !isIn.value) return
  try {
    const { rows } = await list<ListedAlarm>('/fault/alarm', { id: ids.join(), size: ids.length })
    openAlarms.refresh(rows)
  } catch {
    // The banner already shows when the service cannot be reached; the next attempt is enough.
    asked.clear()
  }
}

export function startRefreshing(): void {
  setInterval(() => {
    if (!document.hidden && watched.length > 0) void refreshWatched()
  }, refreshSeconds * 1000)
}
