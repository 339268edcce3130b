// The page that the console begins with, as the person at this browser has chosen it.

import { effect } from '@preact/signals'
import { chooseStart, filterHref, savedFilters, startPage } from '../alarms/saved-filters.ts'
import { go, hrefOf, isBare } from '../core/address.ts'
import { type Page, pages } from '../core/pages.ts'
import { isIn, may } from '../core/session.ts'
import { texts } from '../texts/shared-texts.ts'

const isOffered = ({ group, needs }: Page) => group !== undefined && (!needs || may(needs))

interface Start {
  readonly href: string
  readonly label: string
}

/** By what is kept: the name of a page, or that of a filter behind a colon. */
function startsNow(): ReadonlyMap<string, Start> {
  const offered = Object.entries(pages).filter(([, page]) => isOffered(page))
  return new Map<string, Start>([
    ['', { href: hrefOf('alarms'), label: texts.menu.alarms }],
    ...savedFilters().map((one): [string, Start] => [
      `:${one.name}`,
      { href: filterHref(one), label: one.name },
    ]),
    ...offered
      .filter(([name]) => name !== 'alarms')
      .map(([name, { title }]): [string, Start] => [name, { href: hrefOf(name), label: title }]),
  ])
}

/** Whoever opens the console without naming a page gets there, also after signing in. */
export function startAtChosen(): void {
  effect(() => {
    if (!isIn.value || !isBare()) return
    const start = startsNow().get(startPage())
    if (start) go(start.href, { replace: true })
  })
}

export function StartChoice() {
  const starts = [...startsNow()]
  const chosen = startPage()
  return (
    <label>
      {texts.menu.startLabel}
      <select
        value={chosen}
        onChange={(event: Event) => chooseStart((event.target as HTMLSelectElement).value)}
      >
        {starts.map(([value, { label }]) => (
          <option key={value} value={value} selected={value === chosen}>
            {label}
          </option>
        ))}
      </select>
    </label>
  )
}
