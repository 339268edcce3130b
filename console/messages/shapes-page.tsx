// Messages that no definition knows, by shape, as a list of work: what is likely a fault comes first, and what nobody wants
// to see is moved away.

import { useState } from 'preact/hooks'
import { hrefOf } from '../core/address.ts'
import { ask } from '../core/api.ts'
import { may } from '../core/session.ts'
import { type Column, List, useList } from '../parts/list.tsx'
import { useEvery } from '../parts/load.tsx'
import { Empty } from '../parts/problem.tsx'
import { Records } from '../parts/records.tsx'
import { Ago } from '../parts/time.tsx'
import { complain, say } from '../parts/toast.tsx'
import { definitionTexts, messageTexts, shapeTexts as words } from '../texts/message-texts.ts'
import { numberText, texts } from '../texts/shared-texts.ts'
import { longestRun } from './shape-text.ts'

interface Shape {
  readonly origin?: string
  readonly shape?: string
  readonly count: string
  readonly severity: string
  readonly soundsBad: string
  readonly firstTime: string
  readonly lastTime: string
  readonly device?: readonly string[]
  readonly example?: string
}

interface MutedShape {
  readonly id: string
  readonly origin?: string
  readonly shape: string
  readonly description?: string
}

const mutedPath = '/fault/mutedShape'
const maxDevices = 2

/** As people say it. */
const nameOf = ({ origin = '', shape = '' }: Pick<Shape, 'origin' | 'shape'>) =>
  origin === '' ? shape : `${origin}: ${shape}`

const columns: readonly Column<Shape>[] = [
  {
    title: words.shape,
    kind: 'wide',
    cell: ({ origin, shape = '', example, soundsBad }) => (
      <div>
        {origin && <span class="mono">{origin}: </span>}
        {shape} {soundsBad === 'true' && <span class="tag danger">{words.bad}</span>}
        {example !== shape && <div class="hint">{example}</div>}
      </div>
    ),
  },
  { title: words.severity, cell: ({ severity }) => messageTexts.severityText(Number(severity)) },
  { title: words.count, kind: 'number', cell: ({ count }) => numberText(Number(count)) },
  {
    title: words.devices,
    cell: ({ device = [] }) => (
      <div>
        {device.slice(0, maxDevices).join(', ')}{' '}
        {device.length > maxDevices && words.moreDevices(device.length - maxDevices)}
      </div>
    ),
  },
  { title: words.first, kind: 'rare', cell: ({ firstTime }) => <Ago at={Number(firstTime)} /> },
  { title: words.last, cell: ({ lastTime }) => <Ago at={Number(lastTime)} /> },
]

const mutedColumns: readonly Column<MutedShape>[] = [
  { title: words.shape, kind: 'wide', cell: nameOf },
  { title: words.why, kind: 'wide', cell: ({ description }) => description },
]

interface ActionsProps {
  readonly shape: Shape
  /** Reads both lists again. */
  readonly changed: () => void
}

async function mute({ shape: { origin, shape }, changed }: ActionsProps): Promise<void> {
  try {
    const { location } = await ask('POST', mutedPath, { body: { origin, shape } })
    changed()
    say(words.neverDone, async () => {
      await ask('DELETE', `${mutedPath}/${location.split('/').at(-1)}`)
      changed()
    })
  } catch (error) {
    complain(error)
  }
}

const Actions = (props: ActionsProps) => {
  const { shape } = props
  const text = longestRun(shape.shape ?? '')
  return (
    <>
      <a aria-label={words.showOne(nameOf(shape))} href={hrefOf('messages', '', { does: 'unknown', text })}>
        {words.show}
      </a>{' '}
      {may('operator') && shape.shape && (
        <a
          aria-label={definitionTexts.defineOne(nameOf(shape))}
          href={hrefOf('definition', 'new', { origin: shape.origin ?? '', text: shape.shape })}
        >
          {definitionTexts.define}
        </a>
      )}{' '}
      {may('operator') && shape.shape && (
        <button
          type="button"
          class="plain"
          aria-label={words.neverOne(nameOf(shape))}
          onClick={() => void mute(props)}
        >
          {words.never}
        </button>
      )}
    </>
  )
}

const everySeconds = 10

function Muted() {
  return (
    <Records
      queryPrefix="muted"
      title={words.muted}
      noun={words.mutedOne}
      about={words.mutedAbout}
      path={mutedPath}
      columns={mutedColumns}
      fields={[
        { name: 'shape', label: words.shape, hint: words.shapeHint, required: true },
        { name: 'origin', label: words.origin, hint: words.originHint },
        { name: 'description', label: words.why },
      ]}
      keyOf={({ id }: MutedShape) => id}
      nameOf={nameOf}
      deleteHint={words.mutedDelete}
      emptyHint={words.mutedEmpty}
    />
  )
}

export default function ShapesPage() {
  const [turn, setTurn] = useState(0)
  const changed = () => {
    loaded.again()
    setTurn((n) => n + 1)
  }
  const props = {
    path: '/fault/syslogShape',
    columns: [
      ...columns,
      {
        title: texts.records.actions,
        kind: 'actions' as const,
        cell: (shape: Shape) => <Actions shape={shape} changed={changed} />,
      },
    ],
    caption: words.title,
    keyOf: nameOf,
    empty: <Empty title={words.empty} />,
  }
  const loaded = useList(props)
  useEvery(everySeconds, loaded)
  return (
    <section class="page">
      <header class="page-head">
        <h1>{words.title}</h1>
        <span class="gap" />
        <a class="button" href={hrefOf('definitions')}>
          {definitionTexts.title}
        </a>
      </header>
      <p class="hint about">{words.about}</p>
      <List {...props} loaded={loaded} />
      <Muted key={turn} />
    </section>
  )
}
