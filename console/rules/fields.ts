// The fields of the rule editor: what, where, with which values, and when.

import { html } from '../core/html.ts'
import { serverZone } from '../core/time.ts'
import { Section } from '../parts/facts.ts'
import { ruleTexts as words } from '../texts/traps.ts'
import { DeviceChoice, EventChoice } from './choose.ts'
import type { Draft, NamedDevice, RuleParameter } from './rule.ts'
import type { Validity } from './validity.ts'
import { stretchesOf } from './week.ts'
import { WeekPicture } from './week-picture.ts'
import { spanText } from './words.ts'

export interface EditProps {
  readonly draft: Draft
  readonly set: (change: Partial<Draft>) => void
}

const typed = (event: Event) => (event.target as HTMLInputElement).value

/** Conditions that were made for the event before are meant for this one. */
const withEvent = ({ oid: before, parameters }: Draft, oid: string): Partial<Draft> => ({
  oid,
  parameters: parameters.map((one) =>
    before !== '' && one.faultOid === before ? { ...one, faultOid: oid } : one,
  ),
})

const kinds = ['event', '0', '1'] as const

export const What = ({ draft, set }: EditProps) => html`<${Section} title=${words.what}>
  <div class="radios" role="radiogroup" aria-label=${words.what}>
    ${kinds.map((kind) => html`<label key=${kind} class="check"><input type="radio" name="kind" checked=${draft.kind === kind} onChange=${() => set({ kind })} />${words.kinds[kind]}</label>`)}
  </div>
  ${draft.kind === 'event' && html`<${EventChoice} oid=${draft.oid} change=${(oid: string) => set(withEvent(draft, oid))} />`}
<//>`

export const Where = ({ draft, set }: EditProps) => html`<${Section} title=${words.where}>
  <p>${draft.devices.length === 0 ? words.deviceAny : words.deviceSome}</p>
  <${DeviceChoice} devices=${draft.devices} change=${(devices: readonly NamedDevice[]) => set({ devices })} />
  <div class="field">
    <label for="interfaces">${words.interfaces}</label>
    <textarea id="interfaces" rows="2" aria-describedby="interfaces-hint" spellcheck=${false} value=${draft.interfaces.join('\n')} onInput=${(event: Event) => set({ interfaces: typed(event).split('\n') })}></textarea>
    <p class="hint" id="interfaces-hint">${words.interfacesHint}</p>
  </div>
<//>`

/** A number is a position, anything else a name. */
const placed = (text: string): RuleParameter => (/^\d+$/.test(text) ? { position: text } : { name: text })

export function Values({ draft, set }: EditProps) {
  const { parameters } = draft
  const change = (index: number, next: RuleParameter) =>
    set({ parameters: parameters.map((one, at) => (at === index ? next : one)) })
  return html`<${Section} title=${words.parameters} hint=${words.parametersHint}>
    ${parameters.map(
      (one, index) => html`<div class="pair" key=${index}>
        <input aria-label=${words.parameter} placeholder=${words.parameter} value=${one.name || one.position || ''} onInput=${(event: Event) => change(index, { ...placed(typed(event)), ...(one.value !== undefined && { value: one.value }), ...(one.faultOid !== undefined && { faultOid: one.faultOid }) })} />
        <input aria-label=${words.value} placeholder=${words.value} value=${one.value ?? ''} onInput=${(event: Event) => change(index, { ...one, value: typed(event) })} />
        <button type="button" class="plain icon" aria-label=${words.remove(one.name || one.position || '')} onClick=${() => set({ parameters: parameters.filter((_, at) => at !== index) })}>✕</button>
      </div>`,
    )}
    <button type="button" onClick=${() => set({ parameters: [...parameters, { ...(draft.oid !== '' && { faultOid: draft.oid }), name: '', value: '' }] })}>${words.addParameter}</button>
  <//>`
}

const Limit = ({
  id,
  label,
  value,
  hint,
  set,
}: {
  id: string
  label: string
  value: string
  hint: string
  set: (value: string) => void
}) =>
  html`<div class="field half"><label for=${id}>${label}</label><input id=${id} type="text" autocomplete="off" placeholder=${hint} value=${value} onInput=${(event: Event) => set(typed(event))} /></div>`

interface WhenProps {
  readonly title?: string
  readonly draft: Validity
  readonly set: (change: Partial<Validity>) => void
}

function Weekdays({ draft, set }: WhenProps) {
  const { weekdays } = draft
  const toggle = (day: number) =>
    set({ weekdays: weekdays.includes(day) ? weekdays.filter((one) => one !== day) : [...weekdays, day] })
  return html`<div class="chips" role="group" aria-label=${words.weekdays}>
    ${[1, 2, 3, 4, 5, 6, 0].map((day) => html`<button key=${day} type="button" class="chip" aria-pressed=${weekdays.includes(day)} title=${words.days[day]} onClick=${() => toggle(day)}>${words.short[day]}</button>`)}
  </div>`
}

/** Of rules and of maintenance windows. */
export function When({ title = words.when, draft, set }: WhenProps) {
  const { startDay, endDay, startTime, endTime, isSpan } = draft
  const span = spanText(draft)
  return html`<${Section} title=${title} hint=${words.whenHint(serverZone.value ?? '')}>
    <${Weekdays} draft=${draft} set=${set} />
    <div class="halves">
      <${Limit} id="start-time" label=${words.startTime} value=${startTime} hint="0:00" set=${(value: string) => set({ startTime: value })} />
      <${Limit} id="end-time" label=${words.endTime} value=${endTime} hint="24:00" set=${(value: string) => set({ endTime: value })} />
      <${Limit} id="start-day" label=${words.startDay} value=${startDay} hint="2031-12-24" set=${(value: string) => set({ startDay: value })} />
      <${Limit} id="end-day" label=${words.endDay} value=${endDay} hint="2031-12-26" set=${(value: string) => set({ endDay: value })} />
    </div>
    ${(startDay !== '' || endDay !== '') && html`<label class="check"><input type="checkbox" checked=${isSpan} onChange=${() => set({ isSpan: !isSpan })} />${words.span}</label>`}
    ${!isSpan && html`<${WeekPicture} stretches=${stretchesOf(draft)} />`}
    ${span !== '' && !isSpan && html`<p>${words.outside(span)}</p>`}
  <//>`
}
