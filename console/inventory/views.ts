// Custom views: named choices of devices.

import { hrefOf } from '../core/address.ts'
import { html } from '../core/html.ts'
import type { Values } from '../parts/form.ts'
import type { Column } from '../parts/list.ts'
import { Records } from '../parts/records.ts'
import { Status } from '../parts/status.ts'
import { viewTexts as words } from '../texts/inventory.ts'
import { numberText } from '../texts/shared.ts'

interface View {
  readonly symbolId: string
  readonly name: string
  readonly runStatus: string
  readonly allDevices?: string
  readonly member: readonly string[]
  readonly view?: readonly string[]
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
    title: words.alarms,
    cell: ({ symbolId }) => html`<a href=${hrefOf('alarms', '', { view: symbolId })}>${words.alarms}</a>`,
  },
  { title: words.id, kind: 'number', order: 'symbolId', cell: ({ symbolId }) => symbolId },
]

const ids = (text = '') => text.split(/[\s,]+/).filter(Boolean)

const toForm = ({ name, allDevices, member, view = [] }: View): Values => ({
  name,
  allDevices: allDevices ?? 'false',
  member: member.join(' '),
  view: view.join(' '),
})

const fromForm = ({ name, allDevices, member, view }: Values) => ({
  name,
  allDevices: allDevices ?? 'false',
  member: ids(member),
  view: ids(view),
})

export default function ViewsPage() {
  return html`<${Records}
    title=${words.title}
    noun=${words.one}
    about=${words.about}
    path="/plat/res/view/custom"
    columns=${columns}
    filters=${[{ name: 'name', label: words.name, anywhere: true }]}
    fields=${[
      { name: 'name', label: words.name, required: true },
      { name: 'allDevices', label: words.all, kind: 'check' },
      { name: 'member', label: words.members, kind: 'area', hint: words.membersHint },
      { name: 'view', label: words.contains, hint: words.containsHint },
    ]}
    toForm=${toForm}
    fromForm=${fromForm}
    keyOf=${({ symbolId }: View) => symbolId}
    nameOf=${({ name }: View) => name}
    emptyHint=${words.emptyHint}
  />`
}
