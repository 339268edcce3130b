// Modules (MIBs): what is loaded, and what they propose.

import { useState } from 'preact/hooks'
import { address } from '../core/address.ts'
import { ask, list, type Rows } from '../core/api.ts'
import { html } from '../core/html.ts'
import { may } from '../core/session.ts'
import { Section } from '../parts/facts.ts'
import { Level } from '../parts/level.ts'
import { type Column, List, type ListFilter, ListFilters, Table, useList } from '../parts/list.ts'
import { type Loaded, useLoad, When } from '../parts/load.ts'
import { Empty } from '../parts/problem.ts'
import { DeleteDialog } from '../parts/records.ts'
import { Ago } from '../parts/time.ts'
import { complain, say } from '../parts/toast.ts'
import { moduleTexts as words } from '../texts/running.ts'
import { numberText, texts } from '../texts/shared.ts'
import { ModuleDialog } from './module.ts'

interface Module {
  readonly id: string
  readonly name: string
  readonly file?: string
  readonly loadedTime: string
  readonly objects: string
  readonly notifications: string
  readonly remark: readonly { readonly line: string; readonly reason: string }[]
}

interface Proposal {
  readonly module: string
  readonly confidence: string
  readonly reason: string
  readonly name: string
  readonly eventOid: string
  readonly alarmLevel: string
  readonly alarmDesc?: string
}

const shownRemarks = 200

const Remarks = ({ remark }: Pick<Module, 'remark'>) =>
  remark.length > 0 &&
  html`<details>
    <summary>${numberText(remark.length)}</summary>
    <ul>
      ${remark.slice(0, shownRemarks).map((one) => html`<li key=${`${one.line} ${one.reason}`}>${words.line(one.line, one.reason)}</li>`)}
      ${remark.length > shownRemarks && html`<li class="hint">${texts.list.notShown(remark.length - shownRemarks)}</li>`}
    </ul>
  </details>`

const columns: readonly Column<Module>[] = [
  { title: words.name, order: 'name', cell: ({ name }) => html`<b>${name}</b>` },
  { title: words.objects, kind: 'number', cell: ({ objects }) => numberText(Number(objects)) },
  {
    title: words.notifications,
    kind: 'number',
    cell: ({ notifications }) => numberText(Number(notifications)),
  },
  { title: words.remarks, kind: 'wide', cell: ({ remark }) => html`<${Remarks} remark=${remark} />` },
  { title: words.file, cell: ({ file }) => file },
  { title: words.loaded, cell: ({ loadedTime }) => html`<${Ago} at=${Number(loadedTime)} />` },
]

/** One after the other: a module may use names of the one before it. */
async function load(files: FileList, again: () => void): Promise<void> {
  let [modules, remarks] = [0, 0]
  try {
    for (const file of files) {
      const { data } = await ask<{ module: unknown[]; remark: unknown[] }>('POST', '/fault/mibModule', {
        query: { file: file.name },
        body: file,
        type: 'text/plain',
      })
      modules += data.module.length
      remarks += data.remark.length
    }
    say(words.loaded1(modules, remarks))
  } catch (error) {
    complain(error)
  }
  again()
}

const LoadButton = ({ again }: { again: () => void }) => html`<label class="button main">
  ${words.load}
  <input
    type="file"
    class="unseen"
    multiple
    aria-label=${words.loadHint}
    onChange=${(event: Event) => {
      const input = event.target as HTMLInputElement
      if (input.files) void load(input.files, again)
    }}
  />
</label>`

async function accept(choice: readonly string[], again: () => void): Promise<void> {
  try {
    const { data } = await ask<{ mibAccepted: { outcome: string }[] }>('POST', '/fault/mibProposal/accept', {
      body: { choice, confidence: 'low' },
    })
    say(words.accepted(data.mibAccepted.filter(({ outcome }) => outcome === 'accepted').length))
  } catch (error) {
    complain(error)
  }
  again()
}

const shownProposals = 200

const within = 'proposal'

/** From the surest to the least sure. */
const confidences = Object.keys(words.confidences)

/** Those of one module, or that are at least so sure, as the address says. */
function narrowed(rows: readonly Proposal[]): readonly Proposal[] {
  const said = (name: string) => address.value.query.get(`${within}.${name}`) ?? ''
  const [module, least] = [said('module'), said('confidence')]
  const sureEnough = least === '' ? confidences : confidences.slice(0, confidences.indexOf(least) + 1)
  return rows.filter((one) => (module === '' || one.module === module) && sureEnough.includes(one.confidence))
}

