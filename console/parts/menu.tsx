// The menu beside every page.

import { signal } from '@preact/signals'
import { useEffect, useId } from 'preact/hooks'
import { Freshness } from '../alarms/banner.tsx'
import { openAlarms, streamState } from '../alarms/live.ts'
import { SavedItems } from '../alarms/saved-items.tsx'
import { address, hrefOf } from '../core/address.ts'
import { groups, type Page, pages } from '../core/pages.ts'
import { openSearch } from '../core/searching.ts'
import { may, serviceVersion, session, signOut } from '../core/session.ts'
import { searchTexts } from '../texts/search-texts.ts'
import { numberText, texts } from '../texts/shared-texts.ts'
import { Appearance } from './appearance.tsx'
import { Icon, isIcon } from './icon.tsx'
import { currentGroup, foldGroup, isFolded } from './menu-groups.ts'
import { Panel } from './panel.tsx'
import { StartChoice } from './start-page.tsx'
import { complain } from './toast.tsx'

const words = texts.menu

/** On narrow screens the menu is hidden until asked for. */
const isOpen = signal(false)

const inMenu = Object.entries(pages).filter(([, { group }]) => group)

/** How many critical alarms are open and not acknowledged: what must be seen on every page. */
function CriticalCount() {
  void openAlarms.version.value
  let count = 0
  for (const { level, acknowledged, endedAt } of openAlarms.rows.values())
    if (level === 1 && !acknowledged && endedAt === 0) count += 1
  if (count === 0 || streamState.value.kind === 'loading') return null
  return (
    <span class="critical-count" title={texts.levels[1]}>
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
        {isIcon(name) && <Icon name={name} />}
        <span>{page.title}</span>
        {name === 'alarms' && <CriticalCount />}
      </a>
      {name === 'alarms' && <SavedItems />}
    </li>
  )
}

/** Pages of one subject, below a heading that folds them away. */
function Group({ group }: { group: (typeof groups)[number] }) {
  const id = useId()
  const folded = isFolded(group)
  const isCurrent = currentGroup() === group
  // Whoever goes to a page sees where it is in the menu.
  useEffect(() => {
    if (isCurrent) foldGroup(group, false)
  }, [group, isCurrent])
  const items = inMenu.filter(([, page]) => page.group === group && (!page.needs || may(page.needs)))
  if (items.length === 0) return null
  return (
    <div>
      <h2>
        <button
          type="button"
          class="plain menu-heading"
          aria-expanded={!folded}
          aria-controls={id}
          onClick={() => foldGroup(group, !folded)}
        >
          <span>{words[group]}</span>
          <Icon name={folded ? 'closed' : 'descending'} />
        </button>
      </h2>
      <ul id={id} hidden={folded}>
        {items.map(([name, page]) => (
          <Item key={name} name={name} page={page} />
        ))}
      </ul>
    </div>
  )
}

function Who() {
  const { state, name, role } = session.value
  if (state === 'open')
    return (
      <p class="who" title={words.everyoneHint}>
        {words.everyone}
      </p>
    )
  return (
    <>
      <p class="who" title={words.signedInAs(name, role)}>
        {words.signedInAs(name, role)}
      </p>
      <button
        type="button"
        class="plain icon"
        aria-label={words.signOut}
        title={words.signOut}
        onClick={() => void signOut().catch(complain)}
      >
        <Icon name="signOut" />
      </button>
    </>
  )
}

const SearchButton = () => (
  <button type="button" class="search-button" aria-keyshortcuts="Control+K" onClick={openSearch}>
    <Icon name="search" />
    <span>{searchTexts.open}</span> <kbd>{searchTexts.keys}</kbd>
  </button>
)

export function Menu() {
  return (
    <nav class={`menu ${isOpen.value ? 'open' : ''}`} aria-label={words.label}>
      <div class="menu-head">
        <a class="brand" href={hrefOf('alarms')}>
          {texts.name}
        </a>
        {session.value.isSample && (
          <span class="tag" title={words.sampleHint}>
            {words.sample}
          </span>
        )}
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
        <SearchButton />
        {groups.map((group) => (
          <Group key={group} group={group} />
        ))}
        <div class="menu-foot">
          <Who />
          <Panel label={words.look} icon="look">
            <Appearance />
            <StartChoice />
            <p class="hint">{words.version(serviceVersion.value)}</p>
          </Panel>
        </div>
      </div>
    </nav>
  )
}
