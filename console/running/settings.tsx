// The settings the service runs with.

import { useState } from 'preact/hooks'
import { address } from '../core/address.ts'
import { list, type Rows } from '../core/api.ts'
import { type Column, Table } from '../parts/list.tsx'
import { ListFilters } from '../parts/list-filters.tsx'
import { useLoad, When } from '../parts/load.tsx'
import { settingTexts as words } from '../texts/service-texts.ts'
import { Store } from './store.tsx'

interface Setting {
  readonly name: string
  readonly value: string
  readonly source: string
  readonly place: string
  readonly byDefault: string
  readonly description: string
}

const secret = 'trap-communities'

const valueCell = ({ name, value, source }: Setting) => {
  if (value !== '') return <code>{value}</code>
  return <span class="hint">{name === secret && source !== 'default' ? words.hidden : words.empty}</span>
}

const columns: readonly Column<Setting>[] = [
  { title: words.name, cell: ({ name }) => <b>{name}</b> },
  { title: words.value, kind: 'wide', cell: valueCell },
  {
    title: words.source,
    cell: ({ source, place }) => (
      <>
        {words.sources[source] ?? source}
        {place !== '' && (
          <>
            {' '}
            <span class="mono hint">{place}</span>
          </>
        )}
      </>
    ),
  },
  {
    title: words.description,
    kind: 'wide',
    cell: ({ description }) => <span class="hint">{description}</span>,
  },
]

const filters = [{ name: 'name', label: words.name, anywhere: true }]

export default function SettingsPage() {
  const [changed, setChanged] = useState(false)
  const part = address.value.query.get('name')?.trim().toLowerCase() ?? ''
  const isShown = ({ name, source }: Setting) => name.includes(part) && (!changed || source !== 'default')
  const loaded = useLoad((over) => list<Setting>('/plat/setting', {}, over), [])
  return (
    <section class="page">
      <header class="page-head">
        <h1>{words.title}</h1>
      </header>
      <p class="hint about">{words.about}</p>
      <Store />
      <ListFilters filters={filters} queryPrefix={undefined} />
      <label class="check">
        <input type="checkbox" checked={changed} onChange={() => setChanged(!changed)} />
        {words.changed}
      </label>
      <When
        loaded={loaded}
        show={({ rows }: Rows<Setting>) => (
          <Table
            columns={columns}
            rows={rows.filter(isShown)}
            caption={words.title}
            keyOf={({ name }: Setting) => name}
          />
        )}
      />
    </section>
  )
}
