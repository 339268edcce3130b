// Fields of the editors that search while one types: devices and events.

import { useId, useState } from 'preact/hooks'
import { list } from '../core/api.ts'
import { html } from '../core/html.ts'
import { EventName } from '../parts/event-names.ts'
import {
  devicesLike,
  type Finding,
  type Found,
  most,
  pickOnEnter,
  Suggestions,
  useFound,
} from '../parts/suggest.ts'
import { ruleTexts as words } from '../texts/traps.ts'
import type { NamedDevice } from './rule.ts'

const eventsLike = async (text: string): Promise<Finding> => {
  const filter = /^[\d.]+$/.test(text) ? { eventOid: `${text}*` } : { name: `*${text}*` }
  const { rows, total } = await list<{ eventOid: string; name: string }>('/fault/trapEvent', {
    ...filter,
    size: most,
    orderBy: 'name',
  })
  return { found: rows.map(({ eventOid, name }) => ({ value: eventOid, label: name })), total }
}

interface DevicesProps {
  readonly devices: readonly NamedDevice[]
  readonly change: (devices: readonly NamedDevice[]) => void
}

export function DeviceChoice({ devices, change }: DevicesProps) {
  const [text, setText] = useState('')
  const id = useId()
  const found = useFound(text, devicesLike, (id) => devices.some((one) => one.id === id))
  const add = ({ value, label }: Found) => {
    change([...devices, { id: value, name: label.replace(/ \([^()]*\)$/, '') }])
    setText('')
  }
  return html`<div class="field">
    ${
      devices.length > 0 &&
      html`<ul class="tokens">
        ${devices.map((device, index) => html`<li key=${`${device.id} ${index}`}>${device.name}<button type="button" class="plain icon" aria-label=${words.remove(device.name)} onClick=${() => change(devices.filter((one) => one !== device))}>✕</button></li>`)}
      </ul>`
    }
    <label for=${id}>${words.addDevice}</label>
    <input
      id=${id}
      type="text"
      autocomplete="off"
      placeholder=${words.addDeviceHint}
      value=${text}
      onInput=${(event: InputEvent) => setText((event.target as HTMLInputElement).value)}
      onKeyDown=${pickOnEnter(found, add)}
    />
    <${Suggestions} finding=${found} pick=${add} />
  </div>`
}

interface EventProps {
  readonly oid: string
  readonly change: (oid: string) => void
}

export function EventChoice({ oid, change }: EventProps) {
  const [typed, setTyped] = useState('')
  const found = useFound(typed, eventsLike)
  return html`<div class="field">
    <label for="rule-oid">${words.oid}</label>
    <input
      id="rule-oid"
      type="text"
      autocomplete="off"
      spellcheck=${false}
      aria-describedby="rule-oid-hint"
      value=${oid}
      onInput=${(event: InputEvent) => {
        const { value } = event.target as HTMLInputElement
        setTyped(value)
        change(value)
      }}
    />
    <p class="hint" id="rule-oid-hint">${words.oidHint}</p>
    <${Suggestions}
      finding=${found}
      pick=${({ value }: Found) => {
        setTyped('')
        change(value)
      }}
    />
  </div>`
}

interface EventsProps {
  readonly label: string
  readonly hint: string
  readonly oids: readonly string[]
  readonly change: (oids: readonly string[]) => void
}

/** Several events; what is typed may also be an OID without a definition. */
export function EventsChoice({ label, hint, oids, change }: EventsProps) {
  const [text, setText] = useState('')
  const id = useId()
  const found = useFound(text, eventsLike, (oid) => oids.includes(oid))
  const add = (oid: string) => {
    if (oid !== '' && !oids.includes(oid)) change([...oids, oid])
    setText('')
  }
  return html`<div class="field">
    <label for=${id}>${label}</label>
    ${
      oids.length > 0 &&
      html`<ul class="tokens">
        ${oids.map((oid) => html`<li key=${oid}><${EventName} oid=${oid} /><button type="button" class="plain icon" aria-label=${words.remove(oid)} onClick=${() => change(oids.filter((one) => one !== oid))}>✕</button></li>`)}
      </ul>`
    }
    <input
      id=${id}
      type="text"
      autocomplete="off"
      spellcheck=${false}
      aria-describedby="${id}-hint"
      value=${text}
      onInput=${(event: InputEvent) => setText((event.target as HTMLInputElement).value)}
      onBlur=${() => /^[\d.]+$/.test(text.trim()) && add(text.trim())}
      onKeyDown=${(event: KeyboardEvent) => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        if (/^[\d.]+$/.test(text.trim())) add(text.trim())
      }}
    />
    <p class="hint" id="${id}-hint">${hint}</p>
    <${Suggestions} finding=${found} pick=${({ value }: Found) => add(value)} />
  </div>`
}
