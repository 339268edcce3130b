// Which groups of the menu are folded: the browser remembers it.

import { signal } from '@preact/signals'
import { address } from '../core/address.ts'
import { type groups, type Page, pages } from '../core/pages.ts'

type Group = (typeof groups)[number]

const key = 'belfry-menu-folded'

/** What is set up once, and seldom looked at after that. */
const atFirst: readonly string[] = ['notify', 'run']

const folded = signal<readonly string[]>(localStorage.getItem(key)?.split(' ') ?? atFirst)

export const isFolded = (group: Group): boolean => folded.value.includes(group)

export function foldGroup(group: Group, fold: boolean): void {
  if (isFolded(group) === fold) return
  const others = folded.value.filter((name) => name !== group)
  folded.value = fold ? [...others, group] : others
  localStorage.setItem(key, folded.value.join(' '))
}

/** The group of the page that is shown, or of the page that it belongs to. */
export function currentGroup(): Page['group'] {
  const page = pages[address.value.page]
  return page?.group ?? (page?.under === undefined ? undefined : pages[page.under]?.group)
}
