// Custom views: named selections of devices.

import { hrefOf } from '../core/address.ts'
import { NameOf, SeveralByName, useChoosable } from '../parts/by-name.tsx'
import { deviceName, useDeviceNames } from '../parts/device-names.tsx'
import type { ChoosingProps, FormField, Values } from '../parts/form.tsx'
import type { Column } from '../parts/list.tsx'
import { Records } from '../parts/records.tsx'
import { Status } from '../parts/status.tsx'
import { DeviceChoice } from '../rules/choose.tsx'
import type { NamedDevice } from '../rules/rule.ts'
import { viewTexts as words } from '../texts/inventory-texts.ts'
import { numberText } from '../texts/shared-texts.ts'

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

function ViewNames({ ids }: { ids: readonly string[] }) {
  const views = useChoosable('view')
  return (
    <span>
      {ids.map((id, index) => (
        <>
          {index > 0 && ', '}
          <NameOf key={id} among={views} id={id} />
        </>
      ))}
    </span>
  )
}

const columns: readonly Column<View>[] = [
  { title: words.name, order: 'name', kind: 'wide', cell: ({ name }) => <b>{name}</b> },
  { title: words.status, cell: ({ runStatus }) => <Status status={runStatus} /> },
  {
    title: words.members,
    kind: 'number',
    cell: ({ allDevices, member }) => (allDevices === 'true' ? words.everyone : numberText(member.length)),
  },
  {
    title: words.contains,
    cell: ({ view = [] }) => view.length > 0 && <ViewNames ids={view} />,
  },
  {
    title: words.alarms,
    cell: ({ symbolId }) => <a href={hrefOf('alarms', '', { view: symbolId })}>{words.alarms}</a>,
  },
]

/** The form holds ids in one text. */
const idsOf = (text = '') => text.split(' ').filter(Boolean)

function Members({ value, change }: ChoosingProps) {
  const ids = idsOf(value)
  useDeviceNames(ids)
  const devices = ids.map((id) => ({ id, name: deviceName(id) || id }))
  const changed = (next: readonly NamedDevice[]) => change(next.map(({ id }) => id).join(' '))
  return (
    <>
      <b>{words.members}</b>
      <DeviceChoice devices={devices} change={changed} />
    </>
  )
}

/** Any but the view itself. */
function Contained({ value, values, change }: ChoosingProps) {
  const changed = (ids: readonly string[]) => change(ids.join(' '))
  return (
    <SeveralByName
      label={words.contains}
      kind="view"
      without={values.symbolId ?? ''}
      none={words.noOthers}
      chosen={idsOf(value)}
      change={changed}
    />
  )
}

const fields: readonly FormField[] = [
  { name: 'name', label: words.name, required: true },
  { name: 'allDevices', label: words.all, kind: 'check' },
  { name: 'member', label: words.members, control: Members },
  { name: 'view', label: words.contains, hint: words.containsHint, control: Contained },
  {
    ...{
      name: 'upLevelSymbolId',
      label: words.above,
      hint: words.aboveHint,
      of: 'view',
      none: words.topmost,
    },
    without: ({ symbolId = '' }) => symbolId,
  },
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
  return (
    <Records
      title={words.title}
      noun={words.one}
      about={words.about}
      path={path}
      columns={columns}
      filters={[{ name: 'name', label: words.name, anywhere: true }]}
      fields={fields}
      toForm={toForm}
      fromForm={fromForm}
      keyOf={({ symbolId }: View) => symbolId}
      nameOf={({ name }: View) => name}
      emptyHint={words.emptyHint}
    />
  )
}
