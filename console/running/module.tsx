// What one module defines: its notifications with what they carry, and its objects.

import { read } from '../core/api.ts'
import { Dialog } from '../parts/dialog.tsx'
import { type Column, Table } from '../parts/list.tsx'
import { useLoad, When } from '../parts/load.tsx'
import { moduleTexts as words } from '../texts/service-texts.ts'

interface Defined {
  readonly name: string
  readonly oid: string
}

interface ModuleObject extends Defined {
  readonly type?: string
  readonly values?: string
  readonly units?: string
}

interface Notification extends Defined {
  readonly object: readonly string[]
  readonly description?: string
}

interface Whole {
  readonly object: readonly ModuleObject[]
  readonly notification: readonly Notification[]
}

const named: readonly Column<Defined>[] = [
  { title: words.object, cell: ({ name }) => <b>{name}</b> },
  { title: words.oid, kind: 'mono', cell: ({ oid }) => oid },
]

const notificationColumns: readonly Column<Notification>[] = [
  ...named,
  {
    title: words.carries,
    kind: 'wide',
    cell: ({ object, description }) => (
      <>
        {object.join(', ')}
        {description && <p class="hint">{description}</p>}
      </>
    ),
  },
]

const objectColumns: readonly Column<ModuleObject>[] = [
  ...named,
  { title: words.type, cell: ({ type, units }) => [type, units].filter(Boolean).join(', ') },
  { title: words.values, kind: 'wide', cell: ({ values }) => values },
]

const maxShown = 500

interface PartProps<T> {
  readonly title: string
  readonly rows: readonly T[]
  readonly columns: readonly Column<T>[]
}

function Part<T extends Defined>({ title, rows, columns }: PartProps<T>) {
  if (rows.length === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <Table
        columns={columns}
        rows={rows.slice(0, maxShown)}
        caption={title}
        keyOf={({ oid, name }: T) => `${oid} ${name}`}
      />
      {rows.length > maxShown && <p class="hint">{words.more(rows.length - maxShown)}</p>}
    </>
  )
}

export function ModuleDialog({ name, close }: { name: string; close: () => void }) {
  const loaded = useLoad(
    (over) => read<Whole>(`/fault/mibModule/${encodeURIComponent(name)}`, {}, over),
    [name],
  )
  return (
    <Dialog title={name} onClose={close} wide>
      <When
        loaded={loaded}
        show={({ notification, object }: Whole) => (
          <>
            <Part title={words.notifications} rows={notification} columns={notificationColumns} />
            <Part title={words.objects} rows={object} columns={objectColumns} />
            {notification.length + object.length === 0 && <p class="hint">{words.nothing}</p>}
          </>
        )}
      />
    </Dialog>
  )
}
