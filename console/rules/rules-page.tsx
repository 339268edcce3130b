// The trap rules, with how many traps each has filtered.

import { hrefOf } from '../core/address.ts'
import { EventName } from '../parts/event-names.tsx'
import type { Column } from '../parts/list.tsx'
import { CreateLink, ListPage } from '../parts/list-page.tsx'
import { Empty } from '../parts/problem.tsx'
import { Ago } from '../parts/time.tsx'
import { numberText } from '../texts/shared-texts.ts'
import { ruleTexts as words } from '../texts/trap-texts.ts'
import type { Rule } from './rule.ts'
import { eventOf, groupText, placesText, whenText } from './words.ts'

function Filtered({ rule }: { rule: Rule }) {
  const oid = eventOf(rule)
  return oid === '' ? groupText(rule) : <EventName oid={oid} />
}

const columns: readonly Column<Rule>[] = [
  {
    title: words.name,
    order: 'trapRuleName',
    kind: 'wide',
    cell: ({ id, trapRuleName }) => <a href={hrefOf('rule', id)}>{trapRuleName ?? `${words.one} ${id}`}</a>,
  },
  { title: words.filters, kind: 'wide', cell: (rule) => <Filtered rule={rule} /> },
  { title: words.where, cell: placesText },
  { title: words.when, cell: whenText },
  { title: words.hits, kind: 'number', cell: ({ hits }) => numberText(Number(hits)) },
  {
    title: words.last,
    kind: 'number',
    cell: ({ lastHit }) => (lastHit === '0' ? words.never : <Ago at={Number(lastHit)} />),
  },
]

export default function RulesPage() {
  const create = <CreateLink page="rule" text={words.create} />
  const list = {
    path: '/fault/trapRule',
    columns,
    filters: [
      { name: 'trapRuleName', label: words.name, anywhere: true },
      { name: 'trapOId', label: words.oid, hint: '1.3.6.1.…*' },
      { name: 'trapGroup', label: words.groupFilter, choices: words.groupChoices },
    ],
    keyOf: ({ id }: Rule) => id,
    empty: (
      <Empty title={words.none}>
        <p>{words.noneHint}</p>
        {create}
      </Empty>
    ),
  }
  return <ListPage title={words.title} about={words.about} list={list} actions={create} />
}
