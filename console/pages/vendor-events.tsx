// The catalogue of vendors' events: definitions shipped with the service, of which one is copied to the store when the first trap
// of its kind arrives.

import { hrefOf } from '../core/address.ts'
import { Level } from '../parts/level.tsx'
import { type Column, List, useList } from '../parts/list.tsx'
import { Empty } from '../parts/problem.tsx'
import { eventTexts as words } from '../texts/trap-texts.ts'
import type { Definition } from './event-page.tsx'

const columns: readonly Column<Definition>[] = [
  {
    title: words.name,
    cell: ({ name, eventOid }) => <a href={hrefOf('event', '', { oid: eventOid })}>{name}</a>,
  },
  { title: words.level, cell: ({ alarmLevel }) => <Level level={Number(alarmLevel)} /> },
  { title: words.text, kind: 'wide', cell: ({ alarmDesc }) => alarmDesc },
  { title: words.source, kind: 'rare', cell: ({ source }) => source },
  { title: words.oid, kind: 'mono', cell: ({ eventOid }) => eventOid },
]

export function VendorEvents() {
  const props = {
    path: '/fault/trapEvent',
    queryPrefix: 'vendor',
    fixed: { catalogue: true },
    pageSize: 10,
    columns,
    filters: [
      { name: 'name', label: words.name, anywhere: true },
      { name: 'vendor', label: words.vendor },
      { name: 'eventOid', label: words.oid, hint: '1.3.6.1.…*' },
    ],
    caption: words.catalogue,
    keyOf: ({ eventOid }: Definition) => eventOid,
    empty: <Empty title={words.none} />,
  }
  const loaded = useList(props)
  return (
    <section class="part">
      <h2>{words.catalogue}</h2>
      <p class="hint">{words.catalogueAbout}</p>
      <List {...props} loaded={loaded} />
    </section>
  )
}