const filtersFor = (rows: readonly Proposal[]): readonly ListFilter[] => [
  {
    name: 'module',
    label: words.module,
    choices: Object.fromEntries(
      [...new Set(rows.map(({ module }) => module))].sort().map((one) => [one, one]),
    ),
  },
  { name: 'confidence', label: words.atLeast, choices: words.confidences },
]

function Proposals({ loaded }: { loaded: Loaded<Rows<Proposal>> }) {
  const columnsOf: readonly Column<Proposal>[] = [
    {
      title: words.notification,
      cell: ({ name, module }) => html`<b>${name}</b> <span class="hint">${module}</span>`,
    },
    { title: words.level, cell: ({ alarmLevel }) => html`<${Level} level=${Number(alarmLevel)} />` },
    { title: words.confidence, cell: ({ confidence }) => words.confidences[confidence] ?? confidence },
    {
      title: words.text,
      kind: 'wide',
      cell: ({ alarmDesc, reason }) => html`${alarmDesc}<p class="hint">${reason}</p>`,
    },
    ...(may('operator')
      ? [
          {
            title: texts.records.actions,
            kind: 'actions' as const,
            cell: ({ eventOid, name }: Proposal) =>
              html`<button type="button" class="plain" aria-label=${words.acceptOne(name)} onClick=${() => void accept([eventOid], loaded.again)}>${words.accept}</button>`,
          },
        ]
      : []),
  ]
  return html`<${Section} title=${words.proposals} hint=${words.proposalsHint}>
    <${When}
      loaded=${loaded}
      show=${({ rows: all }: Rows<Proposal>) => {
        if (all.length === 0) return html`<p class="hint">${words.noProposals}</p>`
        const rows = narrowed(all)
        const sure = rows.filter(({ confidence }) => confidence !== 'low').map(({ eventOid }) => eventOid)
        return html`<${ListFilters} filters=${filtersFor(all)} within=${within} />
          ${may('operator') && sure.length > 0 && html`<button type="button" onClick=${() => void accept(sure, loaded.again)}>${words.acceptAll(sure.length)}</button>`}
          ${
            rows.length === 0
              ? html`<p class="hint">${texts.list.noMatch}</p>`
              : html`<${Table} columns=${columnsOf} rows=${rows.slice(0, shownProposals)} caption=${words.proposals} keyOf=${({ eventOid }: Proposal) => eventOid} />`
          }
          ${rows.length > shownProposals && html`<p class="hint">${words.moreProposals(rows.length - shownProposals)}</p>`}`
      }}
    />
  <//>`
}

export default function ModulesPage() {
  const [deleted, setDeleted] = useState<Module | undefined>(undefined)
  const [shown, setShown] = useState('')
  const proposals = useLoad((over) => list<Proposal>('/fault/mibProposal', {}, over), [])
  const actions: Column<Module> = {
    title: texts.records.actions,
    kind: 'actions',
    cell: (one) =>
      html`<button type="button" class="plain" aria-label=${words.showOne(one.name)} onClick=${() => setShown(one.name)}>${words.show}</button>
        ${may('operator') && html`<button type="button" class="plain" aria-label=${words.deleteTitle(one.name)} onClick=${() => setDeleted(one)}>${words.delete}</button>`}`,
  }
  const props = {
    path: '/fault/mibModule',
    columns: [...columns, actions],
    filters: [{ name: 'name', label: words.name, anywhere: true }],
    caption: words.title,
    keyOf: ({ id }: Module) => id,
    empty: html`<${Empty} title=${words.empty}><p>${words.emptyHint}</p><//>`,
  }
  const loaded = useList(props)
  const again = () => {
    loaded.again()
    proposals.again()
  }
  return html`<section class="page">
    <header class="page-head"><h1>${words.title}</h1><span class="gap"></span>${may('operator') && html`<${LoadButton} again=${again} />`}</header>
    <p class="hint about">${words.about}</p>
    <${List} ...${props} loaded=${loaded} />
    ${(loaded.data?.total ?? 0) > 0 && html`<${Proposals} loaded=${proposals} />`}
    ${shown !== '' && html`<${ModuleDialog} name=${shown} close=${() => setShown('')} />`}
    ${deleted && html`<${DeleteDialog} title=${words.deleteTitle(deleted.name)} hint=${words.deleteHint} path=${`/fault/mibModule/${encodeURIComponent(deleted.name)}`} close=${() => setDeleted(undefined)} done=${again} />`}
  </section>`
}
