// The definitions of messages that users have written.

import { hrefOf } from '../core/address.ts'
import { may } from '../core/session.ts'
import { Level } from '../parts/level.tsx'
import { type Column, List, useList } from '../parts/list.tsx'
import { Empty } from '../parts/problem.tsx'
import { definitionTexts as words } from '../texts/message-texts.ts'
import type { MessageDefinition } from './definition.ts'

const columns: readonly Column<MessageDefinition>[] = [
  {
    title: words.name,
    order: 'name',
    cell: ({ id, name }) => <a href={hrefOf('definition', id)}>{name}</a>,
  },
  {
    title: words.lookedUp,
    cell: ({ code = [], word = [] }) => [...code, ...word].join(', '),
  },
  {
    title: words.message,
    kind: 'wide',
    cell: ({ message }) => (
      <div>
        {message.map(({ pattern, handling = '' }) => (
          <div key={pattern}>
            <span class="mono">{pattern}</span> <span class="hint">{words.handlings[handling]}</span>
          </div>
        ))}
      </div>
    ),
  },
  {
    title: words.level,
    cell: ({ alarmLevel }) => alarmLevel && <Level level={Number(alarmLevel)} />,
  },
  { title: words.description, kind: 'rare', cell: ({ description }) => description },
]

export default function DefinitionsPage() {
  const props = {
    path: '/fault/messageDefinition',
    columns,
    filters: [{ name: 'name', label: words.name, anywhere: true }],
    caption: words.title,
    keyOf: ({ id }: MessageDefinition) => id,
    empty: <Empty title={words.none} />,
  }
  const loaded = useList(props)
  return (
    <section class="page">
      <header class="page-head">
        <h1>{words.title}</h1>
        <span class="gap" />
        {may('operator') && (
          <a class="button main" href={hrefOf('definition', 'new')}>
            {words.create}
          </a>
        )}
      </header>
      <p class="hint about">{words.about}</p>
      <List {...props} loaded={loaded} />
    </section>
  )
}
