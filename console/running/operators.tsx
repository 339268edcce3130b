// Operators: who may call, and what each may do.

import { session } from '../core/session.ts'
import type { FormField, Values } from '../parts/form.tsx'
import type { Column } from '../parts/list.tsx'
import { presenceFields } from '../parts/presence.tsx'
import { Records } from '../parts/records.tsx'
import { Ago } from '../parts/time.tsx'
import { operatorTexts as words } from '../texts/service-texts.ts'
import { Groups } from './groups.tsx'

interface Operator {
  readonly id: string
  readonly name: string
  readonly fullName?: string
  readonly role: string
  readonly enabled?: string
  readonly digest?: string
  readonly description?: string
  readonly authType: string
  readonly lastLoginTime: string
}

const columns: readonly Column<Operator>[] = [
  { title: words.name, order: 'name', cell: ({ name }) => <b>{name}</b> },
  { title: words.fullName, kind: 'wide', cell: ({ fullName }) => fullName },
  { title: words.role, cell: ({ role }) => role },
  { title: words.knownBy, cell: ({ authType }) => words.knownByWays[authType] },
  { title: words.enabled, cell: ({ enabled = 'true' }) => words.enabledShort[enabled] },
  {
    title: words.lastLogin,
    cell: ({ lastLoginTime }) => (lastLoginTime === '0' ? words.never : <Ago at={Number(lastLoginTime)} />),
  },
  { title: words.description, kind: 'wide', cell: ({ description }) => description },
]

const isNew = ({ isNew: mark = '' }: Values) => mark === 'true'

const fieldsFor = (): readonly FormField[] => [
  { name: 'name', label: words.name, required: true },
  { name: 'fullName', label: words.fullName },
  { name: 'role', label: words.role, kind: 'choice', choices: words.roles, required: true },
  {
    name: 'password',
    label: words.password,
    kind: 'password',
    hint: words.passwordRule,
    required: true,
    shown: isNew,
  },
  {
    name: 'password',
    label: words.password,
    kind: 'password',
    hint: words.passwordHint,
    shown: (values) => !isNew(values),
  },
  { name: 'keepTokens', label: words.keepTokens, kind: 'check', shown: (values) => !isNew(values) },
  { name: 'description', label: words.description },
  { name: 'enabled', label: words.enabled, kind: 'check' },
  { name: 'digest', label: words.digest, kind: 'check' },
  ...presenceFields(),
]

const toForm = ({
  name,
  fullName = '',
  role,
  enabled = 'true',
  digest = 'true',
  description = '',
}: Operator): Values => ({
  name,
  fullName,
  role,
  enabled,
  digest,
  description,
})

/** A password that is not given stays what it is. */
const fromForm = ({ password = '', keepTokens: _, isNew: __, ...values }: Values) =>
  password === '' ? values : { ...values, password }

/** Whether tokens stay is a parameter of the request, and no part of the operator. */
const queryOf = ({ keepTokens }: Values, before: Operator | undefined) =>
  before && keepTokens === 'true' ? { keepTokens } : {}

export default function OperatorsPage() {
  const isOpen = session.value.state === 'open'
  return (
    <Records
      title={words.title}
      noun={words.one}
      about={isOpen ? words.first : words.about}
      changes="administrator"
      path="/plat/operator"
      columns={columns}
      filters={[
        { name: 'name', label: words.name, anywhere: true },
        { name: 'role', label: words.role, choices: words.roleNames },
      ]}
      fields={fieldsFor()}
      blank={{
        isNew: 'true',
        role: isOpen ? 'administrator' : 'operator',
        enabled: 'true',
        digest: isOpen ? 'true' : 'false',
      }}
      toForm={toForm}
      fromForm={fromForm}
      queryOf={queryOf}
      keyOf={({ id }: Operator) => id}
      nameOf={({ name }: Operator) => name}
      emptyHint={words.emptyHint}
      deleteHint={words.deleteHint}
      isDeletingDangerous
    >
      <Groups />
    </Records>
  )
}
