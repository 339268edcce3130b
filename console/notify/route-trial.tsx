// "Who would be told if this alarm came on Sunday at 3:00?": a dry run of all routes. Nothing is sent.

import { useState } from 'preact/hooks'
import { Section } from '../parts/facts.tsx'
import { Form, type FormField, type Values } from '../parts/form.tsx'
import { EventField } from '../rules/choose.tsx'
import { routeTexts as words } from '../texts/notify-texts.ts'
import { texts } from '../texts/shared-texts.ts'
import { type Plan, PlanView, planOf, secondsAt } from './plan.tsx'

const isMadeUp = ({ about }: Values) => about === 'madeUp'

const fields: readonly FormField[] = [
  { name: 'about', label: words.trialOf, kind: 'choice', choices: words.trialKinds, required: true },
  {
    name: 'alarmId',
    label: words.alarmId,
    hint: words.alarmIdHint,
    kind: 'number',
    required: true,
    shown: (values) => !isMadeUp(values),
  },
  { name: 'OID', label: words.event, control: EventField, shown: isMadeUp },
  // The form of a route on the same page has a field `deviceIp`.
  { name: 'ofDevice', label: words.deviceIp, half: true, shown: isMadeUp },
  {
    name: 'alarmLevel',
    label: words.level,
    kind: 'choice',
    choices: texts.levels as Readonly<Record<string, string>>,
    required: true,
    half: true,
    shown: isMadeUp,
  },
  { name: 'day', label: words.day, kind: 'date', half: true, required: true },
  { name: 'hour', label: words.time, kind: 'time', half: true, required: true, hint: words.timeHint },
]

const two = (number: number) => String(number).padStart(2, '0')

/** The next Sunday, when most people sleep. */
function nextSunday(): string {
  const at = new Date()
  at.setDate(at.getDate() + (7 - at.getDay()))
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}

const linkDown = '1.3.6.1.6.3.1.1.5.3'

const start: Values = { about: 'madeUp', alarmId: '', OID: linkDown, alarmLevel: '1', hour: '03:00' }

export function RouteTrial() {
  const [plan, setPlan] = useState<Plan | undefined>(undefined)
  const run = async ({ about, alarmId = '', ofDevice: deviceIp = '', day, hour, ...madeUp }: Values) => {
    const alarm = about === 'madeUp' ? { ...madeUp, deviceIp } : { alarmId: alarmId.trim() }
    setPlan(await planOf({ ...alarm, time: secondsAt(day, hour) }))
  }
  return (
    <Section title={words.trial} hint={words.trialHint}>
      <Form
        fields={fields}
        values={{ ...start, day: nextSunday() }}
        submitText={words.tryIt}
        onSubmit={run}
      />
      <div role="status">{plan && <PlanView plan={plan} />}</div>
    </Section>
  )
}
