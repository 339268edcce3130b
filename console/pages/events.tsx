// The list of event definitions.

import { hrefOf } from '../core/address.ts'
import { may } from '../core/session.ts'
import { type Choosable, NameOf, useChoosable } from '../parts/by-name.tsx'
import { AmongEnds, EndsChoice, showsEnds } from '../parts/ends-choice.tsx'
import { Level } from '../parts/level.tsx'
import { type Column, List, queryOf, useList } from '../parts/list.tsx'
import { Empty } from '../parts/problem.tsx'
import { eventFileTexts, eventTexts as words } from '../texts/trap-texts.ts'
import { Categories } from './categories.tsx'
import { EventFiles, exportListed } from './event-files.tsx'
import type { Definition } from './event-page.tsx'
import { VendorEvents } from './vendor-events.tsx'

const columnsFor = (categories: Choosable): readonly Column<Definition>[] => [
  {
    title: words.name,
    order: 'name',
    cell: ({ name, eventOid }) => <a href={hrefOf('event', '', { oid: eventOid })}>{name}</a>,
  },
  { title: words.level, cell: ({ alarmLevel }) => <Level level={Number(alarmLevel)} /> },
  {
    title: words.category,
    cell: ({ alarmCategory }) => <NameOf among={categories} id={alarmCategory} />,
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
    // What ends a fault raises nothing.
    fixed: showsEnds() ? {} : { ends: false },
    elsewhere: <AmongEnds />,
    caption: words.title,
    keyOf: ({ id }: Definition) => id,
    empty: <Empty title={words.none} />,
  }
  const loaded = useList(props)
  return (
    <section class="page">
      <header class="page-head">
        <h1>{words.title}</h1>
        <span class="gap" />
        <button type="button" onClick={() => void exportListed(queryOf(props))}>
          {eventFileTexts.export}
        </button>
        {may('operator') && (
          <a class="button main" href={hrefOf('event')}>
            {words.create}
          </a>
        )}
      </header>
      <p class="hint about">{words.about}</p>
      <EndsChoice />
      <List {...props} loaded={loaded} />
      {may('operator') && <EventFiles />}
      <VendorEvents />
      <Categories />
    </section>
  )
}
