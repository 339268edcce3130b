// Zones, with links to their contents.

import { hrefOf } from '../core/address.ts'
import { list } from '../core/api.ts'
import { html } from '../core/html.ts'
import type { Column } from '../parts/list.ts'
import { useLoad } from '../parts/load.ts'
import { Records } from '../parts/records.ts'
import { zoneTexts as words } from '../texts/inventory.ts'

export interface Zone {
  readonly zoneId: string
  readonly name: string
  readonly description: string
}

/** Names of zones, by id. */
export function useZones(): Readonly<Record<string, string>> {
  const { data } = useLoad((over) => list<Zone>('/ram/zone', { size: 1000, orderBy: 'name' }, over), [])
  return Object.fromEntries((data?.rows ?? []).map(({ zoneId, name }) => [zoneId, name]))
}

const first = '1'

const columns: readonly Column<Zone>[] = [
  { title: words.name, order: 'name', cell: ({ name }) => html`<b>${name}</b>` },
  { title: words.description, kind: 'wide', cell: ({ description }) => description },
  {
    title: words.devices,
    cell: ({ zoneId }) => html`<a href=${hrefOf('devices', '', { zoneId })}>${words.show}</a>`,
  },
]

export default function ZonesPage() {
  const zones = useZones()
  const others = ({ zoneId }: Zone) =>
    Object.fromEntries(Object.entries(zones).filter(([id]) => id !== zoneId))
  return html`<${Records}
    title=${words.title}
    noun=${words.one}
    about=${words.about}
    path="/ram/zone"
    columns=${columns}
    filters=${[{ name: 'name', label: words.name, anywhere: true }]}
    fields=${[
      { name: 'name', label: words.name, required: true },
      { name: 'description', label: words.description },
    ]}
    keyOf=${({ zoneId }: Zone) => zoneId}
    nameOf=${({ name }: Zone) => name}
    deletable=${({ zoneId }: Zone) => zoneId !== first}
    deleteHint=${words.deleteHint}
    deleteChoice=${(zone: Zone) => ({ name: 'moveTo', label: words.moveTo, none: words.nowhere, choices: others(zone) })}
    emptyHint=${words.emptyHint}
  />`
}
