// Starts the console: the session, the page, and the stream of alarms behind all of them.

import { type ComponentType, render } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Banners } from './alarms/banner.tsx'
import { entering } from './alarms/early.ts'
import { firstRowsThere, startLive, startRefreshing } from './alarms/live.ts'
import { isWall, startOptions } from './alarms/options.tsx'
import { address, followLinks, hrefOf } from './core/address.ts'
import { startLegible } from './core/legible.ts'
import { returnTrouble } from './core/openid.ts'
import { pageAt } from './core/pages.ts'
import { findSession, isIn, may, session, watchSession } from './core/session.ts'
import { startClock } from './core/time-text.ts'
import { applyTheme, Menu } from './parts/menu.tsx'
import { Empty, Problem } from './parts/problem.tsx'
import { SignIn, SignInAgain } from './parts/sign-in.tsx'
import { complain, Toasts } from './parts/toast.tsx'
import { texts } from './texts/shared-texts.ts'

interface Loaded {
  readonly name: string
  readonly Content?: ComponentType<{ id: string }>
  readonly failed?: true
}

function PageBody() {
  const { page: name, id } = address.value
  const [loaded, setLoaded] = useState<Loaded>({ name: '' })
  const main = useRef<HTMLElement>(null)
  const page = pageAt(name, id)
  // Before the first frame: an effect would run after it.
  useLayoutEffect(() => {
    let isOver = false
    const show = (found: Loaded) => !isOver && setLoaded(found)
    document.title = page ? `${page.title} · ${texts.name}` : texts.name
    if (!page) return
    page.load().then(
      ({ default: Content }) => show({ name, Content }),
      // The files of a page that is older than the service are gone.
      () => show({ name, failed: true }),
    )
    return () => {
      isOver = true
    }
  }, [name, page])
  const isFirst = useRef(true)
  useEffect(() => {
    if (!isFirst.current) beginAtTop(main.current)
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

function Console() {
  const { state, operatorId } = session.value
  if (state === 'asking') return null
  if (state === 'unreachable')
    return (
      <main id="main">
        <Problem error={new Error(texts.errors.unreachable)} retry={() => void findSession()} />
      </main>
    )
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
        <Banners />
        <PageBody />
      </div>
      <Toasts />
      {state === 'ended' && <SignInAgain />}
    </div>
  )
}

startLegible()
applyTheme()
followLinks()
watchSession()
startClock()
startLive()
startRefreshing()
startOptions()

/** Milliseconds for which the first picture waits for rows: it would otherwise be drawn twice. */
const rowsWaited = 200

async function begin(): Promise<void> {
  await entering
  // Who was signed in still is, and did not get what the second sign-in was for.
  if (isIn.value && returnTrouble.value !== '') complain(new Error(returnTrouble.value))
  if (isIn.value) await Promise.race([firstRowsThere, new Promise((wake) => setTimeout(wake, rowsWaited))])
  render(<Console />, document.getElementById('console') as HTMLElement)
}

void begin()
