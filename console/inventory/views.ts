// Custom views: named selections of devices.

import { hrefOf } from '../core/address.ts'
import { list } from '../core/api.ts'
import { html } from '../core/html.ts'
import { deviceName, useDeviceNames } from '../parts/device-names.ts'
import type { ChoosingProps, FormField, Values } from '../parts/form.ts'
import type { Column } from '../parts/list.ts'
import { useLoad } from '../parts/load.ts'
import { Records } from '../parts/records.ts'
import { Status } from '../parts/status.ts'
import { DeviceChoice } from '../rules/choose.ts'
import { type Named, Pick } from '../rules/pick.ts'
import type { NamedDevice } from '../rules/rule.ts'
import { viewTexts as words } from '../texts/inventory.ts'
import { numberText } from '../texts/shared.ts'

interface View {
  readonly symbolId: string
  readonly name: string
  readonly runStatus: string
  readonly upLevelSymbolId?: string
  readonly allDevices?: string
  readonly member: readonly string[]
  readonly view?: readonly string[]
}

const path = '/plat/res/view/custom'

function useViews(): readonly Named[] {
  const { data } = useLoad((over) => list<View>(path, { size: 500, orderBy: 'name' }, over), [])
  return (data?.rows ?? []).map(({ symbolId, name }) => ({ id: symbolId, name }))
}

function ViewNames({ ids }: { ids: readonly string[] }) {
  const views = useViews()
  return html`<span>${ids.map((id) => views.find((view) => view.id === id)?.name ?? id).join(', ')}</span>`
}

const columns: readonly Column<View>[] = [
  { title: words.name, order: 'name', kind: 'wide', cell: ({ name }) => html`<b>${name}</b>` },
  { title: words.status, cell: ({ runStatus }) => html`<${Status} status=${runStatus} />` },
  {
    title: words.members,
    kind: 'number',
    cell: ({ allDevices, member }) => (allDevices === 'true' ? words.everyone : numberText(member.length)),
  },
  {
    title: words.contains,
    cell: ({ view = [] }) => view.length > 0 && html`<${ViewNames} ids=${view} />`,
  },
  {
    title: words.alarms,
    cell: ({ symbolId }) => html`<a href=${hrefOf('alarms', '', { view: symbolId })}>${words.alarms}</a>`,
  },
]

/** The form holds ids in one text. */
const idsOf = (text = '') => text.split(' ').filter(Boolean)

function Members({ value, change }: ChoosingProps) {
  const ids = idsOf(value)
  useDeviceNames(ids)
  const devices = ids.map((id) => ({ id, name: deviceName(id) || id }))
  const changed = (next: readonly NamedDevice[]) => change(next.map(({ id }) => id).join(' '))
  return html`<b>${words.members}</b><${DeviceChoice} devices=${devices} change=${changed} />`
}

/** Any but the view itself. */
function Contained({ value, values, change }: ChoosingProps) {
  const others = useViews().filter(({ id }) => id !== values.symbolId)
  if (others.length === 0) return html`<p class="hint">${words.noOthers}</p>`
  const changed = (ids: readonly string[]) => change(ids.join(' '))
  return html`<${Pick} label=${words.contains} all=${others} chosen=${idsOf(value)} change=${changed} />`
}

/** One view, or none; any but the view itself. */
function Above({ value, values, change }: ChoosingProps) {
  const others = useViews().filter(({ id }) => id !== values.symbolId)
  return html`<label>${words.above}
      <select value=${value} onChange=${(event: Event) => change((event.target as HTMLSelectElement).value)}>
        <option value="">${words.topmost}</option>
        ${others.map(({ id, name }) => html`<option key=${id} value=${id} selected=${id === value}>${name}</option>`)}
      </select>
    </label>
    <p class="hint">${words.aboveHint}</p>`
}

const fields: readonly FormField[] = [
  { name: 'name', label: words.name, required: true },
  { name: 'allDevices', label: words.all, kind: 'check' },
  { name: 'member', label: words.members, control: Members },
  { name: 'view', label: words.contains, hint: words.containsHint, control: Contained },
  { name: 'upLevelSymbolId', label: words.above, control: Above },
]

const toForm = ({ symbolId, name, upLevelSymbolId = '', allDevices, member, view = [] }: View): Values => ({
  symbolId,
  upLevelSymbolId,
  name,
  allDevices: allDevices ?? 'false',
  member: member.join(' '),
  view: view.join(' '),
})

const fromForm = ({ name, upLevelSymbolId, allDevices, member, view }: Values) => ({
  name,
  upLevelSymbolId,
  allDevices: allDevices ?? 'false',
  member: idsOf(member),
  view: idsOf(view),
})

export default function ViewsPage() {
  return html`<${Records}
    title=${words.title}
    noun=${words.one}
    about=${words.about}
    path=${path}
    columns=${columns}
    filters=${[{ name: 'name', label: words.name, anywhere: true }]}
    fields=${fields}
    toForm=${toForm}
    fromForm=${fromForm}
    keyOf=${({ symbolId }: View) => symbolId}
    nameOf=${({ name }: View) => name}
    emptyHint=${words.emptyHint}
  />`
}
