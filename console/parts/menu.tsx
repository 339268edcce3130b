// The menu beside every page.

import { signal } from '@preact/signals'
import { Freshness } from '../alarms/banner.tsx'
import { book, streamState } from '../alarms/live.ts'
import { address, hrefOf } from '../core/address.ts'
import { groups, type Page, pages } from '../core/pages.ts'
import { may, serviceVersion, session, signOut } from '../core/session.ts'
import { numberText, texts } from '../texts/shared-texts.ts'
import { complain } from './toast.tsx'

const words = texts.menu

const themes = ['auto', 'light', 'dark'] as const
const themeKey = 'belfry theme'
const theme = signal(localStorage.getItem(themeKey) ?? 'auto')

export function applyTheme(): void {
  theme.subscribe((value) => {
    document.documentElement.dataset.theme = value
    localStorage.setItem(themeKey, value)
  })
}

/** On narrow screens the menu is hidden until asked for. */
const isOpen = signal(false)

const inMenu = Object.entries(pages).filter(([, { group }]) => group)

/** How many critical alarms are open and not acknowledged: what must be seen on every page. */
function GraveCount() {
  void book.version.value
  let count = 0
  for (const { level, acknowledged, endedAt } of book.rows.values())
    if (level === 1 && !acknowledged && endedAt === 0) count += 1
  if (count === 0 || streamState.value.kind === 'loading') return null
  return (
    <span class="grave-count" title={texts.levels[1]}>
      {numberText(count)}
    </span>
  )
}

/** On a low screen the menu is longer than there is room. With the next frame, for which the page is laid out anyway. */
const intoSight = (element: HTMLElement | null) => {
  if (element) requestAnimationFrame(() => element.scrollIntoView({ block: 'nearest' }))
}

function Item({ name, page }: { name: string; page: Page }) {
  const current = address.value.page
  const isCurrent = current === name || pages[current]?.under === name
  return (
    <li>
      <a
        href={hrefOf(name)}
        aria-current={isCurrent ? 'page' : undefined}
        ref={isCurrent ? intoSight : null}
        onClick={() => {
          isOpen.value = false
        }}
      >
        {page.title}
        {name === 'alarms' && <GraveCount />}
      </a>
    </li>
  )
}

const Theme = () => (
  <select
    class="theme"
    aria-label={words.themeLabel}
    value={theme.value}
    onChange={(event: Event) => {
      theme.value = (event.target as HTMLSelectElement).value
    }}
  >
    {themes.map((one) => (
      <option key={one} value={one}>
        {words.theme[one]}
      </option>
    ))}
  </select>
)

function Who() {
  const { state, name, role } = session.value
  if (state === 'open') return <p class="hint">{words.everyone}</p>
  return (
    <>
      <p class="who">{words.signedInAs(name, role)}</p>
      <button type="button" class="plain" onClick={() => void signOut().catch(complain)}>
        {words.signOut}
      </button>
    </>
  )
}

export function Menu() {
  return (
    <nav class={`menu ${isOpen.value ? 'open' : ''}`} aria-label={words.label}>
      <div class="menu-head">
        <a class="brand" href={hrefOf('alarms')}>
          {texts.name}
        </a>
        <Freshness />
        <button
          type="button"
          class="menu-button"
          aria-expanded={isOpen.value}
          onClick={() => {
            isOpen.value = !isOpen.value
          }}
        >
          {words.open}
        </button>
      </div>
      <div class="menu-body">
        {groups.map((group) => {
          const items = inMenu.filter(([, page]) => page.group === group && (!page.needs || may(page.needs)))
          if (items.length === 0) return null
          return (
            <div key={group}>
              <h2>{words[group]}</h2>
              <ul>
                {items.map(([name, page]) => (
                  <Item key={name} name={name} page={page} />
                ))}
              </ul>
            </div>
          )
        })}
        <div class="menu-foot">
          <Who />
          <Theme />
          <p class="hint">{words.version(serviceVersion.value)}</p>
        </div>
      </div>
    </nav>
  )
}
