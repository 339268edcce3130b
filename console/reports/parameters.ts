// The parameters of a report, each in a field that fits it.

import { useId } from 'preact/hooks'
import { html } from '../core/html.ts'
import { DeviceChoice } from '../rules/choose.ts'
import type { NamedDevice } from '../rules/rule.ts'
import { reportTexts as words } from '../texts/reports.ts'
import { ByName, sources, useOptions } from './by-name.ts'

/** As the fields hold them; empty ones are not sent. */
export interface Given {
  readonly values: Readonly<Record<string, string>>
  readonly devices: readonly NamedDevice[]
}

export const nothingGiven: Given = { values: { period: 'week' }, devices: [] }

interface ParametersProps {
  /** Names that the report takes. */
  readonly taken: readonly string[]
  readonly given: Given
  readonly set: (given: Given) => void
  /** A schedule determines the time itself. */
  readonly untimed?: boolean
}

const typed = (event: Event) => (event.target as HTMLInputElement | HTMLSelectElement).value

export const times = ['beginTime', 'endTime']

export function Parameters({ taken, given, set, untimed = false }: ParametersProps) {
  const options = useOptions(taken)
  const form = useId()
  const { values, devices } = given
  const give = (name: string, value: string) => set({ ...given, values: { ...values, [name]: value } })
  const change = (name: string) => (event: Event) => give(name, typed(event))
  const isOwn = !untimed && values.period === ''
  const names = [
    ...(untimed ? [] : ['period']),
    ...taken.filter((name) => !['period', 'device', ...times].includes(name)),
  ]
  return html`
    ${taken.includes('device') && html`<${DeviceChoice} devices=${devices} change=${(next: readonly NamedDevice[]) => set({ ...given, devices: next })} />`}
    <div class="halves two">
      ${names.map((name) => {
        // Before they have come there are none yet; it is a choice all the same.
        const choices = name in options ? options[name] : name in sources ? [] : undefined
        const id = `${form}-${name}`
        return html`<div class="field half" key=${name}>
          <label for=${id}>${words.parameterNames[name] ?? name}</label>
          ${
            choices
              ? html`<select id=${id} value=${values[name] ?? ''} onChange=${change(name)}>
                  ${name !== 'period' && html`<option value="">${words.all}</option>`}
                  ${choices.map(([value, text]) => html`<option key=${value} value=${value} selected=${value === (values[name] ?? '')}>${text}</option>`)}
                </select>`
              : name in sources
                ? html`<${ByName} id=${id} parameter=${name} value=${values[name] ?? ''} change=${(value: string) => give(name, value)} />`
                : html`<input id=${id} type="text" autocomplete="off" spellcheck=${false} placeholder=${words.all} value=${values[name] ?? ''} onInput=${change(name)} />`
          }
        </div>`
      })}
      ${
        isOwn &&
        times.map(
          (name) => html`<div class="field half" key=${name}>
            <label for="${form}-${name}">${words.parameterNames[name]}</label>
            <input id="${form}-${name}" type="datetime-local" value=${values[name] ?? ''} onInput=${change(name)} />
          </div>`,
        )
      }
    </div>`
}

/** Times are typed in the browser's zone, and sent in seconds. */
const secondsOf = (local: string) => String(Math.floor(new Date(local).getTime() / 1000))

/** The request's parameters: several values of one are sent one by one. */
export function runOf({ values, devices }: Given, taken: readonly string[]): Record<string, unknown> {
  const isOwn = values.period === ''
  const plain = Object.entries(values)
    .filter(([name, value]) => value.trim() !== '' && (taken.includes(name) || name === 'period'))
    .filter(([name]) => isOwn || !times.includes(name))
    .map(([name, value]) => [name, times.includes(name) ? secondsOf(value) : value.trim()])
  const ids = devices.map(({ id }) => id)
  return { ...Object.fromEntries(plain), ...(ids.length > 0 && taken.includes('device') && { device: ids }) }
}
