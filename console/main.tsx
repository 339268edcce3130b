// Starts the console: the session, the page, and the stream of alarms behind all of them.

import { type ComponentType, render } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Banners } from './alarms/banner.tsx'
import { entering } from './alarms/early.ts'
import { Help, startKeys } from './alarms/keyboard.tsx'
import { firstRowsThere, startLive, startRefreshing } from './alarms/live.ts'
import { isWall, startOptions } from './alarms/options.tsx'
import { loadZones } from './alarms/wall.tsx'
import { address, followLinks, hrefOf } from './core/address.ts'
import { read } from './core/api.ts'
import { isAway } from './core/away.ts'
import { followKept } from './core/kept.ts'
import { startLegible } from './core/legible.ts'
import { returnTrouble } from './core/openid.ts'
import { pageAt, pages } from './core/pages.ts'
import { isOnWayBack } from './core/return.ts'
import { startSearch } from './core/searching.ts'
import { findSession, isIn, may, person, session, watchSession } from './core/session.ts'
import { startClock } from './core/time-text.ts'
import { forgetDrafts, startAsking, takeDrafts } from './core/unsaved.ts'
import { applyAppearance } from './parts/appearance.tsx'
import { followColumns } from './parts/column-choice.ts'
import { LeaveQuestion } from './parts/draft.tsx'
import { Menu } from './parts/menu.tsx'
import { Empty, Problem } from './parts/problem.tsx'
import { SignIn, SignInAgain } from './parts/sign-in.tsx'
import { startAtChosen } from './parts/start-page.tsx'
import { complain, Toasts } from './parts/toast.tsx'
import { loadSearch, Search } from './search/search.tsx'
import { texts } from './texts/shared-texts.ts'

interface Loaded {
  readonly name: string
  readonly Content?: ComponentType<{ id: string }>
  readonly failed?: 'away' | 'updated'
}

/** The files of a page that is older than the service are gone; or none can be had, as the service is away. */
const whyFailed = () =>
  read('/console/session').then(
    () => 'updated' as const,
    (error) => (isAway(error) ? ('away' as const) : ('updated' as const)),
  )

/** Milliseconds after which it is tried again. */
const pause = 2000

function PageBody() {
  const { page: name, id } = address.value
  const [loaded, setLoaded] = useState<Loaded>({ name: '' })
  const main = useRef<HTMLElement>(null)
  const page = pageAt(name, id)
  // Before the first frame: an effect would run after it.
  useLayoutEffect(() => {
    const over = new AbortController()
    document.title = page ? `${page.title} · ${texts.name}` : texts.name
    const show = async () => {
      let wasAway = false
      while (page && !over.signal.aborted) {
        const found = await page.load().then(
          ({ default: Content }): Loaded => ({ name, Content }),
          async (): Promise<Loaded> => ({ name, failed: await whyFailed() }),
        )
        if (over.signal.aborted) return
        // It is back, perhaps as another version; and some browsers do not try again what they once could not fetch.
        if (wasAway && found.failed === 'updated') return location.reload()
        setLoaded(found)
        if (found.failed !== 'away') return
        wasAway = true
        await new Promise((wake) => setTimeout(wake, pause))
      }
    }
    void show()
    return () => over.abort()
  }, [name, page])
  const isFirst = useRef(true)
  useEffect(() => {
    if (!isFirst.current && !isOnWayBack()) beginAtTop(main.current)
    isFirst.current = false
  }, [name, id])
  return (
    <main id="main" ref={main} tabindex={-1}>
      {contentOf(name, id, loaded)}
    </main>
  )
}

/** Keyboard users who followed a link that vanished with its page go on at the top of this one. */
function beginAtTop(main: HTMLElement | null): void {
  main?.scrollTo(0, 0)
  if (document.activeElement === document.body) main?.focus({ preventScroll: true })
}

function contentOf(name: string, id: string, loaded: Loaded) {
  const page = pageAt(name, id)
  if (!page)
    return (
      <Empty title={texts.errors.noPage}>
        <p>{texts.errors.noPageHint}</p>
        <a class="button" href={hrefOf('alarms')}>
          {texts.errors.toAlarms}
        </a>
      </Empty>
    )
  if (page.needs && !may(page.needs))
    return (
      <Empty title={page.title}>
        <p>{texts.errors.tooLittle(page.needs, session.value.role)}</p>
      </Empty>
    )
  if (loaded.name !== name)
    return (
      <div class="empty">
        <p>{texts.stream.loading}</p>
      </div>
    )
  if (loaded.failed === 'away')
    return (
      <Empty title={texts.errors.away}>
        <p>{texts.errors.awayHint}</p>
      </Empty>
    )
  if (!loaded.Content)
    return (
      <Empty title={texts.errors.updated}>
        <button type="button" class="main" onClick={() => location.reload()}>
          {texts.errors.reload}
        </button>
      </Empty>
    )
  return <loaded.Content id={id} key={`${name}/${id}`} />
}

/** Before anything could be shown: tried again until it can. */
function Unreachable() {
  useEffect(() => {
    const timer = setInterval(() => void findSession(), pause)
    return () => clearInterval(timer)
  }, [])
  return (
    <main id="main">
      <Problem error={new Error(texts.errors.unreachable)} retry={() => void findSession()} />
    </main>
  )
}

function Console() {
  const { state, operatorId } = session.value
  if (state === 'asking') return null
  if (state === 'unreachable') return <Unreachable />
  if (state === 'signed-out') return <SignIn />
  const wall = isWall()
  // Of what one operator has typed, another who signs in afterwards sees nothing.
  return (
    <div key={operatorId} class={`frame ${wall ? 'wall' : ''}`}>
      <a class="skip" href="#main">
        {texts.skip}
      </a>
      {!wall && <Menu />}
      <div class="body">
        <PageBody />
        <Banners />
      </div>
      <Toasts />
      <Help />
      <Search />
      <LeaveQuestion />
      {state === 'ended' && <SignInAgain />}
    </div>
  )
}

startLegible()
applyAppearance()
followColumns()
followLinks()
watchSession()
startClock()
startLive()
startRefreshing()
startOptions()
startAsking()
startKeys()
startSearch()
followKept()
startAtChosen()
// Of what one operator has typed, another sees nothing.
person.subscribe((id) => {
  forgetDrafts()
  if (id !== '') takeDrafts(id)
})

/** Milliseconds for which the first picture waits for rows: it would otherwise be drawn twice. */
const rowsWaited = 200

async function begin(): Promise<void> {
  await entering
  // Who was signed in still is, and did not get what the second sign-in was for.
  if (isIn.value && returnTrouble.value !== '') complain(new Error(returnTrouble.value))
  if (isIn.value) await Promise.race([firstRowsThere, new Promise((wake) => setTimeout(wake, rowsWaited))])
  render(<Console />, document.getElementById('console') as HTMLElement)
}

/** Milliseconds after the start: what is on the screen goes first. */
const whenSettled = 3000

/** All pages, so that each opens at once, and also while the service is away. */
async function fetchPages(): Promise<void> {
  for (const load of [loadSearch, loadZones, ...Object.values(pages).map((page) => page.load)]) {
    await new Promise<void>((idle) => requestIdleCallback(() => idle()))
    await load().catch(() => undefined)
  }
}

void begin().then(() => setTimeout(() => void fetchPages(), whenSettled))
