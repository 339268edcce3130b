// One device in a form: found by a part of its name, held by its id.

import { useState } from 'preact/hooks'
import { texts } from '../texts/shared.ts'
import { deviceName, useDeviceNames } from './device-names.tsx'
import { devicesLike, type Found, pickOnEnter, Suggestions, useFound } from './suggest.tsx'

const words = texts.rows

interface DeviceInputProps {
  /** Of the element that a label is for. */
  readonly id: string
  readonly value: string
  /** Attributes of one that was refused. */
  readonly invalid?: object
  readonly set: (value: string | undefined) => void
}

export function DeviceInput({ id, value, invalid = {}, set }: DeviceInputProps) {
  const [text, setText] = useState('')
  const found = useFound(text, devicesLike)
  useDeviceNames([value])
  const choose = (one: Found) => {
    setText('')
    set(one.value)
  }
  if (value !== '') {
    const name = deviceName(value) || value
    return (
      <ul class="tokens">
        <li>
          {name}
          <button
            type="button"
            id={id}
            {...invalid}
            class="plain icon"
            aria-label={words.remove(name)}
            onClick={() => set(undefined)}
          >
            ✕
          </button>
        </li>
      </ul>
    )
  }
  return (
    <>
      <input
        id={id}
        {...invalid}
        type="text"
        autocomplete="off"
        placeholder={words.deviceHint}
        value={text}
        onInput={(event: Event) => setText((event.target as HTMLInputElement).value)}
        onKeyDown={pickOnEnter(found, choose)}
      />
      <Suggestions finding={found} pick={choose} />
    </>
  )
}
