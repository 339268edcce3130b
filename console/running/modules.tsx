// Modules (MIBs): what is loaded, and what they propose.

import { useState } from 'preact/hooks'
import { address } from '../core/address.ts'
import { ask, list, type Rows } from '../core/api.ts'
import { may } from '../core/session.ts'
import { Section } from '../parts/facts.tsx'
import { Level } from '../parts/level.tsx'
import { type Column, List, Table, useList } from '../parts/list.tsx'
import { type ListFilter, ListFilters } from '../parts/list-filters.tsx'
import { type Loaded, useLoad, When } from '../parts/load.tsx'
import { Empty } from '../parts/problem.tsx'
import { DeleteDialog, DeleteMore } from '../parts/records.tsx'
import { Ago } from '../parts/time.tsx'
import { complain, say } from '../parts/toast.tsx'
import { moduleTexts as words } from '../texts/service-texts.ts'
import { numberText, texts } from '../texts/shared-texts.ts'
import { ModuleDialog } from './module.tsx'

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
  remark.length > 0 && (
    <details>
      <summary>{numberText(remark.length)}</summary>
      <ul>
        {remark.slice(0, shownRemarks).map((one) => (
          <li key={`${one.line} ${one.reason}`}>{words.line(one.line, one.reason)}</li>
        ))}
        {remark.length > shownRemarks && (
          <li class="hint">{texts.list.notShown(remark.length - shownRemarks)}</li>
        )}
      </ul>
    </details>
  )

const columns: readonly Column<Module>[] = [
  { title: words.name, order: 'name', cell: ({ name }) => <b>{name}</b> },
  { title: words.objects, kind: 'number', cell: ({ objects }) => numberText(Number(objects)) },
  {
    title: words.notifications,
    kind: 'number',
    cell: ({ notifications }) => numberText(Number(notifications)),
  },
  { title: words.remarks, kind: 'wide', cell: ({ remark }) => <Remarks remark={remark} /> },
  { title: words.file, cell: ({ file }) => file },
  { title: words.loaded, cell: ({ loadedTime }) => <Ago at={Number(loadedTime)} /> },
]

/** One after the other: a module may use names of the one before it. */
async function load(files: FileList, again: () => void): Promise<void> {
  let [modules, remarks] = [0, 0]
  const strangers: string[] = []
  try {
    for (const file of files) {
      const { data } = await ask<{ module: unknown[]; remark: unknown[] }>('POST', '/fault/mibModule', {
        query: { file: file.name },
        body: file,
        type: 'text/plain',
      })
      if (data.module.length === 0) strangers.push(file.name)
      modules += data.module.length
      remarks += data.remark.length
    }
    if (modules > 0) say(words.loaded1(modules, remarks))
    if (strangers.length > 0) complain(new Error(words.noModule(strangers)))
  } catch (error) {
    complain(error)
  }
  again()
}

const LoadButton = ({ again }: { again: () => void }) => (
  <label class="button main">
    {words.load}
    <input
      type="file"
      class="unseen"
      multiple
      aria-label={words.loadHint}
      onChange={(event: Event) => {
        const input = event.target as HTMLInputElement
        if (!input.files) return
        // The same file can be chosen again once it is mended.
        void load(input.files, again).then(() => {
          input.value = ''
        })
      }}
    />
  </label>
)

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

const queryPrefix = 'proposal'

/** From the surest to the least sure. */
const confidences = Object.keys(words.confidences)

/** Those of one module, or that are at least so sure, as the address says. */
function narrowed(rows: readonly Proposal[]): readonly Proposal[] {
  const said = (name: string) => address.value.query.get(`${queryPrefix}.${name}`) ?? ''
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
      cell: ({ name, module }) => (
        <>
          <b>{name}</b> <span class="hint">{module}</span>
        </>
      ),
    },
    { title: words.level, cell: ({ alarmLevel }) => <Level level={Number(alarmLevel)} /> },
    { title: words.confidence, cell: ({ confidence }) => words.confidences[confidence] ?? confidence },
    {
      title: words.text,
      kind: 'wide',
      cell: ({ alarmDesc, reason }) => (
        <>
          {alarmDesc}
          <p class="hint">{reason}</p>
        </>
      ),
    },
    ...(may('operator')
      ? [
          {
            title: texts.records.actions,
            kind: 'actions' as const,
            cell: ({ eventOid, name }: Proposal) => (
              <button
                type="button"
                class="plain"
                aria-label={words.acceptOne(name)}
                onClick={() => void accept([eventOid], loaded.again)}
              >
                {words.accept}
              </button>
            ),
          },
        ]
      : []),
  ]
  return (
    <Section title={words.proposals} hint={words.proposalsHint}>
      <When
        loaded={loaded}
        show={({ rows: all }: Rows<Proposal>) => {
          if (all.length === 0) return <p class="hint">{words.noProposals}</p>
          const rows = narrowed(all)
          const sure = rows.filter(({ confidence }) => confidence !== 'low').map(({ eventOid }) => eventOid)
          return (
            <>
              <ListFilters filters={filtersFor(all)} queryPrefix={queryPrefix} />
              {may('operator') && sure.length > 0 && (
                <button type="button" onClick={() => void accept(sure, loaded.again)}>
                  {words.acceptAll(sure.length)}
                </button>
              )}
              {rows.length === 0 ? (
                <p class="hint">{texts.list.noMatch}</p>
              ) : (
                <Table
                  columns={columnsOf}
                  rows={rows.slice(0, shownProposals)}
                  caption={words.proposals}
                  keyOf={({ eventOid }: Proposal) => eventOid}
                />
              )}
              {rows.length > shownProposals && (
                <p class="hint">{words.moreProposals(rows.length - shownProposals)}</p>
              )}
            </>
          )
        }}
      />
    </Section>
  )
}

export default function ModulesPage() {
  const [deleted, setDeleted] = useState<Module | undefined>(undefined)
  const [shown, setShown] = useState('')
  const proposals = useLoad((over) => list<Proposal>('/fault/mibProposal', {}, over), [])
  const actions: Column<Module> = {
    title: texts.records.actions,
    kind: 'actions',
    cell: (one) => (
      <>
        <button
          type="button"
          class="plain"
          aria-label={words.showOne(one.name)}
          onClick={() => setShown(one.name)}
        >
          {words.show}
        </button>
        {may('operator') && <DeleteMore name={one.name} ask={() => setDeleted(one)} />}
      </>
    ),
  }
  const props = {
    path: '/fault/mibModule',
    columns: [...columns, actions],
    filters: [{ name: 'name', label: words.name, anywhere: true }],
    caption: words.title,
    keyOf: ({ id }: Module) => id,
    empty: (
      <Empty title={words.empty}>
        <p>{words.emptyHint}</p>
      </Empty>
    ),
  }
  const loaded = useList(props)
  const again = () => {
    loaded.again()
    proposals.again()
  }
  return (
    <section class="page">
      <header class="page-head">
        <h1>{words.title}</h1>
        <span class="gap" />
        {may('operator') && <LoadButton again={again} />}
      </header>
      <p class="hint about">{words.about}</p>
      <List {...props} loaded={loaded} />
      {(loaded.data?.total ?? 0) > 0 && <Proposals loaded={proposals} />}
      {shown !== '' && <ModuleDialog name={shown} close={() => setShown('')} />}
      {deleted && (
        <DeleteDialog
          title={words.deleteTitle(deleted.name)}
          hint={words.deleteHint}
          path={`/fault/mibModule/${encodeURIComponent(deleted.name)}`}
          close={() => setDeleted(undefined)}
          done={again}
        />
      )}
    </section>
  )
}
