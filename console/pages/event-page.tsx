// The definition of one event: for everybody who reports it, from now on.

import { useMemo, useState } from 'preact/hooks'
import { address, go, hrefOf } from '../core/address.ts'
import { ask, list } from '../core/api.ts'
import { may, session } from '../core/session.ts'
import { type ChoosingProps, Form, type FormField, type Values } from '../parts/form.tsx'
import { useLoad, When } from '../parts/load.tsx'
import { DeleteDialog } from '../parts/records.tsx'
import { type Row, readBack, written } from '../parts/rows.tsx'
import { say } from '../parts/toast.tsx'
import { EventsChoice } from '../rules/choose.tsx'
import { texts } from '../texts/shared-texts.ts'
import { eventTexts as words } from '../texts/trap-texts.ts'
import { levelAndCategory } from './categories.tsx'
import { EventTrialResult } from './event-trial.tsx'
import { variablesOf } from './variables.tsx'

export interface Definition {
  readonly id: string
  readonly eventOid: string
  readonly name: string
  readonly alarmLevel: string
  readonly alarmCategory: string
  readonly alarmDesc?: string
  readonly handling?: string
  readonly parameter: readonly Row[]
  readonly recovers: readonly string[]
  readonly outOfReach?: string
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
})

const bodyOf = ({
  recovers = '',
  parameter = '',
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
})

function Editor({ definition, oid }: { definition: Definition | undefined; oid: string }) {
  const [deleting, setDeleting] = useState(false)
  const [values, setValues] = useState(() => valuesOf(definition, oid))
  // A new object each time would lose what is being typed.
  const variables = useMemo(() => variablesOf(definition?.eventOid ?? oid), [definition, oid])
  const fields = fieldsFor(variables)
  const mayChange = may('operator')
  const save = async (given: Values) => {
    const body = bodyOf(given)
    if (definition) await ask('PUT', `/fault/trapEvent/${definition.id}`, { body })
    else await ask('POST', '/fault/trapEvent', { body })
    say(words.saved)
    go(hrefOf('events'))
  }
  return (
    <article class="page">
      <header class="page-head">
        <h1>{definition ? `${words.one}: ${definition.name}` : words.create}</h1>
        <span class="gap" />
        {definition && mayChange && (
          <button type="button" class="plain" onClick={() => setDeleting(true)}>
            {words.delete}
          </button>
        )}
      </header>
      {!definition && oid !== '' && <p>{words.unknown(oid)}</p>}
      <div class="columns">
        <div>
          <section class="part">
            {!mayChange && <p class="hint">{texts.errors.onlyLook(session.value.role)}</p>}
            <fieldset disabled={!mayChange}>
              <Form
                fields={fields}
                values={valuesOf(definition, oid)}
                submitText={texts.save}
                onSubmit={save}
                onCancel={() => go(hrefOf('events'))}
                onChange={setValues}
                isOnlyShown={!mayChange}
              />
            </fieldset>
          </section>
        </div>
        <div>
          <EventTrialResult body={bodyOf(values)} />
        </div>
      </div>
      {deleting && definition && (
        <DeleteDialog
          title={words.delete}
          hint={words.deleteHint}
          path={`/fault/trapEvent/${definition.id}`}
          close={() => setDeleting(false)}
          done={() => go(hrefOf('events'))}
        />
      )}
    </article>
  )
}

export default function EventPage() {
  const oid = address.value.query.get('oid') ?? ''
  const loaded = useLoad(
    async (over) => ({
      definition:
        oid === ''
          ? undefined
          : (await list<Definition>('/fault/trapEvent', { eventOid: oid, size: 1 }, over)).rows[0],
    }),
    [oid],
  )
  return (
    <When
      loaded={loaded}
      show={({ definition }: { definition: Definition | undefined }) => (
        <Editor key={oid} definition={definition} oid={oid} />
      )}
    />
  )
}
