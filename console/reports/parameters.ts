// The parameters of a report, each in a field that fits it.

import { useId } from 'preact/hooks'
import { list } from '../core/api.ts'
import { html } from '../core/html.ts'
import { useLoad } from '../parts/load.ts'
import { DeviceChoice } from '../rules/choose.ts'
import type { NamedDevice } from '../rules/rule.ts'
import { reportTexts as words } from '../texts/reports.ts'
import { texts } from '../texts/shared.ts'

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

type Options = readonly (readonly [string, string])[]

/** What can be chosen by name, where the report takes it. */
const sources: Readonly<Record<string, { path: string; id: string; name: string; isNumbered?: true }>> = {
  zone: { path: '/ram/zone', id: 'zoneId', name: 'name' },
  view: { path: '/plat/res/view/custom', id: 'symbolId', name: 'name' },
  category: { path: '/fault/alarmCategory', id: 'id', name: 'name' },
  segment: { path: '/res/access/assignedIpScope', id: 'id', name: 'name', isNumbered: true },
}

/** Above this number one is given by its id. */
const mostOptions = 500

export function useOptions(taken: readonly string[]): Readonly<Record<string, Options | undefined>> {
  const loaded = useLoad(
    async (over) => {
      const wanted = Object.entries(sources).filter(([name]) => taken.includes(name))
      const found = await Promise.all(
        wanted.map(async ([parameter, { path, id, name, isNumbered }]) => {
          const { rows, total } = await list<Record<string, string>>(path, { size: mostOptions }, over)
          if (total > mostOptions) return [parameter, undefined] as const
          // Names of segments need not differ.
          const label = (row: Record<string, string>) => `${row[name]}${isNumbered ? ` · ${row[id]}` : ''}`
          return [parameter, rows.map((row) => [row[id] ?? '', label(row)] as const)] as const
        }),
      )
      return Object.fromEntries(found)
    },
    [taken.join()],
  )
  const levels = Object.entries(texts.levels)
  return { ...loaded.data, level: levels, period: Object.entries(words.periods) }
}

export const times = ['beginTime', 'endTime']

export function Parameters({ taken, given, set, untimed = false }: ParametersProps) {
  const options = useOptions(taken)
  const form = useId()
  const { values, devices } = given
  const change = (name: string) => (event: Event) =>
    set({ ...given, values: { ...values, [name]: typed(event) } })
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
              : html`<input id=${id} type="text" autocomplete="off" spellcheck=${false} placeholder=${name in sources ? words.byId : words.all} value=${values[name] ?? ''} onInput=${change(name)} />`
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
