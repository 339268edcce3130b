// The parameters of a report, each in a field that fits it.

import { useId } from 'preact/hooks'
import { isKind, SomeByName } from '../parts/by-name.tsx'
import { deviceName, useDeviceNames } from '../parts/device-names.tsx'
import { Picker } from '../parts/picker.tsx'
import { DeviceChoice, EventsChoice } from '../rules/choose.tsx'
import type { NamedDevice } from '../rules/rule.ts'
import { reportTexts as words } from '../texts/report-texts.ts'
import { texts } from '../texts/shared-texts.ts'
import { isOfPeople, People } from './people.tsx'

/** As the fields hold them; empty ones are not sent. */
export interface Given {
  /** `period`, or `beginTime` and `endTime` where that is empty. */
  readonly time: Readonly<Record<string, string>>
  /** What it is about: values by the name of the parameter. None: everything. */
  readonly about: Readonly<Record<string, readonly string[]>>
}

export const nothingGiven: Given = { time: { period: 'week' }, about: {} }

const times = ['beginTime', 'endTime']

export const isTime = (name: string) => name === 'period' || times.includes(name)

const typed = (event: Event) => (event.target as HTMLInputElement | HTMLSelectElement).value

interface AboutProps {
  readonly id: string
  readonly name: string
  readonly values: readonly string[]
  readonly change: (values: readonly string[]) => void
}

function Devices({ values, change }: AboutProps) {
  useDeviceNames(values)
  const devices = values.map((id) => ({ id, name: deviceName(id) || id }))
  return (
    <DeviceChoice
      devices={devices}
      change={(next: readonly NamedDevice[]) => change(next.map(({ id }) => id))}
    />
  )
}

const levels = Object.entries(texts.levels).map(([value, label]) => ({ value, label }))

const levelName = (level: string) => texts.levels[Number(level)] ?? level

function About({ id, name, values, change }: AboutProps) {
  const label = words.parameterNames[name] ?? name
  const placeholder = values.length === 0 ? words.all : texts.list.addAnother
  if (name === 'event')
    return <EventsChoice label={label} hint={words.eventsHint} oids={values} change={change} />
  if (name !== 'level' && (!isKind(name) || isOfPeople(name)))
    return <People name={name} label={label} values={values} change={change} />
  return (
    <div class="field half">
      <label for={id}>{label}</label>
      {name === 'level' ? (
        <Picker
          {...{ id, label, change }}
          from={levels}
          chosen={values}
          nameOf={levelName}
          placeholder={placeholder}
        />
      ) : (
        <SomeByName {...{ id, label, change }} kind={name} any={words.all} chosen={values} />
      )}
    </div>
  )
}

interface TimeProps {
  readonly id: string
  readonly time: Given['time']
  readonly choices: Readonly<Record<string, string>>
  readonly set: (time: Given['time']) => void
}

function Time({ id, time, choices, set }: TimeProps) {
  const change = (name: string) => (event: Event) => set({ ...time, [name]: typed(event) })
  const { period = '' } = time
  return (
    <>
      <div class="field half">
        <label for={`${id}-period`}>{words.parameterNames.period}</label>
        <select id={`${id}-period`} value={period} onChange={change('period')}>
          {Object.entries(choices).map(([value, text]) => (
            <option key={value} value={value} selected={value === period}>
              {text}
            </option>
          ))}
        </select>
      </div>
      {choices === words.periods &&
        period === '' &&
        times.map((name) => (
          <div class="field half" key={name}>
            <label for={`${id}-${name}`}>{words.parameterNames[name]}</label>
            <input
              id={`${id}-${name}`}
              type="datetime-local"
              value={time[name] ?? ''}
              onInput={change(name)}
            />
          </div>
        ))}
    </>
  )
}

interface ParametersProps {
  /** Names that the report takes. */
  readonly taken: readonly string[]
  readonly given: Given
  readonly set: (given: Given) => void
  /** A schedule determines the time itself, unless it is given the length of it. */
  readonly isScheduled?: boolean
}

export function Parameters({ taken, given, set, isScheduled = false }: ParametersProps) {
  const form = useId()
  const { time, about } = given
  const propsOf = (name: string): AboutProps => ({
    ...{ id: `${form}-${name}`, name, values: about[name] ?? [] },
    change: (values) => set({ ...given, about: { ...about, [name]: values } }),
  })
  const names = taken.filter((name) => !isTime(name) && name !== 'device')
  return (
    <>
      {taken.includes('device') && <Devices {...propsOf('device')} />}
      <div class="halves two">
        <Time
          id={form}
          time={time}
          choices={isScheduled ? words.scheduledPeriods : words.periods}
          set={(next: Given['time']) => set({ ...given, time: next })}
        />
        {names.map((name) => (
          <About key={name} {...propsOf(name)} />
        ))}
      </div>
    </>
  )
}

/** Times are typed in the browser's zone, and sent in seconds. */
const secondsOf = (local: string) => String(Math.floor(new Date(local).getTime() / 1000))

/** Without what is empty. */
const aboutOf = ({ about }: Given, taken: readonly string[]) =>
  Object.entries(about).flatMap(([name, values]) => {
    const said = values.map((value) => value.trim()).filter((value) => value !== '')
    return taken.includes(name) && said.length > 0 ? [[name, said] as const] : []
  })

/** The request's parameters. */
export function runOf(given: Given, taken: readonly string[]): Record<string, unknown> {
  const { period = '', ...span } = given.time
  const own = Object.entries(span).filter(([, local]) => local !== '')
  return {
    ...(period === ''
      ? Object.fromEntries(own.map(([name, local]) => [name, secondsOf(local)]))
      : { period }),
    ...Object.fromEntries(aboutOf(given, taken)),
  }
}
