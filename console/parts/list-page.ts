// A page that is one list, with a sentence about it.

import { type Children, html } from '../core/html.ts'
import { List, type ListProps, useList } from './list.ts'

interface ListPageProps<T> {
  readonly title: string
  readonly about: string
  readonly list: Omit<ListProps<T>, 'caption'>
  /** Above the list. */
  readonly before?: Children
  /** Below it, such as a dialog. */
  readonly children?: Children
}

export function ListPage<T>({ title, about, list, before, children }: ListPageProps<T>) {
  const props = { ...list, caption: title }
  const loaded = useList(props)
  return html`<section class="page">
    <header class="page-head"><h1>${title}</h1></header>
    <p class="hint about">${about}</p>
    ${before}
    <${List} ...${props} loaded=${loaded} />
    ${children}
  </section>`
}
