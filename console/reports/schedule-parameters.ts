// The parameters of a scheduled report: those of the template, except for the time.

import { html } from '../core/html.ts'
import { deviceName, useDeviceNames } from '../parts/device-names.ts'
import type { ChoosingProps } from '../parts/form.ts'
import { reportTexts as words } from '../texts/reports.ts'
import { NameOf, sources, useOptions } from './by-name.ts'
import { type Given, Parameters, times } from './parameters.ts'

/** Several values of one are sent one by one. */
export interface SetParameter {
  readonly parameterName: string
  readonly value: string
}

/** The time follows from the rhythm; what programs have written about it stays. */
const isTime = (name: string) => name === 'period' || times.includes(name)

const isRepeated = (all: readonly SetParameter[], name: string) =>
  all.filter(({ parameterName }) => parameterName === name).length > 1

/** Those that the form has a field for. Several levels or zones, which programs can give, stay as they are. */
const editable = (all: readonly SetParameter[], taken: readonly string[]) =>
  taken.filter((name) => name === 'device' || (!isTime(name) && !isRepeated(all, name)))

/** The form holds all of them in one text. */
export const written = (all: readonly SetParameter[]): string => JSON.stringify(all)
export const readBack = (text = '[]') => JSON.parse(text) as readonly SetParameter[]

export const choosing = (taken: readonly string[]) =>
  function ScheduleParameters({ value, change }: ChoosingProps) {
    const all = readBack(value || '[]')
    const mine = editable(all, taken)
    const ids = all.filter(({ parameterName }) => parameterName === 'device').map((one) => one.value)
    useDeviceNames(ids)
    const given: Given = {
      values: Object.fromEntries(all.map((one) => [one.parameterName, one.value])),
      devices: ids.map((id) => ({ id, name: deviceName(id) || id })),
    }
    const kept = all.filter(({ parameterName }) => !mine.includes(parameterName))
    const set = ({ values, devices }: Given) => {
      const plain = mine.filter((name) => name !== 'device' && (values[name] ?? '').trim() !== '')
      change(
        written([
          ...kept,
          ...plain.map((parameterName) => ({ parameterName, value: values[parameterName] ?? '' })),
          ...devices.map(({ id }) => ({ parameterName: 'device', value: id })),
        ]),
      )
    }
    return html`<b>${words.ask}</b>
      <${Parameters} taken=${mine} given=${given} set=${set} untimed=${true} />
      ${kept.length > 0 && html`<p class="hint">${words.kept} <${Named} all=${kept} taken=${taken} /></p>`}`
  }

interface NamedProps {
  readonly all: readonly SetParameter[]
  readonly taken: readonly string[]
}

/** `Level: Critical; Zone: Hamburg`. */
export function Named({ all, taken }: NamedProps) {
  const options = useOptions(taken)
  useDeviceNames(all.filter(({ parameterName }) => parameterName === 'device').map(({ value }) => value))
  if (all.length === 0) return html`<span class="hint">${words.everything}</span>`
  const named = ({ parameterName: name, value }: SetParameter) => {
    if (name === 'device') return html`${deviceName(value) || value}`
    const known = options[name]?.find(([one]) => one === value)?.[1]
    // Of very many only those that are needed are read.
    return known === undefined && name in options && name in sources
      ? html`<${NameOf} parameter=${name} id=${value} />`
      : html`${known ?? value}`
  }
  const names = [...new Set(all.map(({ parameterName }) => parameterName))]
  return html`<span>
    ${names.map((name, index) => {
      const values = all.filter(({ parameterName }) => parameterName === name)
      return html`${index > 0 && '; '}${words.parameterNames[name] ?? name}: ${values.map((one, at) => html`${at > 0 && ', '}${named(one)}`)}`
    })}
  </span>`
}
