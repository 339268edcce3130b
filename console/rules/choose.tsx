// Fields of the editors that search while one types: devices and events.

import { useId, useState } from 'preact/hooks'
import { list } from '../core/api.ts'
import { EventName } from '../parts/event-names.tsx'
import {
  devicesLike,
  type Finding,
  type Found,
  most,
  pickOnEnter,
  Suggestions,
  useFound,
} from '../parts/suggest.tsx'
import { TypedValues } from '../parts/typed.tsx'
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
  return (
    <div class="field">
      {devices.length > 0 && (
        <ul class="tokens">
          {devices.map((device, index) => (
            <li key={`${device.id} ${index}`}>
              {device.name}
              <button
                type="button"
                class="plain icon"
                aria-label={words.remove(device.name)}
                onClick={() => change(devices.filter((one) => one !== device))}
              >
                ✕
              </button>
            </li>
          ))}
        </ul>
      )}
      <label for={id}>{words.addDevice}</label>
      <input
        id={id}
        type="text"
        autocomplete="off"
        placeholder={words.addDeviceHint}
        value={text}
        onInput={(event: InputEvent) => setText((event.target as HTMLInputElement).value)}
        onKeyDown={pickOnEnter(found, add)}
      />
      <Suggestions finding={found} pick={add} />
    </div>
  )
}

interface EventProps {
  readonly oid: string
  readonly change: (oid: string) => void
}

export function EventChoice({ oid, change }: EventProps) {
  const [typed, setTyped] = useState('')
  const found = useFound(typed, eventsLike)
  return (
    <div class="field">
      <label for="rule-oid">{words.oid}</label>
      <input
        id="rule-oid"
        type="text"
        autocomplete="off"
        spellcheck={false}
        aria-describedby="rule-oid-hint"
        value={oid}
        onInput={(event: InputEvent) => {
          const { value } = event.target as HTMLInputElement
          setTyped(value)
          change(value)
        }}
      />
      <p class="hint" id="rule-oid-hint">
        {words.oidHint}
      </p>
      <Suggestions
        finding={found}
        pick={({ value }: Found) => {
          setTyped('')
          change(value)
        }}
      />
    </div>
  )
}

interface EventsProps {
  readonly label: string
  readonly hint: string
  readonly oids: readonly string[]
  readonly change: (oids: readonly string[]) => void
}

/** Several events; what is typed may also be an OID without a definition. */
export const EventsChoice = ({ label, hint, oids, change }: EventsProps) => (
  <TypedValues
    label={label}
    hint={hint}
    values={oids}
    change={change}
    find={eventsLike}
    accepts={(text: string) => /^[\d.]+$/.test(text)}
    show={(oid: string) => <EventName oid={oid} />}
  />
)
