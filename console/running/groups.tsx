// Groups of operators: who sees the reports that are for a group.

import { SeveralByName } from '../parts/by-name.tsx'
import type { ChoosingProps, FormField, Values } from '../parts/form.tsx'
import type { Column } from '../parts/list.tsx'
import { Records } from '../parts/records.tsx'
import { groupTexts as words } from '../texts/service-texts.ts'
import { numberText } from '../texts/shared-texts.ts'

export interface Group {
  readonly operatorGroupId: string
  readonly operatorGroupName: string
  readonly description: string
  readonly member: readonly string[]
}

/** The first three are the roles. */
const isRole = ({ operatorGroupId }: Pick<Group, 'operatorGroupId'>) => Number(operatorGroupId) <= 3

const columns: readonly Column<Group>[] = [
  {
    title: words.name,
    order: 'operatorGroupName',
    cell: ({ operatorGroupName }) => <b>{operatorGroupName}</b>,
  },
  { title: words.description, kind: 'wide', cell: ({ description }) => description },
  {
    title: words.members,
    kind: 'number',
    cell: (group) => (isRole(group) ? words.byRole : numberText(group.member.length)),
  },
]

function Members({ value, values, change }: ChoosingProps) {
  if (isRole({ operatorGroupId: values.operatorGroupId || '4' })) return null
  const chosen = value.split(' ').filter(Boolean)
  return (
    <SeveralByName
      label={words.members}
      kind="operator"
      none={words.noOperators}
      chosen={chosen}
      change={(ids: readonly string[]) => change(ids.join(' '))}
    />
  )
}

const fields: readonly FormField[] = [
  { name: 'operatorGroupName', label: words.name, required: true },
  { name: 'description', label: words.description },
  { name: 'member', label: words.members, control: Members },
]

const toForm = ({ operatorGroupId, operatorGroupName, description, member }: Group): Values => ({
  operatorGroupId,
  operatorGroupName,
  description,
  member: member.join(' '),
})

const fromForm = ({ operatorGroupName, description, member = '' }: Values) => ({
  operatorGroupName,
  description,
  member: member.split(' ').filter(Boolean),
})

export const Groups = () => (
  <Records
    queryPrefix="group"
    title={words.title}
    noun={words.one}
    about={words.about}
    changes="administrator"
    path="/plat/operatorGroup"
    columns={columns}
    filters={[{ name: 'operatorGroupName', label: words.find, anywhere: true }]}
    fields={fields}
    toForm={toForm}
    fromForm={fromForm}
    keyOf={({ operatorGroupId }: Group) => operatorGroupId}
    nameOf={({ operatorGroupName }: Group) => operatorGroupName}
    deletable={(group: Group) => !isRole(group)}
    emptyHint={words.emptyHint}
  />
)
