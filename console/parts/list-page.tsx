// A page that is one list, with a sentence about it.

import type { ComponentChildren } from 'preact'
import { hrefOf } from '../core/address.ts'
import { may } from '../core/session.ts'
import { List, type ListProps, useList } from './list.tsx'

interface ListPageProps<T> {
  readonly title: string
  readonly about: string
  readonly list: Omit<ListProps<T>, 'caption'>
  /** Beside the title, such as a button. */
  readonly actions?: ComponentChildren
  /** Above the list. */
  readonly before?: ComponentChildren
  /** Below it, such as a dialog. */
  readonly children?: ComponentChildren
  /** The same, for what loads the list again. */
  readonly below?: (reload: () => void) => ComponentChildren
}

/** A link to the page on which a record is created, for those who may. */
export const CreateLink = ({ page, text }: { page: 'rule' | 'window'; text: string }) =>
  may('operator') && (
    <a class="button main" href={hrefOf(page, 'new')}>
      {text}
    </a>
  )

export function ListPage<T>(page: ListPageProps<T>) {
  const { title, about, list, actions, before, children, below } = page
  const props = { ...list, caption: title }
  const loaded = useList(props)
  return (
    <section class="page">
      <header class="page-head">
        <h1>{title}</h1>
        {actions && <span class="gap" />}
        {actions}
      </header>
      <p class="hint about">{about}</p>
      {before}
      <List {...props} loaded={loaded} />
      {children}
      {below?.(loaded.again)}
    </section>
  )
}
