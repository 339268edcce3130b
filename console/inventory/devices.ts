// Devices, with their state.

import { hrefOf } from '../core/address.ts'
import { html } from '../core/html.ts'
import { may } from '../core/session.ts'
import type { FormField } from '../parts/form.ts'
import type { Column } from '../parts/list.ts'
import { Records } from '../parts/records.ts'
import { Status } from '../parts/status.ts'
import { deviceTexts as words } from '../texts/inventory.ts'
import { useZones } from './zones.ts'

export interface Device {
  readonly id: string
  readonly ip: string
  readonly label: string
  readonly mask: string
  readonly status: string
  readonly sysName: string
  readonly sysDescription: string
  readonly sysOid: string
  readonly location: string
  readonly contact: string
  readonly typeName: string
  readonly zoneId?: string
  readonly interfaces: readonly { readonly ifIndex: string; readonly ifDesc: string }[]
  readonly otherAddress: readonly { readonly ip: string }[]
  readonly parent?: readonly {
    readonly deviceId: string
    readonly ifIndex?: string
    readonly parentIfIndex?: string
  }[]
}

type Zones = Readonly<Record<string, string>>

const columnsFor = (zones: Zones): readonly Column<Device>[] => [
  {
    title: words.label,
    order: 'label',
    cell: ({ id, label }) => html`<a href=${hrefOf('device', id)}>${label}</a>`,
  },
  { title: words.status, cell: ({ status }) => html`<${Status} status=${status} />` },
  { title: words.ip, order: 'ip', cell: ({ ip }) => ip },
  { title: words.type, cell: ({ typeName }) => typeName },
  { title: words.location, kind: 'wide', cell: ({ location }) => location },
  { title: words.zone, cell: ({ zoneId }) => zones[zoneId ?? '1'] ?? '' },
]

const fieldsFor = (zones: Zones): readonly FormField[] => [
  { name: 'label', label: words.label, required: true },
  { name: 'ip', label: words.ip, required: true },
  { name: 'zoneId', label: words.zone, kind: 'choice', choices: zones },
  { name: 'typeName', label: words.type },
  { name: 'location', label: words.location },
  { name: 'contact', label: words.contact },
]

const shownInForm = ({ label, ip, zoneId = '1', typeName, location, contact }: Device) => ({
  label,
  ip,
  zoneId,
  typeName,
  location,
  contact,
})

export default function DevicesPage() {
  const zones = useZones()
  return html`<${Records}
    title=${words.title}
    noun=${words.one}
    about=${words.about}
    path="/plat/res/device"
    columns=${columnsFor(zones)}
    filters=${[
      { name: 'label', label: words.label, anywhere: true },
      { name: 'ip', label: words.ip, anywhere: true },
      { name: 'zoneId', label: words.zone, choices: zones },
    ]}
    fields=${fieldsFor(zones)}
    blank=${{ zoneId: '1' }}
    toForm=${shownInForm}
    keyOf=${({ id }: Device) => id}
    nameOf=${({ label }: Device) => label}
    emptyHint=${words.emptyHint}
  >${may('operator') && html`<p><a href=${hrefOf('import', '', { kind: 'device' })}>${words.import}</a></p>`}<//>`
}
