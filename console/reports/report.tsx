// One report: give parameters, look at it, download it; earlier results, and its schedules.

import { useEffect, useState } from 'preact/hooks'
import { address, hrefOf, root, setQuery } from '../core/address.ts'
import { listWhole, read, request } from '../core/api.ts'
import { Refused } from '../core/refused.ts'
import { may } from '../core/session.ts'
import { dayBegins, dayEnds, timeText } from '../core/time-text.ts'
import { Section } from '../parts/facts.tsx'
import { type Column, List, useList } from '../parts/list.tsx'
import type { ListFilter } from '../parts/list-filters.tsx'
import { useLoad, When } from '../parts/load.tsx'
import { More } from '../parts/more.tsx'
import { Empty } from '../parts/problem.tsx'
import { DeleteDialog } from '../parts/records.tsx'
import { Time } from '../parts/time.tsx'
import { complain } from '../parts/toast.tsx'
import { reportTexts as words } from '../texts/report-texts.ts'
import { texts } from '../texts/shared-texts.ts'
import { type Given, nothingGiven, Parameters, runOf } from './parameters.tsx'
import { type Schedule, Schedules, schedulePath, whenText } from './schedules.tsx'
import { type Report, Sheet } from './sheet.tsx'

interface Result {
  readonly id: string
  readonly beginTime: string
  readonly endTime: string
  readonly madeTime: string
  readonly runBy: string
  readonly scheduleId?: string
  readonly failure?: string
}

interface Known {
  readonly name: string
  readonly taken: readonly string[]
}

const path = '/report/reportTemplate'

/** Returns the id of the result. */
async function run(id: string, given: Given, taken: readonly string[]): Promise<string> {
  const answer = await request('POST', `${path}/${id}/run?format=json`, {
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify(runOf(given, taken)),
  })
  await answer.arrayBuffer()
  return (answer.headers.get('Content-Location') ?? '').split('/').at(-1) ?? ''
}

const addressOf = (resultId: string, format: string) => `${root}/report/result/${resultId}?format=${format}`

const Downloads = ({ resultId }: { resultId: string }) => (
  <div class="buttons">
    <a class="button" href={addressOf(resultId, 'html')} target="_blank" rel="noopener">
      {words.asPage}
    </a>
    {(['pdf', 'csv', 'json'] as const).map((format) => (
      <a key={format} class="button" href={addressOf(resultId, format)} download>
        {words.formats[format]}
      </a>
    ))}
  </div>
)

const periodOf = ({ beginTime, endTime }: Result) =>
  words.fromTo(timeText(Number(beginTime)).slice(0, 16), timeText(Number(endTime)).slice(0, 16))

const resultColumns = (id: string, shown: string): readonly Column<Result>[] => [
  {
    title: words.madeTime,
    cell: (one) => (
      <>
        <a href={hrefOf('report', id, { result: one.id })} aria-current={one.id === shown}>
          <Time at={Number(one.madeTime)} />
        </a>
        <div class="hint">{periodOf(one)}</div>
      </>
    ),
  },
  {
    title: words.madeBy,
    cell: ({ failure, scheduleId, runBy }) =>
      failure ? <span class="tag danger">{failure}</span> : scheduleId ? words.byItself : runBy,
  },
]

const resultFilters = (schedules: readonly Schedule[]): readonly ListFilter[] => [
  { name: 'startTime', label: words.madeFrom, kind: 'day', form: dayBegins },
  { name: 'endTime', label: words.madeUntil, kind: 'day', form: dayEnds },
  {
    name: 'scheduleId',
    label: words.bySchedule,
    choices: Object.fromEntries(schedules.map((one) => [one.id, whenText(one)])),
  },
]

const resultsShown = 20

