// Maintenance windows: planned work, what it covers, and what is held back by it now.

import { useState } from 'preact/hooks'
import { hrefOf } from '../core/address.ts'
import { ask } from '../core/api.ts'
import { may } from '../core/session.ts'
import { type Column, List, useList } from '../parts/list.tsx'
import { Empty } from '../parts/problem.tsx'
import { DeleteDialog } from '../parts/records.tsx'
import { Ago, Time } from '../parts/time.tsx'
import { complain, say } from '../parts/toast.tsx'
import { numberText, texts } from '../texts/shared-texts.ts'
import { maintenanceTexts as words } from '../texts/trap-texts.ts'
import type { Window } from './window.ts'

const path = '/fault/maintenance'

/** A window that no time ends is sent with the last second there is. */
const never = 2 ** 36

export function WindowState({ window: { active, activeUntil, nextTime } }: { window: Window }) {
  const until = Number(activeUntil)
  if (active === 'true')
    return (
      <>
        <b>{words.active}</b>{' '}
        {until > 0 && until < never && (
          <span class="hint">
            {words.until} <Time at={until} />
          </span>
        )}
      </>
    )
  if (nextTime !== '0')
    return (
      <>
        {words.next} <Time at={Number(nextTime)} />
      </>
    )
  return <span class="hint">{words.over}</span>
}

const coversText = (window: Window) =>
  (['device', 'interface', 'view', 'zone', 'event'] as const)
    .filter((kind) => window[kind].length > 0)
    .map((kind) => words.counts[kind](window[kind].length))
    .join(', ')

const columns: readonly Column<Window>[] = [
  {
    title: words.name,
    order: 'name',
    kind: 'wide',
    cell: ({ id, name, reason }) => (
      <>
        <a href={hrefOf('window', id)}>{name}</a>
        {reason !== '' && <p class="hint">{reason}</p>}
      </>
    ),
  },
  { title: words.state, cell: (window) => <WindowState window={window} /> },
  { title: words.covers, cell: coversText },
  { title: words.held, kind: 'number', cell: ({ suppressed }) => numberText(Number(suppressed)) },
  { title: words.hits, kind: 'number', cell: ({ hits }) => numberText(Number(hits)) },
  {
    title: words.last,
    kind: 'number',
    cell: ({ lastHit }) => (lastHit === '0' ? words.never : <Ago at={Number(lastHit)} />),
  },
  { title: words.owner, cell: ({ owner }) => owner },
]

async function end({ id }: Window, again: () => void): Promise<void> {
  try {
    await ask('PUT', `${path}/end/${id}`)
    say(words.ended)
    again()
  } catch (error) {
    complain(error)
  }
}

const create = () =>
  may('operator') && (
    <a class="button main" href={hrefOf('window', 'new')}>
      {words.create}
    </a>
  )

export default function MaintenancePage() {
  const [deleting, setDeleting] = useState<Window | undefined>(undefined)
  const actions: Column<Window> = {
    title: texts.records.actions,
    kind: 'actions',
    cell: (one) => (
      <>
        {one.active === 'true' && (
          <button
            type="button"
            class="plain"
            aria-label={words.endOne(one.name)}
            onClick={() => void end(one, loaded.again)}
          >
            {words.end}
          </button>
        )}
        <button
          type="button"
          class="plain"
          aria-label={texts.records.deleteOne(one.name)}
          onClick={() => setDeleting(one)}
        >
          {texts.records.delete}
        </button>
      </>
    ),
  }
  const props = {
    path,
    columns: may('operator') ? [...columns, actions] : columns,
    filters: [{ name: 'name', label: words.name, anywhere: true }],
    caption: words.title,
    keyOf: ({ id }: Window) => id,
    empty: (
      <Empty title={words.none}>
        <p>{words.emptyHint}</p>
        {create()}
      </Empty>
    ),
  }
  const loaded = useList(props)
  return (
    <section class="page">
      <header class="page-head">
        <h1>{words.title}</h1>
        <span class="gap" />
        {create()}
      </header>
      <p class="hint about">{words.about}</p>
      <List {...props} loaded={loaded} />
      {deleting && (
        <DeleteDialog
          title={texts.records.deleteTitle(words.one, deleting.name)}
          hint={words.deleteHint}
          path={`${path}/${deleting.id}`}
          close={() => setDeleting(undefined)}
          done={loaded.again}
        />
      )}
    </section>
  )
}
