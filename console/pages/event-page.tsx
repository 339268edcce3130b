// The definition of one event: for everybody who reports it, from now on.

import { useMemo } from 'preact/hooks'
import { address } from '../core/address.ts'
import { ask, list } from '../core/api.ts'
import { EditorPage } from '../parts/editor-page.tsx'
import { definitionOf } from '../parts/event-names.tsx'
import type { ChoosingProps, FormField, Values } from '../parts/form.tsx'
import { useLoad, When } from '../parts/load.tsx'
import { type Row, readBack, written } from '../parts/row-values.ts'
import { say } from '../parts/toast.tsx'
import { EventsChoice } from '../rules/choose.tsx'
import { eventTexts as words } from '../texts/trap-texts.ts'
import { levelAndCategory } from './categories.tsx'
import { EventTrialResult } from './event-trial.tsx'
import { statesOf, variablesOf } from './variables.tsx'

export interface Definition {
  readonly id: string
  readonly eventOid: string
  readonly name: string
  readonly alarmLevel: string
  readonly alarmCategory: string
  readonly alarmDesc?: string
  readonly handling?: string
  readonly parameter: readonly Row[]
  readonly state?: readonly Row[]
  readonly recovers: readonly string[]
  readonly outOfReach?: string
  /** The module that it was made from, where it is as it came with the program. */
  readonly source?: string
}

const lines = (text: string) => text.split(/\s+/).filter(Boolean)

const RecoversChoice = ({ value, change }: ChoosingProps) => (
  <EventsChoice
    label={words.recovers}
    hint={words.recoversHint}
    oids={lines(value)}
    change={(oids: readonly string[]) => change(oids.join('\n'))}
  />
)

const fieldsFor = (variables: NonNullable<FormField['control']>): readonly FormField[] => [
  { name: 'name', label: words.name, required: true, half: true },
  { name: 'eventOid', label: words.oid, required: true, half: true, placeholder: '1.3.6.1.4.1.…' },
  ...levelAndCategory,
  { name: 'alarmDesc', label: words.text, hint: words.textHint },
  { name: 'handling', label: words.handling, kind: 'choice', choices: words.handlings, required: true },
  { name: 'outOfReach', label: words.outOfReach, kind: 'check' },
  { name: 'recovers', label: words.recovers, control: RecoversChoice },
  { name: 'parameter', label: words.parameters, control: variables, placesErrors: true },
  { name: 'state', label: words.states, control: statesOf, placesErrors: true },
]

const valuesOf = (definition: Definition | undefined, oid: string): Values => ({
  name: definition?.name ?? '',
  eventOid: definition?.eventOid ?? oid,
  alarmLevel: definition?.alarmLevel ?? '3',
  alarmCategory: definition?.alarmCategory ?? '15',
  alarmDesc: definition?.alarmDesc ?? '',
  handling: definition?.handling ?? '1',
  outOfReach: definition?.outOfReach ?? 'false',
  recovers: (definition?.recovers ?? []).join('\n'),
  parameter: written(definition?.parameter ?? []),
  state: written(definition?.state ?? []),
})

const bodyOf = ({
  recovers = '',
  parameter = '',
  state = '',
  name = '',
  eventOid = '',
  alarmLevel = '',
  ...values
}: Values) => ({
  name: name.trim(),
  eventOid: eventOid.trim(),
  alarmLevel,
  ...values,
  recovers: lines(recovers),
  parameter: readBack(parameter),
  state: readBack(state),
})

interface Proposed extends Definition {
  readonly reason: string
}

interface EditorProps {
  readonly definition: Definition | undefined
  /** What would be used if a trap came now. */
  readonly shipped: Definition | undefined
  /** Made from the trap that was looked at. */
  readonly proposed: Proposed | undefined
  readonly oid: string
}

function Origin({ definition, shipped, proposed, oid }: EditorProps) {
  if (definition?.source !== undefined) return <p class="hint">{words.isShipped(definition.source)}</p>
  if (definition || oid === '') return null
  if (shipped) return <p>{words.wouldBeUsed(shipped.source ?? '')}</p>
  return <p>{proposed ? words.proposed(proposed.reason) : words.unknown(oid)}</p>
}

/** Alarms that were raised before the event had a definition. */
async function relabel(id: string): Promise<void> {
  type Relabelled = Record<'raised' | 'ended' | 'left', string>
  const { data } = await ask<Relabelled>('PUT', `/fault/trapEvent/relabel/${id}`)
  const { raised, ended, left } = data
  say(words.relabelled(Number(raised), Number(ended), Number(left)))
}

function Editor({ definition, shipped, proposed, oid }: EditorProps) {
  // A new object each time would lose what is being typed.
  const variables = useMemo(() => variablesOf(definition?.eventOid ?? oid), [definition, oid])
  const fields = fieldsFor(variables)
  const labels = Object.fromEntries(fields.map(({ name, label }) => [name, label]))
  const relabelling = definition && {
    ...{ text: words.relabel, title: words.relabelHint, act: () => void relabel(definition.id) },
  }
  return (
    <EditorPage
      words={words}
      path="/fault/trapEvent"
      id={definition?.id}
      name={definition?.name ?? ''}
      list="events"
      fields={fields}
      first={valuesOf(definition ?? shipped ?? proposed, oid)}
      bodyOf={bodyOf}
      draftKey={`event ${definition?.id ?? oid}`}
      actions={relabelling ? [relabelling] : []}
      about={<Origin definition={definition} shipped={shipped} proposed={proposed} oid={oid} />}
      trial={(values) => <EventTrialResult body={bodyOf(values)} labels={labels} />}
    />
  )
}

interface Found {
  readonly definition: Definition | undefined
  readonly shipped: Definition | undefined
  readonly proposed: Proposed | undefined
}

const nothing: Found = { definition: undefined, shipped: undefined, proposed: undefined }

export default function EventPage() {
  const oid = address.value.query.get('oid') ?? ''
  const trap = address.value.query.get('trap') ?? ''
  const loaded = useLoad(
    async (over): Promise<Found> => {
      if (oid === '') return nothing
      const definition = await definitionOf<Definition>(oid, over)
      if (definition) return { ...nothing, definition }
      const shipped = await definitionOf<Definition>(oid, over, { catalogue: 'true' })
      if (shipped || trap === '') return { ...nothing, shipped }
      const { rows } = await list<Proposed>(`/fault/trap/${encodeURIComponent(trap)}/event`, {}, over)
      return { ...nothing, proposed: rows[0] }
    },
    [oid, trap],
  )
  return <When loaded={loaded} show={(found: Found) => <Editor key={oid} {...found} oid={oid} />} />
}
