// The trap rules, with what each has filtered.

import { hrefOf } from '../core/address.ts'
import { html } from '../core/html.ts'
import { may } from '../core/session.ts'
import { EventName } from '../parts/event-names.ts'
import { type Column, List, useList } from '../parts/list.ts'
import { Empty } from '../parts/problem.ts'
import { Ago } from '../parts/time.ts'
import { numberText } from '../texts/shared.ts'
import { ruleTexts as words } from '../texts/traps.ts'
import type { Rule } from './rule.ts'
import { eventOf, groupText, placesText, whenText } from './words.ts'

function Filtered({ rule }: { rule: Rule }) {
  const oid = eventOf(rule)
  return oid === '' ? html`${groupText(rule)}` : html`<${EventName} oid=${oid} />`
}

const columns: readonly Column<Rule>[] = [
  {
    title: words.name,
    order: 'trapRuleName',
    kind: 'wide',
    cell: ({ id, trapRuleName }) =>
      html`<a href=${hrefOf('rule', id)}>${trapRuleName ?? `${words.one} ${id}`}</a>`,
  },
  { title: words.filters, kind: 'wide', cell: (rule) => html`<${Filtered} rule=${rule} />` },
  { title: words.where, cell: placesText },
  { title: words.when, cell: whenText },
  { title: words.hits, kind: 'number', cell: ({ hits }) => numberText(Number(hits)) },
  {
    title: words.last,
    kind: 'number',
    cell: ({ lastHit }) => (lastHit === '0' ? words.never : html`<${Ago} at=${Number(lastHit)} />`),
  },
]

const create = () =>
  may('operator') && html`<a class="button main" href=${hrefOf('rule', 'new')}>${words.create}</a>`

export default function RulesPage() {
  const props = {
    path: '/fault/trapRule',
    columns,
    filters: [
      { name: 'trapRuleName', label: words.name, anywhere: true },
      { name: 'trapOId', label: words.oid, hint: '1.3.6.1.…*' },
      { name: 'trapGroup', label: words.groupFilter, choices: words.groupChoices },
    ],
    caption: words.title,
    keyOf: ({ id }: Rule) => id,
    empty: html`<${Empty} title=${words.none}><p>${words.noneHint}</p>${create()}<//>`,
  }
  const loaded = useList(props)
  return html`<section class="page">
    <header class="page-head"><h1>${words.title}</h1><span class="gap"></span>${create()}</header>
    <p class="hint about">${words.about}</p>
    <${List} ...${props} loaded=${loaded} />
  </section>`
}
