// Why somebody was told of an alarm, or nobody was, and who would be told of it at another time: on the page of the alarm.

import { useState } from 'preact/hooks'
import { hrefOf } from '../core/address.ts'
import { read } from '../core/api.ts'
import { Section } from '../parts/facts.tsx'
import { Form, type FormField, type Values } from '../parts/form.tsx'
import { useLoad, When } from '../parts/load.tsx'
import { Time } from '../parts/time.tsx'
import { routeTexts, toldTexts as words } from '../texts/notify-texts.ts'
import { type Plan, PlanView, planOf, secondsAt, type Verdict, Verdicts } from './plan.tsx'
import { Outcome, Who } from './told.tsx'

/** A row of the ledger, as the explanation of an alarm has it. */
interface Row {
  readonly id: string
  readonly time: string
  readonly change: string
  readonly contactId: string
  readonly contactName?: string
  readonly channelId: string
  readonly channelName?: string
  readonly outcome: string
  readonly reason?: string
}

interface Explanation {
  readonly summary: string
  readonly route: readonly Verdict[]
  readonly notification?: readonly Row[]
}

/** The first ones explain the rest; the ledger has all of them. */
const rowsShown = 12

const Ledger = ({ rows }: { rows: readonly Row[] }) => (
  <ul class="lines">
    {rows.slice(0, rowsShown).map((row) => (
      <li key={row.id}>
        <span class="hint">
          <Time at={Number(row.time)} />
        </span>
        <span>
          {words.changes[row.change] ?? row.change}
          {row.channelId !== '0' && ' → '}
          <Who {...row} />
        </span>
        <Outcome outcome={row.outcome} />
        {row.reason && <span class="hint">{row.reason}</span>}
      </li>
    ))}
  </ul>
)

const fields: readonly FormField[] = [
  { name: 'day', label: routeTexts.day, kind: 'date', half: true, required: true },
  {
    ...{ name: 'hour', label: routeTexts.time, kind: 'time', half: true, required: true },
    hint: routeTexts.timeHint,
  },
]

const two = (number: number) => String(number).padStart(2, '0')

function nowHere(): Values {
  const at = new Date()
  return {
    day: `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`,
    hour: `${two(at.getHours())}:${two(at.getMinutes())}`,
  }
}

function AtAnotherTime({ id }: { id: string }) {
  const [plan, setPlan] = useState<Plan | undefined>(undefined)
  const run = async ({ day, hour }: Values) =>
    setPlan(await planOf({ alarmId: id, time: secondsAt(day, hour) }))
  return (
    <details class="fold-part">
      <summary>{words.another}</summary>
      <Form fields={fields} values={nowHere()} submitText={routeTexts.tryIt} onSubmit={run} />
      <div role="status">{plan && <PlanView plan={plan} />}</div>
    </details>
  )
}

export function AlarmTold({ id, on }: { id: string; on: readonly unknown[] }) {
  const loaded = useLoad(
    (over) => read<Explanation>(`/fault/alarm/${encodeURIComponent(id)}/notification`, {}, over),
    [id, ...on],
  )
  return (
    <Section title={words.whyTitle} hint={words.whyHint}>
      <When
        loaded={loaded}
        show={({ summary, route, notification = [] }: Explanation) => (
          <>
            <p>{summary}</p>
            <Ledger rows={notification} />
            <Verdicts all={route} />
            <p>
              <a href={hrefOf('told', '', { alarmId: id })}>{words.ledger}</a>
            </p>
          </>
        )}
      />
      <AtAnotherTime id={id} />
    </Section>
  )
}
