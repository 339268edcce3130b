// A definition of messages, written beside what it makes of the last messages.

import { address } from '../core/address.ts'
import { ask } from '../core/api.ts'
import { levelAndCategory } from '../pages/categories.tsx'
import { SeveralByName } from '../parts/by-name.tsx'
import { deviceName, useDeviceNames } from '../parts/device-names.tsx'
import { EditorPage } from '../parts/editor-page.tsx'
import { Facts } from '../parts/facts.tsx'
import type { ChoosingProps, FormField, Values } from '../parts/form.tsx'
import { useLoad, When } from '../parts/load.tsx'
import type { Labels } from '../parts/refusal.ts'
import { rowsOf } from '../parts/rows.tsx'
import { Time } from '../parts/time.tsx'
import { DeviceChoice } from '../rules/choose.tsx'
import { DryRunSection, useDryRun } from '../rules/dry-run.tsx'
import { messageTexts, definitionTexts as words } from '../texts/message-texts.ts'
import {
  bodyOf,
  bySeverity,
  hasOwnAlarm,
  hasState,
  listed,
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

function Devices({ value, change }: ChoosingProps) {
  const ids = listed(value)
  useDeviceNames(ids)
  return (
    <DeviceChoice
      devices={ids.map((id) => ({ id, name: deviceName(id) || id }))}
      change={(devices) => change(devices.map(({ id }) => id).join())}
    />
  )
}

const Zones = ({ value, change }: ChoosingProps) => (
  <SeveralByName
    label={words.zone}
    kind="zone"
    chosen={listed(value)}
    change={(zones: readonly string[]) => change(zones.join())}
  />
)

/** A form of messages may leave the level to their severity. */
const alarmFields = levelAndCategory.map((field): FormField => {
  const { choices } = field
  const levels = choices && { choices: { [bySeverity]: words.bySeverity, ...choices }, required: false }
  return { ...field, ...levels, shown: hasOwnAlarm }
})

const fields: readonly FormField[] = [
  { name: 'name', label: words.name, required: true },
  { name: 'code', label: words.code, hint: words.codeHint, half: true },
  { name: 'word', label: words.word, hint: words.wordHint, half: true },
  { name: 'message', label: words.message, control: messagesOf, placesErrors: true },
  { name: 'key', label: words.key, hint: words.keyHint, shown: makesAlarms },
  { name: 'raises', label: words.raises, hint: words.statesHint, shown: hasState, half: true },
  { name: 'clears', label: words.clears, shown: hasState, half: true },
  ...alarmFields,
  { name: 'alarmDesc', label: words.alarmDesc, hint: words.alarmDescHint, shown: hasOwnAlarm },
  { name: 'eventOid', label: words.eventOid, hint: words.eventOidHint, shown: makesAlarms },
  { name: 'network', label: words.network, hint: words.networkHint, half: true },
  { name: 'typeName', label: words.typeName, hint: words.typeNameHint, half: true },
  { name: 'device', label: words.device, control: Devices },
  { name: 'zone', label: words.zone, control: Zones },
  { name: 'unless', label: words.unless },
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

export default function DefinitionPage({ id }: { id: string }) {
  const { query } = address.value
  const origin = query.get('origin') ?? ''
  const text = query.get('text') ?? ''
  const loaded = useLoad(
    async (over): Promise<Partial<MessageDefinition>> => {
      if (id !== 'new') return (await ask<MessageDefinition>('GET', `${path}/${id}`, { signal: over })).data
      if (text === '') return {}
      const sample = { origin, text }
      return (await ask<MessageDefinition>('POST', `${path}/proposal`, { body: sample, signal: over })).data
    },
    [id, origin, text],
  )
  return (
    <When
      loaded={loaded}
      show={(definition: Partial<MessageDefinition>) => (
        <EditorPage
          key={`${id} ${origin} ${text}`}
          words={words}
          path={path}
          id={id === 'new' ? undefined : id}
          name={definition.name ?? ''}
          list="definitions"
          fields={fields}
          first={valuesOf(definition)}
          bodyOf={bodyOf}
          draftKey={`message definition ${id}`}
          trial={(values) => <TrialResult values={values} />}
        />
      )}
    />
  )
}
