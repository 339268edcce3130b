// Event definitions from files, also those of other programs: what they would do is shown before it is done; and to a file.

import { useState } from 'preact/hooks'
import { ask, listWhole } from '../core/api.ts'
import { saveFile } from '../core/save-file.ts'
import { say } from '../parts/toast.tsx'
import { Changes, type Outcome } from '../running/import-changes.tsx'
import { eventFileTexts as words } from '../texts/trap-texts.ts'
import type { Definition } from './event-page.tsx'

const path = '/fault/trapEvent'
/** How many definitions are shown one by one. */
const listed = 50

interface Remark {
  readonly file: string
  readonly line: string
  readonly name: string
  readonly kind: string
  readonly reason: string
}

interface Translation {
  readonly trapEvent?: readonly Definition[]
  readonly remark?: readonly Remark[]
}

interface Tried {
  readonly chosen: readonly Definition[]
  readonly kept: number
  readonly remarks: readonly Remark[]
  readonly outcome: Outcome | undefined
}

type State =
  | { readonly kind: 'nothing' | 'trying' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'tried'; readonly tried: Tried }

/** Without what is of this service alone. */
export async function exportListed({
  start: _start,
  size: _size,
  ...query
}: Record<string, unknown>): Promise<void> {
  const all = await listWhole<Definition>(path, query as Record<string, string>)
  const rows = all.map(({ id: _id, source: _source, ...one }) => JSON.stringify(one))
  saveFile('trapEvent.json', 'application/json', `{"trapEvent":[\n${rows.join(',\n')}\n]}\n`)
}

const send = (trapEvent: readonly Definition[], query: Record<string, string | number | boolean>) =>
  ask<Outcome>('POST', '/plat/data/trapEvent', { query: { replace: true, ...query }, body: { trapEvent } })

async function attempt(files: readonly File[], replace: boolean): Promise<Tried> {
  const file = await Promise.all(files.map(async (one) => ({ name: one.name, text: await one.text() })))
  const { data } = await ask<Translation>('POST', `${path}/translate`, { body: { file } })
  const { trapEvent: all = [], remark: remarks = [] } = data
  const chosen = replace ? all : all.filter(({ id }) => id === undefined)
  const tried = chosen.length > 0 ? await send(chosen, { dryRun: true, records: listed }) : undefined
  return { chosen, kept: all.length - chosen.length, remarks, outcome: tried?.data }
}

const Remarks = ({ remarks }: Pick<Tried, 'remarks'>) => (
  <div class="table-frame" tabindex={0} role="region" aria-label={words.remarks}>
    <table>
      <caption>{words.remarks}</caption>
      <thead>
        <tr>
          <th scope="col">{words.where}</th>
          <th scope="col">{words.event}</th>
          <th scope="col">{words.kind}</th>
          <th scope="col" class="wide">
            {words.reason}
          </th>
        </tr>
      </thead>
      <tbody>
        {remarks.map(({ file, line, name, kind, reason }) => (
          <tr key={`${file} ${line} ${name} ${reason}`}>
            <td data-title={words.where}>{`${file}:${line}`}</td>
            <td data-title={words.event}>{name}</td>
            <td data-title={words.kind}>{words.kinds[kind] ?? kind}</td>
            <td class="wide" data-title={words.reason}>
              {reason}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

interface ResultProps {
  readonly state: State
  readonly go: (chosen: readonly Definition[]) => void
}

function Result({ state, go }: ResultProps) {
  if (state.kind === 'trying') return <p class="hint">{words.trying}</p>
  if (state.kind === 'failed')
    return (
      <div class="problem-note" role="alert">
        <b>{words.failed}.</b> {state.message}
      </div>
    )
  if (state.kind !== 'tried') return null
  const { chosen, kept, remarks, outcome } = state.tried
  return (
    <>
      {outcome && Number(outcome.refused) === 0 && (
        <button type="button" class="main" onClick={() => go(chosen)}>
          {words.go(chosen.length)}
        </button>
      )}
      {kept > 0 && <p>{words.kept(kept)}</p>}
      {remarks.length > 0 && <Remarks remarks={remarks} />}
      {outcome && <Changes outcome={outcome} />}
    </>
  )
}

export function EventFiles() {
  const [files, setFiles] = useState<readonly File[]>([])
  const [replace, setReplace] = useState(false)
  const [state, setState] = useState<State>({ kind: 'nothing' })
  const fail = (error: unknown) => setState({ kind: 'failed', message: (error as Error).message })
  const look = async (chosen: readonly File[], over: boolean) => {
    setFiles(chosen)
    setReplace(over)
    if (chosen.length === 0) return
    setState({ kind: 'trying' })
    await attempt(chosen, over).then((tried) => setState({ kind: 'tried', tried }), fail)
  }
  const go = async (chosen: readonly Definition[]) => {
    try {
      const { data } = await send(chosen, {})
      say(words.done(Number(data.imported)))
      setFiles([])
      setState({ kind: 'nothing' })
    } catch (error) {
      fail(error)
    }
  }
  const choose = (event: Event) => {
    const input = event.target as HTMLInputElement
    void look([...(input.files ?? [])], replace)
  }
  return (
    <section class="part">
      <h2>{words.title}</h2>
      <p class="hint" id="event-files-about">
        {words.about}
      </p>
      <label>
        {words.files}
        <input
          type="file"
          multiple
          accept=".xml,.conf,.json,.yaml,.yml"
          aria-describedby="event-files-about"
          onClick={(event: Event) => {
            ;(event.target as HTMLInputElement).value = ''
          }}
          onChange={choose}
        />
      </label>
      <label class="check">
        <input type="checkbox" checked={replace} onChange={() => void look(files, !replace)} />
        {words.replace}
      </label>
      <div aria-live="polite" class="stack">
        <Result state={state} go={(chosen) => void go(chosen)} />
      </div>
    </section>
  )
}
