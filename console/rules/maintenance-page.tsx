// Maintenance windows: planned work, what it covers, and how many alarms it suppresses now.

import { useRef, useState } from 'preact/hooks'
import { hrefOf } from '../core/address.ts'
import { ask } from '../core/api.ts'
import { may } from '../core/session.ts'
import type { Column } from '../parts/list.tsx'
import { CreateLink, ListPage } from '../parts/list-page.tsx'
import { More } from '../parts/more.tsx'
import { Empty } from '../parts/problem.tsx'
import { DeleteDialog } from '../parts/records.tsx'
import { Ago, Time } from '../parts/time.tsx'
import { complain, say } from '../parts/toast.tsx'
import { maintenanceTexts as words } from '../texts/maintenance-texts.ts'
import { numberText, texts } from '../texts/shared-texts.ts'
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

async function end({ id }: Window, reload: () => void): Promise<void> {
  try {
    await ask('PUT', `${path}/end/${id}`)
    say(words.ended)
    reload()
  } catch (error) {
    complain(error)
  }
}

export default function MaintenancePage() {
  const [deleting, setDeleting] = useState<Window | undefined>(undefined)
  // Set by the list, which is rendered after the columns are made.
  const reload = useRef<() => void>(() => undefined)
  const actions: Column<Window> = {
    title: texts.records.actions,
    kind: 'actions',
    cell: (window) => (
      <More
        label={texts.more(window.name)}
        actions={[
          window.active === 'true' && {
            ...{ text: words.end, label: words.endOne(window.name) },
            act: () => void end(window, reload.current),
          },
          {
            ...{ text: texts.records.delete, label: texts.records.deleteOne(window.name), isDangerous: true },
            act: () => setDeleting(window),
          },
        ]}
      />
    ),
  }
  const create = <CreateLink page="window" text={words.create} />
  const list = {
    path,
    columns: may('operator') ? [...columns, actions] : columns,
    filters: [{ name: 'name', label: words.name, anywhere: true }],
    keyOf: ({ id }: Window) => id,
    empty: (
      <Empty title={words.none}>
        <p>{words.emptyHint}</p>
        {create}
      </Empty>
    ),
  }
  const below = (again: () => void) => {
    reload.current = again
    return (
      deleting && (
        <DeleteDialog
          title={texts.records.deleteTitle(words.one, deleting.name)}
          hint={words.deleteHint}
          path={`${path}/${deleting.id}`}
          close={() => setDeleting(undefined)}
          done={again}
        />
      )
    )
  }
  return <ListPage title={words.title} about={words.about} list={list} actions={create} below={below} />
}
