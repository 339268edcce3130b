// Who a step of a route tells: people, teams, whoever is on call, and channels of nobody; in words and in the form.

import { useId } from 'preact/hooks'
import { list, listWhole } from '../core/api.ts'
import type { ChoosingProps } from '../parts/form.tsx'
import { useLoad } from '../parts/load.tsx'
import { Picker } from '../parts/picker.tsx'
import { peopleTexts, routeTexts as words } from '../texts/notify-texts.ts'
import { type Channel, channelPath, distinctNames, gatewayNames } from './channel.tsx'
import { contactPath } from './contact.tsx'
import { afterText, type Step } from './route.ts'
import { schedulePath } from './schedule.ts'

interface Named {
  readonly id: string
  readonly name: string
  /** Of contacts. */
  readonly enabled?: string
}

export interface Target {
  /** `team:7` */
  readonly value: string
  readonly label: string
  readonly note: string
}

const targetOf =
  (kind: string) =>
  ({ id, name, enabled }: Named): Target => {
    const known = words.kinds[kind] ?? kind
    const note = enabled === 'false' ? `${known}, ${peopleTexts.disabled}` : known
    return { value: `${kind}:${id}`, label: name, note }
  }

/** All that can be told. Of channels, those that the viewer sees and that belong to nobody. */
async function targets(over: AbortSignal): Promise<readonly Target[]> {
  const [contacts, teams, schedules, channels, gateways] = await Promise.all([
    listWhole<Named>(contactPath, {}, over),
    listWhole<Named>('/notify/team', {}, over),
    listWhole<Named>(schedulePath, {}, over),
    list<Channel>(channelPath, { size: 1000 }, over),
    gatewayNames(over),
  ])
  const rooms = channels.rows.filter(({ contactId }) => contactId === undefined)
  const names = distinctNames(rooms, gateways)
  return [
    ...contacts.map(targetOf('contact')),
    ...teams.map(targetOf('team')),
    ...schedules.map(targetOf('schedule')),
    ...rooms.map(({ id }) => targetOf('channel')({ id, name: names.get(id) ?? id })),
  ]
}

export const useTargets = (): readonly Target[] => useLoad(targets, []).data ?? []

const noteIn = (all: readonly Target[], value: string) => all.find((one) => one.value === value)?.note

const nameIn = (all: readonly Target[]) => (value: string) =>
  all.find((one) => one.value === value)?.label ?? value

const NamedTarget = ({ all, value }: { all: readonly Target[]; value: string }) => {
  const [kind = '', id = ''] = value.split(':')
  return (
    <>
      {nameIn(all)(value)}{' '}
      <span class="hint">{noteIn(all, value) ?? words.kinds[kind] ?? `${kind} ${id}`}</span>
    </>
  )
}

/** Step by step, in words. */
export const StepsText = ({ steps, all }: { steps: readonly Step[]; all: readonly Target[] }) => (
  <ol class="reasons">
    {steps.map(({ after = '0', target }, index) => (
      <li key={index}>
        {afterText(Number(after))}
        {target.split(',').map((value, at) => (
          <span key={value}>
            {at > 0 && ', '}
            <NamedTarget all={all} value={value} />
          </span>
        ))}
      </li>
    ))}
  </ol>
)

interface OneProps {
  readonly number: number
  readonly step: Step
  readonly all: readonly Target[]
  readonly change: (step: Step) => void
  readonly remove: (() => void) | undefined
}

function One({ number, step, all, change, remove }: OneProps) {
  const id = useId()
  return (
    <div class="row-card" role="group" aria-label={words.step(number)}>
      <div class="field wide">
        <label for={`${id}-targets`}>{words.targets}</label>
        <Picker
          id={`${id}-targets`}
          label={words.targets}
          from={all}
          chosen={step.target.split(',').filter(Boolean)}
          nameOf={nameIn(all)}
          change={(chosen: readonly string[]) => change({ ...step, target: chosen.join() })}
        />
      </div>
      <div class="field">
        <label for={`${id}-after`}>{words.stepAfter}</label>
        <input
          id={`${id}-after`}
          type="text"
          inputmode="numeric"
          value={step.after ?? '0'}
          onInput={(event: Event) => change({ ...step, after: (event.target as HTMLInputElement).value })}
        />
      </div>
      {remove && (
        <div class="buttons">
          <button type="button" class="plain" aria-label={words.removeStep(number)} onClick={remove}>
            {words.remove}
          </button>
        </div>
      )}
    </div>
  )
}

/** The field of a form. */
export const stepsOf = (all: readonly Target[]) =>
  function Steps({ value, change }: ChoosingProps) {
    const steps: readonly Step[] = JSON.parse(value || '[]')
    const set = (changed: readonly Step[]) => change(JSON.stringify(changed))
    return (
      <>
        <b>{words.steps}</b>
        {steps.map((step, index) => (
          <One
            key={index}
            number={index + 1}
            step={step}
            all={all}
            change={(changed: Step) => set(steps.with(index, changed))}
            remove={steps.length > 1 ? () => set(steps.toSpliced(index, 1)) : undefined}
          />
        ))}
        <div class="buttons">
          <button type="button" onClick={() => set([...steps, { after: '300', target: '' }])}>
            {words.addStep}
          </button>
        </div>
      </>
    )
  }
