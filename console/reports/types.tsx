// Report types: groups of reports.

import { list } from '../core/api.ts'
import type { FormField } from '../parts/form.tsx'
import type { Column } from '../parts/list.tsx'
import { useLoad } from '../parts/load.tsx'
import { Records } from '../parts/records.tsx'
import { reportTexts as words } from '../texts/report-texts.ts'
import { numberText } from '../texts/shared-texts.ts'

interface ReportType {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly report?: string
  readonly templates: string
}

const columns: readonly Column<ReportType>[] = [
  { title: words.typeName, order: 'name', cell: ({ name }) => <b>{name}</b> },
  { title: words.description, kind: 'wide', cell: ({ description }) => description },
  { title: words.typeReport, cell: ({ report }) => report },
  { title: words.templates, kind: 'number', cell: ({ templates }) => numberText(Number(templates)) },
]

const fieldsFor = (reports: Readonly<Record<string, string>>): readonly FormField[] => [
  { name: 'name', label: words.typeName, required: true },
  { name: 'description', label: words.description },
  {
    name: 'report',
    label: words.typeReport,
    kind: 'choice',
    choices: { '': words.nothingElse, ...reports },
  },
]

const toForm = ({ name, description, report = '' }: ReportType) => ({ name, description, report })

export function Types() {
  const { data } = useLoad((over) => list<{ name: string; words: string }>('/report/report', {}, over), [])
  const reports = Object.fromEntries((data?.rows ?? []).map((one) => [one.name, one.name]))
  return (
    <Records
      queryPrefix="type"
      title={words.types}
      noun={words.typeOne}
      about={words.typesAbout}
      path="/report/reportType"
      columns={columns}
      filters={[{ name: 'name', label: words.findType, anywhere: true }]}
      fields={fieldsFor(reports)}
      toForm={toForm}
      keyOf={({ id }: ReportType) => id}
      nameOf={({ name }: ReportType) => name}
      deletable={({ templates }: ReportType) => templates === '0'}
      emptyHint={words.typesEmpty}
    />
  )
}
