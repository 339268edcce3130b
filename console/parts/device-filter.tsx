// A filter of lists by a device: found by a part of its name, and shown by its name once it is chosen.

import { useId, useState } from 'preact/hooks'
import { texts } from '../texts/shared.ts'
import { deviceName, useDeviceNames } from './device-names.tsx'
import { devicesLike, type Found, pickOnEnter, Suggestions, useFound } from './suggest.tsx'

const words = texts.list

interface DeviceFilterProps {
  readonly label: string
  readonly value: string
  readonly set: (id: string) => void
}

export function DeviceFilter({ label, value: chosen, set }: DeviceFilterProps) {
  const [text, setText] = useState('')
  const id = useId()
  const found = useFound(text, devicesLike)
  useDeviceNames([chosen])
  const choose = (value: string) => {
    setText('')
    set(value)
  }
  if (chosen !== '')
    return (
      <div class="device-filter">
        <span>{label}</span>
        <ul class="tokens">
          <li>
            {deviceName(chosen) || chosen}
            <button type="button" class="plain icon" aria-label={words.anyDevice} onClick={() => choose('')}>
              ✕
            </button>
          </li>
        </ul>
      </div>
    )
  return (
    <div class="device-filter">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="search"
        autocomplete="off"
        spellcheck={false}
        placeholder={words.deviceHint}
        value={text}
        onInput={(event: Event) => setText((event.target as HTMLInputElement).value)}
        onKeyDown={pickOnEnter(found, (one) => choose(one.value))}
      />
      <Suggestions finding={found} pick={(one: Found) => choose(one.value)} />
    </div>
  )
}
