// Importing a file: it is tried first, and what would change is shown before anything does.

import { useState } from 'preact/hooks'
import { address, root, setQuery } from '../core/address.ts'
import { ask, request } from '../core/api.ts'
import { Refused } from '../core/refused.ts'
import { say } from '../parts/toast.tsx'
import { importTexts as words } from '../texts/service-texts.ts'
import { Changes, type Outcome } from './import-changes.tsx'

type State =
  | { readonly kind: 'nothing' | 'trying' }
  | { readonly kind: 'tried'; readonly outcome: Outcome }
  | { readonly kind: 'importing'; readonly rows: number; readonly share: number }
  | { readonly kind: 'failed'; readonly message: string }

const typeOf = (name: string) =>
  name.endsWith('.json') ? 'application/json' : name.endsWith('.xml') ? 'application/xml' : 'text/csv'

const previewBytes = 64 * 1024
const previewLines = 12
/** How many records of each kind are shown one by one. */
const listed = 50

interface Chosen {
  readonly file: File
  readonly lines: readonly string[]
}

interface Line {
  readonly rows?: number
  readonly bytes?: number
  readonly size?: number
  readonly imported?: number
  readonly error?: { readonly message: string }
}

/** Lines of JSON, as they come. */
async function* linesOf(response: Response): AsyncGenerator<Line> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    if (done) return
    const lines = (rest + value).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') yield JSON.parse(line) as Line
  }
}

/** Reports its progress; returns how many records came. */
async function importFile(
  kind: string,
  file: File,
  replace: boolean,
  report: (state: State) => void,
): Promise<number> {
  const response = await request('POST', `/plat/data/${kind}?progress=true&replace=${replace}`, {
    headers: { 'Content-Type': typeOf(file.name), Accept: 'application/json' },
    body: file,
  })
  for await (const { rows = 0, bytes = 0, size = 1, imported, error } of linesOf(response)) {
    if (error) throw new Refused(400, '', error.message)
    if (imported !== undefined) return imported
    report({ kind: 'importing', rows, share: bytes / size })
  }
  throw new Refused(0, '', words.failed)
}

const Preview = ({ lines }: Pick<Chosen, 'lines'>) => (
  <>
    <h2>{words.first}</h2>
    <pre class="preview" tabindex={0}>
      {lines.join('\n')}
    </pre>
  </>
)

interface ResultProps {
  readonly state: State
  readonly go: () => void
}

function Result({ state, go }: ResultProps) {
  switch (state.kind) {
    case 'trying':
      return <p class="hint">{words.trying}</p>
    case 'failed':
      return (
        <div class="problem-note" role="alert">
          <b>{words.failed}.</b> {state.message}
        </div>
      )
    case 'importing':
      return (
        <>
          <p>{words.importing(state.rows)}</p>
          <progress value={state.share} max="1" aria-label={words.importing(state.rows)} />
        </>
      )
    case 'tried': {
      const [all, refused] = [Number(state.outcome.imported), Number(state.outcome.refused)]
      const button = (
        <button type="button" class="main" onClick={go} disabled={all === 0}>
          {words.go(all)}
        </button>
      )
      return (
        <>
          {refused > 0 ? (
            <div class="problem-note" role="alert">
              <b>{words.failed}.</b> {words.mend(refused)}
            </div>
          ) : (
            button
          )}
          <Changes outcome={state.outcome} />
        </>
      )
    }
    default:
      return null
  }
}

/** The same file, corrected, is another choice: browsers would not report that it was chosen again. */
const forget = (event: Event) => {
  ;(event.target as HTMLInputElement).value = ''
}

export default function ImportPage() {
  const kind = address.value.query.get('kind') ?? 'device'
  const [chosen, setChosen] = useState<Chosen | undefined>(undefined)
  const [replace, setReplace] = useState(true)
  const [state, setState] = useState<State>({ kind: 'nothing' })
  const fail = (error: unknown) => setState({ kind: 'failed', message: (error as Error).message })
  const attempt = async (file: File, what: string, over: boolean) => {
    setState({ kind: 'trying' })
    try {
      const query = { dryRun: true, replace: over, records: listed }
      const { data } = await ask<Outcome>('POST', `/plat/data/${what}`, {
        query,
        body: file,
        type: typeOf(file.name),
      })
      setState({ kind: 'tried', outcome: data })
    } catch (error) {
      fail(error)
    }
  }
  const choose = async (file: File | undefined) => {
    if (!file) return
    const text = await file.slice(0, previewBytes).text()
    setChosen({ file, lines: text.split(/\r?\n/).slice(0, previewLines) })
    await attempt(file, kind, replace)
  }
  const go = async () => {
    if (!chosen) return
    try {
      const count = await importFile(kind, chosen.file, replace, setState)
      say(words.done(count))
      setChosen(undefined)
      setState({ kind: 'nothing' })
    } catch (error) {
      fail(error)
    }
  }
  const change = (what: string, over: boolean) => {
    setQuery({ kind: what })
    setReplace(over)
    if (chosen) void attempt(chosen.file, what, over)
  }
  return (
    <section class="page">
      <header class="page-head">
        <h1>{words.title}</h1>
      </header>
      <p class="hint about">{words.about}</p>
      <div class="part">
        <label>
          {words.kind}
          <select
            value={kind}
            onChange={(event: Event) => change((event.target as HTMLSelectElement).value, replace)}
          >
            {Object.entries(words.kinds).map(([name, text]) => (
              <option key={name} value={name}>
                {text}
              </option>
            ))}
          </select>
        </label>
        <label>
          {words.file}
          <input
            type="file"
            accept=".csv,.json,.xml"
            aria-describedby="file-hint"
            onClick={forget}
            onChange={(event: Event) => void choose((event.target as HTMLInputElement).files?.[0])}
          />
        </label>
        <p class="hint" id="file-hint">
          {words.fileHint}{' '}
          {Object.entries(words.exports).map(([format, text]) => (
            <>
              <a
                key={format}
                class="apart"
                href={`${root}/plat/data/${kind}?format=${format}`}
                download={`${kind}.${format}`}
              >
                {text}
              </a>{' '}
            </>
          ))}
        </p>
        <label class="check">
          <input type="checkbox" checked={replace} onChange={() => change(kind, !replace)} />
          {words.replace}
        </label>
      </div>
      <div aria-live="polite" class="stack">
        <Result state={state} go={() => void go()} />
      </div>
      {chosen && <Preview lines={chosen.lines} />}
    </section>
  )
}
