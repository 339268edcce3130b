// Zones, with links to their contents.

import { hrefOf } from '../core/address.ts'
import type { Column } from '../parts/list.tsx'
import { Records } from '../parts/records.tsx'
import { zoneTexts as words } from '../texts/inventory-texts.ts'

interface Zone {
  readonly zoneId: string
  readonly name: string
  readonly description: string
}

const first = '1'

const columns: readonly Column<Zone>[] = [
  { title: words.name, order: 'name', cell: ({ name }) => <b>{name}</b> },
  { title: words.description, kind: 'wide', cell: ({ description }) => description },
  {
    title: words.devices,
    cell: ({ zoneId }) => <a href={hrefOf('devices', '', { zoneId })}>{words.show}</a>,
  },
]

export default function ZonesPage() {
  return (
    <Records
      title={words.title}
      noun={words.one}
      about={words.about}
      path="/ram/zone"
      columns={columns}
      filters={[{ name: 'name', label: words.name, anywhere: true }]}
      fields={[
        { name: 'name', label: words.name, required: true },
        { name: 'description', label: words.description },
      ]}
      keyOf={({ zoneId }: Zone) => zoneId}
      nameOf={({ name }: Zone) => name}
      deletable={({ zoneId }: Zone) => zoneId !== first}
      deleteHint={words.deleteHint}
      deleteChoice={(zone: Zone) => ({
        name: 'moveTo',
        label: words.moveTo,
        none: words.nowhere,
        of: 'zone',
        without: zone.zoneId,
      })}
      emptyHint={words.emptyHint}
    />
  )
}
