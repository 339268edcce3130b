// A definition of messages, written beside what it makes of the last messages.

import { useState } from 'preact/hooks'
import { address, go, hrefOf } from '../core/address.ts'
import { ask } from '../core/api.ts'
import { may, session } from '../core/session.ts'
import { levelAndCategory } from '../pages/categories.tsx'
import { Facts } from '../parts/facts.tsx'
import { Form, type FormField, type Values } from '../parts/form.tsx'
import { useLoad, When } from '../parts/load.tsx'
import { More } from '../parts/more.tsx'
import { DeleteDialog } from '../parts/records.tsx'
import type { Labels } from '../parts/refusal.ts'
import { rowsOf } from '../parts/rows.tsx'
import { Time } from '../parts/time.tsx'
import { say } from '../parts/toast.tsx'
import { DryRunSection, useDryRun } from '../rules/dry-run.tsx'
import { messageTexts, definitionTexts as words } from '../texts/message-texts.ts'
import { texts } from '../texts/shared-texts.ts'
import {
  bodyOf,
  definitionOf,
  hasOwnAlarm,
  hasState,
  type MessageDefinition,
  makesAlarms,
  valuesOf,
} from './definition.ts'

const path = '/fault/messageDefinition'

const handlings = ['1', '2', '3', '0'].map((value) => [value, words.handlings[value] ?? ''] as const)

const messagesOf = rowsOf({
  field: 'message',
  title: words.message,
  hint: words.messageHint,
  noun: words.patternOne,
  columns: [
    {
      name: 'pattern',
      label: words.pattern,
      placeholder: 'pump (?P<pump>\\w+) has stopped',
      size: 'wide',
    },
    { name: 'handling', label: words.handling, kind: 'choice', choices: handlings, required: true },
  ],
})

const fields: readonly FormField[] = [
  { name: 'name', label: words.name, required: true },
  { name: 'code', label: words.code, hint: words.codeHint, half: true },
  { name: 'word', label: words.word, hint: words.wordHint, half: true },
  { name: 'message', label: words.message, control: messagesOf, placesErrors: true },
  { name: 'key', label: words.key, hint: words.keyHint, shown: makesAlarms },
  { name: 'raises', label: words.raises, hint: words.statesHint, shown: hasState, half: true },
  { name: 'clears', label: words.clears, shown: hasState, half: true },
  ...levelAndCategory.map((field) => ({ ...field, shown: hasOwnAlarm })),
  { name: 'alarmDesc', label: words.alarmDesc, hint: words.alarmDescHint, shown: hasOwnAlarm },
  { name: 'eventOid', label: words.eventOid, hint: words.eventOidHint, shown: makesAlarms },
  { name: 'network', label: words.network, hint: words.networkHint, half: true },
  { name: 'unless', label: words.unless, half: true },
  { name: 'description', label: words.description },
]
const labels: Labels = {
  ...Object.fromEntries(fields.map(({ name, label }) => [name, label])),
  'message/pattern': words.pattern,
}

interface Trial {
  readonly raises: string
  readonly clears: string
  readonly others: string
  readonly resources: string
  readonly example: readonly {
    readonly receivedTime: string
    readonly deviceIp: string
    readonly does: string
    readonly doesNow: string
    readonly resource?: string
    readonly text?: string
  }[]
  readonly remark?: readonly string[]
}

const shownExamples = 10

const Outcome = ({ raises, clears, others, resources, example, remark = [] }: Trial) => (
  <>
    <p class="outcome">{example.length === 0 ? words.knowsNone : words.wouldKnow}</p>
    <Facts
      facts={[
        [words.faults, raises !== '0' && words.about1(Number(raises), Number(resources))],
        [words.ends, clears !== '0' && clears],
        [words.others, others !== '0' && others],
      ]}
    />
    {remark.map((text) => (
      <p class="hint" key={text}>
        {text}
      </p>
    ))}
    {example.length > 0 && (
      <>
        <h3>{words.examples}</h3>
        <ul class="lines">
          {example
            .slice(0, shownExamples)
            .map(({ receivedTime, deviceIp, does, doesNow, resource, text }, at) => (
              <li key={at}>
                <Time at={Number(receivedTime)} />
                <span>
                  {deviceIp}: {text}
                </span>
                <span class="hint">
                  {words.becomes(
                    messageTexts.effects[doesNow] ?? doesNow,
                    messageTexts.effects[does] ?? does,
                  )}
                  {resource && ` (${resource})`}
                </span>
              </li>
            ))}
        </ul>
      </>
    )}
  </>
)

function TrialResult({ values }: { values: Values }) {
  const body = bodyOf(values)
  const missing = body.name === '' || body.message.length === 0 ? words.missing : undefined
  const run = useDryRun<Trial>(`${path}/dryRun`, missing ? undefined : body)
  return (
    <DryRunSection
      run={run}
      title={words.dryRun}
      hint={words.dryRunHint}
      missing={missing}
      labels={labels}
      show={(trial) => <Outcome {...trial} />}
    />
  )
}

function Editor({ definition, id }: { definition: Partial<MessageDefinition>; id: string }) {
  const [deleting, setDeleting] = useState(false)
  const first = valuesOf(definition)
  const [values, setValues] = useState(first)
  const isNew = id === 'new'
  const mayChange = may('operator')
  const back = () => go(hrefOf('definitions'))
  const save = async (given: Values) => {
    const body = bodyOf(given)
    if (isNew) await ask('POST', path, { body })
    else await ask('PUT', `${path}/${id}`, { body })
    say(words.saved)
    back()
  }
  return (
    <article class="page">
      <header class="page-head">
        <h1>{isNew ? words.create : `${words.one}: ${definition.name}`}</h1>
        <span class="gap" />
        {!isNew && mayChange && (
          <More
            label={texts.moreActions}
            actions={[{ text: words.delete, isGrave: true, act: () => setDeleting(true) }]}
          />
        )}
      </header>
      <div class="columns">
        <div>
          <section class="part">
            {!mayChange && <p class="hint">{texts.errors.onlyLook(session.value.role)}</p>}
            <fieldset disabled={!mayChange}>
              <Form
                fields={fields}
                values={first}
                submitText={texts.save}
                onSubmit={save}
                onCancel={back}
                onChange={setValues}
                isOnlyShown={!mayChange}
                draftKey={`message definition ${id}`}
              />
            </fieldset>
          </section>
        </div>
        <div>
          <TrialResult values={values} />
        </div>
      </div>
      {deleting && (
        <DeleteDialog
          title={words.delete}
          hint={words.deleteHint}
          path={`${path}/${id}`}
          close={() => setDeleting(false)}
          done={back}
        />
      )}
    </article>
  )
}

export default function DefinitionPage({ id }: { id: string }) {
  const { query } = address.value
  const origin = query.get('origin') ?? ''
  const shape = query.get('shape') ?? ''
  const loaded = useLoad(
    async (over): Promise<Partial<MessageDefinition>> => {
      if (id === 'new') return shape === '' ? {} : definitionOf(origin, shape)
      return (await ask<MessageDefinition>('GET', `${path}/${id}`, { signal: over })).data
    },
    [id, origin, shape],
  )
  return (
    <When
      loaded={loaded}
      show={(definition: Partial<MessageDefinition>) => (
        <Editor key={`${id} ${origin} ${shape}`} definition={definition} id={id} />
      )}
    />
  )
}
