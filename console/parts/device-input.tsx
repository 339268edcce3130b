// One device, found by a part of its name and held by its id.

import { texts } from '../texts/shared-texts.ts'
import { deviceName, useDeviceNames } from './device-names.tsx'
import { devicesLike } from './finding.ts'
import { type FieldState, Picker } from './picker.tsx'

const words = texts.list

interface DeviceInputProps {
  /** Of the element that a label is for. */
  readonly id: string
  readonly label: string
  readonly value: string
  /** What choosing none means. */
  readonly none: string
  readonly change: (id: string) => void
  readonly state?: FieldState
}

export function DeviceInput({ value, change, ...props }: DeviceInputProps) {
  useDeviceNames([value])
  return (
    <Picker
      {...props}
      isOne
      from={devicesLike}
      placeholder={words.deviceHint}
      chosen={value === '' ? [] : [value]}
      nameOf={(id) => deviceName(id) || id}
      change={([id = '']) => change(id)}
    />
  )
}
