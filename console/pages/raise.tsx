// An alarm that somebody raises by hand: about something that no device reports, or to test which clients get it.

import { go, hrefOf } from '../core/address.ts'
import { ask } from '../core/api.ts'
import { DeviceInput } from '../parts/device-input.tsx'
import { type ChoosingProps, Form, type FormField, type Values } from '../parts/form.tsx'
import { say } from '../parts/toast.tsx'
import { EventField } from '../rules/choose.tsx'
import { raiseTexts as words } from '../texts/alarm-texts.ts'
import { texts } from '../texts/shared-texts.ts'
import { levelAndCategory } from './categories.tsx'

const DeviceField = ({ value, change }: ChoosingProps) => (
  <>
    <label for="raise-device">
      {words.device} <span class="hint">{texts.form.optional}</span>
    </label>
    <DeviceInput
      id="raise-device"
      label={words.device}
      value={value}
      none={texts.list.none}
      change={change}
    />
  </>
)

const fields: readonly FormField[] = [
  { name: 'alarmDesc', label: words.text, required: true },
  { name: 'OID', label: words.event, control: EventField },
  ...levelAndCategory,
  { name: 'deviceId', label: words.device, control: DeviceField, hint: words.deviceHint },
  { name: 'resource', label: words.resource, hint: words.resourceHint },
  { name: 'deviceIp', label: words.host, hint: words.hostHint, half: true },
  { name: 'deviceName', label: words.hostName, half: true },
  { name: 'paras', label: words.variables, hint: words.variablesHint },
]

async function raise(values: Values): Promise<void> {
  const given = Object.entries(values).filter(([, value]) => value.trim() !== '')
  const { location } = await ask('POST', '/fault/alarm', { body: Object.fromEntries(given) })
  say(words.raised)
  go(hrefOf('alarm', location.split('/').at(-1) ?? ''))
}

export default function RaisePage() {
  return (
    <article class="page narrow">
      <header class="page-head">
        <h1>{words.title}</h1>
      </header>
      <p class="hint about">{words.about}</p>
      <section class="part">
        <Form
          fields={fields}
          values={{ alarmLevel: '4', alarmCategory: '15' }}
          submitText={words.raise}
          onSubmit={raise}
          onCancel={() => go(hrefOf('alarms'))}
          draftKey="alarm new"
        />
      </section>
    </article>
  )
}
