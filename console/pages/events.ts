// The list of event definitions.

import { hrefOf } from '../core/address.ts'
import { html } from '../core/html.ts'
import { may } from '../core/session.ts'
import { type Choosable, NameOf, useChoosable } from '../parts/by-name.ts'
import { Level } from '../parts/level.ts'
import { type Column, List, useList } from '../parts/list.ts'
import { Empty } from '../parts/problem.ts'
import { eventTexts as words } from '../texts/traps.ts'
import { Categories } from './categories.ts'
import type { Definition } from './event.ts'

const columnsFor = (categories: Choosable): readonly Column<Definition>[] => [
  {
    title: words.name,
    order: 'name',
    cell: ({ name, eventOid }) => html`<a href=${hrefOf('event', '', { oid: eventOid })}>${name}</a>`,
  },
  { title: words.level, cell: ({ alarmLevel }) => html`<${Level} level=${Number(alarmLevel)} />` },
  {
    title: words.category,
    cell: ({ alarmCategory }) => html`<${NameOf} among=${categories} id=${alarmCategory} />`,
  },
  {
    title: words.text,
    kind: 'wide',
    cell: ({ alarmDesc, handling }) => (handling === '0' ? words.handlings[0] : alarmDesc),
  },
  { title: words.oid, kind: 'mono', order: 'eventOid', cell: ({ eventOid }) => eventOid },
]

export default function EventsPage() {
  const categories = useChoosable('category')
  const props = {
    path: '/fault/trapEvent',
    columns: columnsFor(categories),
    filters: [
      { name: 'name', label: words.name, anywhere: true },
      { name: 'eventOid', label: words.oid, hint: '1.3.6.1.…*' },
      { name: 'alarmLevel', label: words.level, kind: 'levels' as const },
      { name: 'alarmCategory', label: words.category, of: 'category' as const },
    ],
    caption: words.title,
    keyOf: ({ id }: Definition) => id,
    empty: html`<${Empty} title=${words.none} />`,
  }
  const loaded = useList(props)
  return html`<section class="page">
    <header class="page-head"><h1>${words.title}</h1><span class="gap"></span>${may('operator') && html`<a class="button main" href=${hrefOf('event')}>${words.create}</a>`}</header>
    <p class="hint about">${words.about}</p>
    <${List} ...${props} loaded=${loaded} />
    <${Categories} />
  </section>`
}
