// Discoveries: searches for devices in ranges of addresses.

import { hrefOf } from '../core/address.ts'
import type { FormField, Values } from '../parts/form.tsx'
import type { Column } from '../parts/list.tsx'
import { Records } from '../parts/records.tsx'
import { Ago } from '../parts/time.tsx'
import { discoveryTexts as words } from '../texts/discovery-texts.ts'

export interface Discovery {
  readonly id: string
  readonly name: string
  readonly description?: string
  readonly addressRange: readonly string[]
  readonly neighbourRange?: readonly string[]
  readonly zoneId: string
  readonly state: string
  readonly problem?: string
  readonly began: string
  readonly ended: string
  readonly total: string
  readonly asked: string
  readonly answering: string
  readonly refusing: string
  readonly known: string
  readonly named: string
}

export const discoveryPath = '/plat/discovery'

export const State = ({ of: { state } }: { of: Pick<Discovery, 'state'> }) => (
  <span class="tag">{words.states[state] ?? state}</span>
)

const columns: readonly Column<Discovery>[] = [
  {
    title: words.name,
    order: 'name',
    kind: 'wide',
    cell: ({ id, name, description }) => (
      <>
        <a href={hrefOf('discovery', id)}>{name}</a> {description && <span class="hint">{description}</span>}
      </>
    ),
  },
  { title: words.ranges, kind: 'mono', cell: ({ addressRange }) => addressRange.slice(0, 3).join(', ') },
  { title: words.state, cell: (row) => <State of={row} /> },
  { title: words.answering, kind: 'number', cell: ({ answering }) => answering },
  {
    title: words.began,
    kind: 'number',
    cell: ({ began }) => (Number(began) > 0 ? <Ago at={Number(began)} /> : '-'),
  },
]

const fields: readonly FormField[] = [
  { name: 'name', label: words.name, required: true },
  { name: 'description', label: words.description },
  { name: 'addressRange', label: words.ranges, kind: 'area', hint: words.rangesHint, required: true },
  { name: 'neighbourRange', label: words.neighbourRanges, kind: 'area', hint: words.neighbourHint },
  { name: 'zoneId', label: words.zone, of: 'zone', none: words.defaultZone },
]

const lines = (text = '') => text.split(/[\s,]+/).filter((one) => one !== '')

const fromForm = ({ addressRange, neighbourRange, zoneId, ...others }: Values) => ({
  ...others,
  ...(zoneId && { zoneId }),
  addressRange: lines(addressRange),
  neighbourRange: lines(neighbourRange),
})

const toForm = ({ name, description = '', addressRange, neighbourRange = [], zoneId }: Discovery) => ({
  ...{ name, description, zoneId },
  addressRange: addressRange.join('\n'),
  neighbourRange: neighbourRange.join('\n'),
})

export default function DiscoveriesPage() {
  return (
    <Records
      title={words.title}
      noun={words.one}
      about={words.about}
      path={discoveryPath}
      columns={columns}
      filters={[{ name: 'name', label: words.name, anywhere: true }]}
      fixed={{ orderBy: 'name' }}
      fields={fields}
      changes="administrator"
      toForm={toForm}
      fromForm={fromForm}
      keyOf={({ id }: Discovery) => id}
      nameOf={({ name }: Discovery) => name}
      emptyHint={words.emptyHint}
      deleteHint={words.deleteHint}
      every={10}
    />
  )
}
