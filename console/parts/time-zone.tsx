// A time zone, chosen by its name: a field of a form.

import { useId } from 'preact/hooks'
import type { ChoosingProps } from './form.tsx'
import { Picker } from './picker.tsx'

const zones = () =>
  [...Intl.supportedValuesOf('timeZone'), 'UTC'].map((name) => ({ value: name, label: name }))

interface TimeZoneOptions {
  readonly label: string
  /** What choosing none means; absent: one must be chosen. */
  readonly none?: string
}

export const timeZoneOf = ({ label, none }: TimeZoneOptions) =>
  function TimeZone({ value, error, change }: Pick<ChoosingProps, 'value' | 'error' | 'change'>) {
    const id = useId()
    return (
      <>
        <label for={id}>{label}</label>
        <Picker
          id={id}
          label={label}
          from={zones()}
          chosen={value === '' ? [] : [value]}
          isOne
          none={none}
          placeholder={none ?? ''}
          state={error === '' ? {} : { 'aria-invalid': true }}
          change={([one = '']: readonly string[]) => change(one)}
        />
      </>
    )
  }
