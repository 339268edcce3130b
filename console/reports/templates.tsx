// All reports: those that come with the service, and those that were made here.

import { hrefOf } from '../core/address.ts'
import { SeveralByName } from '../parts/by-name.tsx'
import type { ChoosingProps, FormField, Values } from '../parts/form.tsx'
import type { Column } from '../parts/list.tsx'
import { Records } from '../parts/records.tsx'
import { readBack, written } from '../parts/row-values.ts'
import { rowsOf } from '../parts/rows.tsx'
import type { Group } from '../running/groups.tsx'
import { reportTexts as words } from '../texts/report-texts.ts'
import { Types } from './types.tsx'

interface Template {
  readonly id: string
  readonly name: string
  readonly reportTypeName: string
  readonly customeDef: string
  readonly location?: string
  readonly parameter?: readonly object[]
  readonly data?: string
  readonly columns?: string
  readonly filter?: string
  readonly groupBy?: string
  readonly chart?: string
  readonly operatorGroup?: readonly Pick<Group, 'operatorGroupId'>[]
}

const columns: readonly Column<Template>[] = [
  {
    title: words.name,
    kind: 'wide',
    cell: ({ id, name }) => <a href={hrefOf('report', id)}>{name}</a>,
  },
  { title: words.type, cell: ({ reportTypeName }) => reportTypeName },
  { title: words.defined, cell: ({ customeDef }) => words.kinds[customeDef] ?? customeDef },
]

/** The form holds the numbers of groups in one text. */
const idsOf = (text = '') => text.split(' ').filter(Boolean)

function GroupChoice({ value, change }: ChoosingProps) {
  return (
    <SeveralByName
      label={words.groups}
      kind="group"
      chosen={idsOf(value)}
      change={(ids: readonly string[]) => change(ids.join(' '))}
    />
  )
}

const declared = rowsOf({
  field: 'parameter',
  title: words.declared,
  hint: words.declaredHint,
  noun: words.declaredOne,
  columns: [
    { name: 'parameterName', label: words.declaredName, required: true },
    { name: 'dataType', label: words.declaredType, required: true, placeholder: 'dateTime' },
  ],
})

const fields: readonly FormField[] = [
  { name: 'name', label: words.name, required: true },
  { name: 'reportTypeName', label: words.type, required: true },
  { name: 'data', label: words.data, kind: 'choice', choices: words.dataKinds, hint: words.dataHint },
  { name: 'columns', label: words.columns, hint: words.columnsHint },
  { name: 'filter', label: words.filter, hint: words.filterHint },
  { name: 'groupBy', label: words.groupBy, hint: words.groupByHint },
  { name: 'chart', label: words.chart, kind: 'choice', choices: words.charts },
  { name: 'operatorGroup', label: words.groups, control: GroupChoice, hint: words.groupsHint },
  { name: 'location', label: words.location, hint: words.locationHint },
  { name: 'parameter', label: words.declared, control: declared, placesErrors: true },
]

const toForm = (template: Template): Values => {
  const {
    name,
    reportTypeName,
    data = '',
    columns: shown = '',
    filter = '',
    groupBy = '',
    chart = '',
    location = '',
  } = template
  const groups = (template.operatorGroup ?? []).map(({ operatorGroupId }) => operatorGroupId)
  return {
    ...{ name, reportTypeName, data, columns: shown, filter, groupBy, chart, location },
    parameter: written(template.parameter),
    operatorGroup: groups.join(' '),
  }
}

/** Groups that the template has keep their other fields. */
const fromForm = ({ operatorGroup, parameter, ...values }: Values, before: Template | undefined) => ({
  ...values,
  parameter: readBack(parameter),
  operatorGroup: idsOf(operatorGroup).map(
    (operatorGroupId) =>
      before?.operatorGroup?.find((one) => one.operatorGroupId === operatorGroupId) ?? { operatorGroupId },
  ),
})

export default function ReportsPage() {
  return (
    <Records
      title={words.title}
      noun={words.one}
      about={words.about}
      path="/report/reportTemplate"
      columns={columns}
      filters={[
        { name: 'templateName', label: words.name, anywhere: true },
        { name: 'reportType', label: words.type, anywhere: true },
        { name: 'reportDefinedType', label: words.defined, choices: words.kinds },
      ]}
      fixed={{ reportDefinedType: -1 }}
      fields={fields}
      blank={{ reportTypeName: 'Alarm Report', data: 'alarm', groupBy: 'day', chart: 'bars' }}
      toForm={toForm}
      fromForm={fromForm}
      keyOf={({ id }: Template) => id}
      nameOf={({ name }: Template) => name}
      deletable={({ customeDef }: Template) => customeDef === '1'}
      emptyHint={words.emptyHint}
    >
      <Types />
    </Records>
  )
}
