// Fields of the editors that search while one types: devices and events.

import { useId } from 'preact/hooks'
import { list } from '../core/api.ts'
import { EventName, useEventName } from '../parts/event-names.tsx'
import { anywhere, devicesLike, type Finder, maxFound } from '../parts/finding.ts'
import type { ChoosingProps } from '../parts/form.tsx'
import { Picker } from '../parts/picker.tsx'
import { ruleTexts as words } from '../texts/trap-texts.ts'
import type { NamedDevice } from './rule.ts'

const isOid = (text: string) => /^[\d.]+$/.test(text)

const eventsLike: Finder = async (text) => {
  const { rows, total } = await list<{ eventOid: string; name: string }>('/fault/trapEvent', {
    ...(isOid(text) ? { eventOid: `${text}*` } : anywhere('name', text)),
    ...{ size: maxFound, orderBy: 'name' },
  })
  return {
    found: rows.map(({ eventOid, name }) => ({ value: eventOid, label: name, note: eventOid })),
    total,
  }
}

interface DevicesProps {
  readonly devices: readonly NamedDevice[]
  readonly change: (devices: readonly NamedDevice[]) => void
}

/** One may be among them twice, with conditions of its own: each is known by its place. */
export function DeviceChoice({ devices, change }: DevicesProps) {
  const id = useId()
  const others: Finder = async (text) => {
    const { found, total } = await devicesLike(text)
    return { found: found.filter(({ value }) => !devices.some((one) => one.id === value)), total }
  }
  return (
    <div class="field">
      <label for={id}>{words.addDevice}</label>
      <Picker
        id={id}
        label={words.addDevice}
        from={others}
        placeholder={words.addDeviceHint}
        chosen={devices.map((_, place) => `${place}.`)}
        nameOf={(place) => devices[Number.parseInt(place, 10)]?.name ?? ''}
        removal={words.remove}
        change={(places, picked) =>
          change(
            picked
              ? [...devices, { id: picked.value, name: picked.label.replace(/ \([^()]*\)$/, '') }]
              : devices.filter((_, place) => places.includes(`${place}.`)),
          )
        }
      />
    </div>
  )
}

interface EventProps {
  readonly oid: string
  readonly change: (oid: string) => void
}

/** By its name, or by any OID. */
export function EventChoice({ oid, change }: EventProps) {
  const name = useEventName(oid)
  return (
    <div class="field">
      <label for="rule-oid">{words.oid}</label>
      <Picker
        id="rule-oid"
        label={words.oid}
        hint={name || words.oidHint}
        from={eventsLike}
        isOne
        accepts={() => true}
        chosen={oid === '' ? [] : [oid]}
        change={([one = '']) => change(one)}
      />
    </div>
  )
}

/** The same in a form. */
export const EventField = ({ value, change }: ChoosingProps) => <EventChoice oid={value} change={change} />

interface EventsProps {
  readonly label: string
  readonly hint: string
  readonly oids: readonly string[]
  readonly change: (oids: readonly string[]) => void
}

/** Several events; what is typed may also be an OID without a definition. */
export function EventsChoice({ label, hint, oids, change }: EventsProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <Picker
        id={id}
        label={label}
        hint={hint}
        from={eventsLike}
        accepts={isOid}
        chosen={oids}
        change={change}
        show={(oid) => <EventName oid={oid} />}
      />
    </div>
  )
}