function Earlier({ id, shown }: { id: string; shown: string }) {
  const [deleting, setDeleting] = useState<Result | undefined>(undefined)
  const schedules = useLoad((over) => listWhole<Schedule>(schedulePath, { templateId: id }, over), [id])
  const buttons: Column<Result> = {
    title: texts.records.actions,
    kind: 'actions',
    cell: (one) =>
      may('operator') && (
        <More
          label={texts.more(timeText(Number(one.madeTime)))}
          actions={[
            {
              text: texts.records.delete,
              label: words.deleteResult(timeText(Number(one.madeTime))),
              isDangerous: true,
              act: () => setDeleting(one),
            },
          ]}
        />
      ),
  }
  const props = {
    path: '/report/result',
    queryPrefix: 'result',
    columns: [...resultColumns(id, shown), buttons],
    filters: resultFilters(schedules.data ?? []),
    fixed: { templateId: id, orderBy: 'id', desc: true },
    caption: words.earlier,
    keyOf: (one: Result) => one.id,
    empty: <p class="hint">{words.noEarlier}</p>,
    pageSize: resultsShown,
  }
  const loaded = useList(props)
  // The one that has just been made is one of them.
  useEffect(() => {
    if (shown !== '') loaded.again()
  }, [shown])
  return (
    <Section title={words.earlier}>
      <List {...props} loaded={loaded} />
      {deleting && (
        <DeleteDialog
          title={words.deleteResult(timeText(Number(deleting.madeTime)))}
          hint={texts.records.deleteHint}
          path={`/report/result/${deleting.id}`}
          close={() => setDeleting(undefined)}
          done={() => {
            if (deleting.id === shown) setQuery({ result: '' })
            loaded.again()
          }}
        />
      )}
    </Section>
  )
}

/** The one that the address names: a link shows others the same. */
function Shown({ resultId }: { resultId: string }) {
  const loaded = useLoad(
    (over) => read<Report>(`/report/result/${encodeURIComponent(resultId)}`, { format: 'json' }, over),
    [resultId],
  )
  return (
    <When
      loaded={loaded}
      show={(report: Report) => (
        <>
          <Downloads resultId={resultId} />
          <Sheet report={report} />
        </>
      )}
    />
  )
}

function ReportView({ id, known: { name, taken } }: { id: string; known: Known }) {
  const [given, setGiven] = useState(nothingGiven)
  const [busy, setBusy] = useState(false)
  const shown = address.value.query.get('result') ?? ''
  const submit = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    try {
      setQuery({ result: await run(id, given, taken) }, { replace: false })
    } catch (error) {
      complain(error)
    }
    setBusy(false)
  }
  return (
    <article class="page report">
      <header class="page-head">
        <h1>{name}</h1>
      </header>
      <div class="columns">
        <Section title={words.ask}>
          <form class="fields" onSubmit={submit}>
            <Parameters taken={taken} given={given} set={setGiven} />
            <div class="buttons">
              <button type="submit" class="main" disabled={busy}>
                {busy ? words.running : words.run}
              </button>
            </div>
          </form>
        </Section>
        <Earlier id={id} shown={shown} />
      </div>
      {shown !== '' && <Shown resultId={shown} />}
      <Schedules templateId={id} taken={taken} />
    </article>
  )
}

export default function ReportPage({ id }: { id: string }) {
  const loaded = useLoad<Known>(
    async (over) => {
      const at = `${path}/${encodeURIComponent(id)}`
      const [{ name }, { parameter = [] }] = await Promise.all([
        read<{ name: string }>(at, {}, over),
        read<{ parameter?: string[] }>(`${at}/run`, {}, over),
      ])
      return { name, taken: parameter }
    },
    [id],
  )
  if (loaded.error instanceof Refused && loaded.error.status === 404)
    return (
      <Empty title={words.gone}>
        <a class="button" href={hrefOf('reports')}>
          {words.title}
        </a>
      </Empty>
    )
  return <When loaded={loaded} show={(known: Known) => <ReportView id={id} known={known} />} />
}
