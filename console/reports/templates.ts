// All reports: those that come with the service, and those that were made here.

import { hrefOf } from '../core/address.ts'
import { html } from '../core/html.ts'
import type { FormField, Values } from '../parts/form.ts'
import type { Column } from '../parts/list.ts'
import { Records } from '../parts/records.ts'
import { reportTexts as words } from '../texts/reports.ts'

interface Template {
  readonly id: string
  readonly name: string
  readonly reportTypeName: string
  readonly customeDef: string
  readonly data?: string
  readonly columns?: string
  readonly filter?: string
  readonly groupBy?: string
  readonly chart?: string
}

const columns: readonly Column<Template>[] = [
  {
    title: words.name,
    kind: 'wide',
    cell: ({ id, name }) => html`<a href=${hrefOf('report', id)}>${name}</a>`,
  },
  { title: words.type, cell: ({ reportTypeName }) => reportTypeName },
  { title: words.defined, cell: ({ customeDef }) => words.kinds[customeDef] ?? customeDef },
]

const fields: readonly FormField[] = [
  { name: 'name', label: words.name, required: true },
  { name: 'reportTypeName', label: words.type, required: true },
  { name: 'data', label: words.data, kind: 'choice', choices: words.dataKinds, hint: words.dataHint },
  { name: 'columns', label: words.columns, hint: words.columnsHint },
  { name: 'filter', label: words.filter, hint: words.filterHint },
  { name: 'groupBy', label: words.groupBy, hint: words.groupByHint },
  { name: 'chart', label: words.chart, kind: 'choice', choices: words.charts },
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
  } = template
  return { name, reportTypeName, data, columns: shown, filter, groupBy, chart }
}

export default function ReportsPage() {
  return html`<${Records}
    title=${words.title}
    noun=${words.one}
    about=${words.about}
    path="/report/reportTemplate"
    columns=${columns}
    filters=${[
      { name: 'templateName', label: words.name, anywhere: true },
      { name: 'reportType', label: words.type, anywhere: true },
    ]}
    fixed=${{ reportDefinedType: -1 }}
    fields=${fields}
    blank=${{ reportTypeName: 'Alarm Report', data: 'alarm', groupBy: 'day', chart: 'bars' }}
    toForm=${toForm}
    keyOf=${({ id }: Template) => id}
    nameOf=${({ name }: Template) => name}
    deletable=${({ customeDef }: Template) => customeDef === '1'}
    emptyHint=${words.emptyHint}
  />`
}
