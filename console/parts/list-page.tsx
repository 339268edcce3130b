// A page that is one list, with a sentence about it.

import type { ComponentChildren } from 'preact'
import { List, type ListProps, useList } from './list.tsx'

interface ListPageProps<T> {
  readonly title: string
  readonly about: string
  readonly list: Omit<ListProps<T>, 'caption'>
  /** Above the list. */
  readonly before?: ComponentChildren
  /** Below it, such as a dialog. */
  readonly children?: ComponentChildren
}

export function ListPage<T>({ title, about, list, before, children }: ListPageProps<T>) {
  const props = { ...list, caption: title }
  const loaded = useList(props)
  return (
    <section class="page">
      <header class="page-head">
        <h1>{title}</h1>
      </header>
      <p class="hint about">{about}</p>
      {before}
      <List {...props} loaded={loaded} />
      {children}
    </section>
  )
}
