// Who changed what, and when.

import { useState } from 'preact/hooks'
import { address, root, setQuery } from '../core/address.ts'
import { dayBegins, dayEnds } from '../core/time-text.ts'
import { Dialog } from '../parts/dialog.tsx'
import type { Column } from '../parts/list.tsx'
import { ListPage } from '../parts/list-page.tsx'
import { Empty } from '../parts/problem.tsx'
import { Time } from '../parts/time.tsx'
import { auditTexts as words } from '../texts/service-texts.ts'

interface Entry {
  readonly id: string
  readonly time: string
  readonly name: string
  readonly role: string
  readonly address: string
  readonly action: string
  readonly resource: string
  readonly resourceId: string
  readonly count: string
  readonly detail?: string
  readonly before?: string
  readonly after?: string
}

const columns: readonly Column<Entry>[] = [
  { title: words.time, order: 'time', cell: ({ time }) => <Time at={Number(time)} /> },
  { title: words.name, order: 'name', cell: ({ name }) => <b>{name}</b> },
  { title: words.address, cell: ({ address }) => address },
  {
    title: words.action,
    cell: ({ action, count }) => (count === '1' ? action : `${action} ${words.count(Number(count))}`),
  },
  { title: words.resource, cell: ({ resource, resourceId }) => `${resource} ${resourceId}` },
  { title: words.detail, kind: 'wide', cell: ({ detail }) => detail },
]

function pretty(json: string | undefined): string {
  if (json === undefined) return ''
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}

function Change({ entry, close }: { entry: Entry; close: () => void }) {
  return (
    <Dialog title={words.title1(entry.id)} onClose={close} wide>
      <p>
        {entry.name} ({entry.role}): {entry.action} {entry.resource} {entry.resourceId}. {entry.detail}
      </p>
      <div class="columns even">
        <div>
          <h3>{words.before}</h3>
          <pre tabindex={0}>{pretty(entry.before)}</pre>
        </div>
        <div>
          <h3>{words.after}</h3>
          <pre tabindex={0}>{pretty(entry.after)}</pre>
        </div>
      </div>
    </Dialog>
  )
}

/** A record may have no entry of its own: an import has one for all of its records. */
function Elsewhere() {
  const { query } = address.value
  if ((query.get('resourceId') ?? '') === '') return null
  return (
    <>
      <p>{words.noEntryHint}</p>
      <button type="button" onClick={() => setQuery({ resourceId: '', start: '' })}>
        {words.withoutId}
      </button>
    </>
  )
}

export default function AuditPage() {
  const [shown, setShown] = useState<Entry | undefined>(undefined)
  const more: Column<Entry> = {
    title: words.change,
    kind: 'actions',
    cell: (entry) =>
      (entry.before !== undefined || entry.after !== undefined) && (
        <button
          type="button"
          class="plain"
          aria-label={`${words.show} ${words.title1(entry.id)}`}
          onClick={() => setShown(entry)}
        >
          {words.show}
        </button>
      ),
  }
  const list = {
    path: '/plat/audit',
    columns: [...columns, more],
    filters: [
      { name: 'name', label: words.name, anywhere: true },
      { name: 'action', label: words.action },
      { name: 'resource', label: words.resource, anywhere: true },
      { name: 'resourceId', label: words.id },
      { name: 'address', label: words.address },
      { name: 'startTime', label: words.from, kind: 'day' as const, form: dayBegins },
      { name: 'endTime', label: words.until, kind: 'day' as const, form: dayEnds },
    ],
    fixed: { desc: true },
    keyOf: ({ id }: Entry) => id,
    empty: <Empty title={words.empty} />,
    elsewhere: <Elsewhere />,
  }
  return (
    <ListPage title={words.title} about={words.about} list={list}>
      <p>
        <a href={`${root}/plat/data/audit?format=csv`} download="audit.csv">
          {words.export}
        </a>
      </p>
      {shown && <Change entry={shown} close={() => setShown(undefined)} />}
    </ListPage>
  )
}
