// Report templates.

import { html } from '../core/html.ts'
import type { FormField, Values } from '../parts/form.ts'
import type { Column } from '../parts/list.ts'
import { Records } from '../parts/records.ts'
import { reportTexts as words } from '../texts/inventory.ts'

interface Template {
  readonly id: string
  readonly name: string
  readonly location?: string
  readonly reportTypeId?: string
  readonly reportTypeName: string
  readonly customeDef: string
  readonly parameter: readonly { readonly parameterName: string; readonly dataType: string }[]
}

const columns: readonly Column<Template>[] = [
  { title: words.name, kind: 'wide', cell: ({ name }) => html`<b>${name}</b>` },
  { title: words.type, cell: ({ reportTypeName }) => reportTypeName },
  {
    title: words.parameters,
    kind: 'wide',
    cell: ({ parameter }) => parameter.map(({ parameterName }) => parameterName).join(', '),
  },
  { title: words.defined, cell: ({ customeDef }) => words.kinds[customeDef] ?? customeDef },
  { title: words.location, cell: ({ location }) => location },
]

const fields: readonly FormField[] = [
  { name: 'name', label: words.name, required: true },
  { name: 'reportTypeName', label: words.type, required: true },
  { name: 'reportTypeId', label: words.typeId, kind: 'number' },
  { name: 'location', label: words.location },
  { name: 'parameter', label: words.parameters, kind: 'area', hint: words.parametersHint },
]

const toForm = ({ name, reportTypeName, reportTypeId = '', location = '', parameter }: Template): Values => ({
  name,
  reportTypeName,
  reportTypeId,
  location,
  parameter: parameter.map(({ parameterName, dataType }) => `${parameterName} ${dataType}`).join('\n'),
})

/** The last word of a line is the type. */
const fromForm = ({ parameter = '', ...values }: Values) => ({
  ...values,
  parameter: parameter
    .split('\n')
    .map((line) => /^(.*\S)\s+(\S+)$/.exec(line.trim()))
    .flatMap((match) => (match ? [{ parameterName: match[1], dataType: match[2] }] : [])),
})

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
    toForm=${toForm}
    fromForm=${fromForm}
    keyOf=${({ id }: Template) => id}
    nameOf=${({ name }: Template) => name}
    emptyHint=${words.emptyHint}
  />`
}
