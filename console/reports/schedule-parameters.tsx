// The parameters of a scheduled report: those of the template, and of the time only how long it is.

import { isKind, type Kind, NameOf, useChoosable } from '../parts/by-name.tsx'
import { deviceName, useDeviceNames } from '../parts/device-names.tsx'
import type { ChoosingProps } from '../parts/form.tsx'
import { reportTexts as words } from '../texts/report-texts.ts'
import { texts } from '../texts/shared-texts.ts'
import { type Given, isTime, Parameters } from './parameters.tsx'
import { isOfPeople } from './people.tsx'

/** Several values of one are sent one by one. */
export interface SetParameter {
  readonly parameterName: string
  readonly value: string
}

/** The form holds all of them in one text. */
export const written = (all: readonly SetParameter[]): string => JSON.stringify(all)
export const readBack = (text = '[]') =>
  (JSON.parse(text) as readonly SetParameter[]).filter(({ value }) => value.trim() !== '')

const valuesOf = (all: readonly SetParameter[], name: string) =>
  all.filter(({ parameterName }) => parameterName === name).map(({ value }) => value)

export const choosing = (taken: readonly string[]) =>
  function ScheduleParameters({ value, change }: ChoosingProps) {
    const all = JSON.parse(value || '[]') as readonly SetParameter[]
    const about = taken.filter((name) => !isTime(name))
    const given: Given = {
      time: { period: valuesOf(all, 'period')[0] ?? '' },
      about: Object.fromEntries(about.map((name) => [name, valuesOf(all, name)])),
    }
    // A begin and an end, which programs can give, would make the same report each time: they stay as they are.
    const kept = all.filter(({ parameterName: name }) => name !== 'period' && !about.includes(name))
    const set = ({ time, about: next }: Given) => {
      const { period = '' } = time
      const said = Object.entries(next).flatMap(([parameterName, values]) =>
        values.map((one) => ({ parameterName, value: one })),
      )
      change(
        written([...kept, ...(period === '' ? [] : [{ parameterName: 'period', value: period }]), ...said]),
      )
    }
    return (
      <>
        <b>{words.ask}</b>
        <Parameters taken={about} given={given} set={set} isScheduled />
        {kept.length > 0 && (
          <p class="hint">
            {words.kept} <NamedParameters all={kept} />
          </p>
        )}
      </>
    )
  }

const NameOfThing = ({ kind, id }: { kind: Kind; id: string }) => (
  <NameOf among={useChoosable(kind)} id={id} />
)

function Value({ parameterName: name, value }: SetParameter) {
  if (name === 'device') return <>{deviceName(value) || value}</>
  if (name === 'level') return <>{texts.levels[Number(value)] ?? value}</>
  if (name === 'period') return <>{words.scheduledPeriods[value] ?? value}</>
  return isKind(name) && !isOfPeople(name) ? <NameOfThing kind={name} id={value} /> : value
}

/** `Level: Critical; Zone: Hamburg`. */
export function NamedParameters({ all }: { all: readonly SetParameter[] }) {
  useDeviceNames(valuesOf(all, 'device'))
  if (all.length === 0) return <span class="hint">{words.everything}</span>
  const names = [...new Set(all.map(({ parameterName }) => parameterName))]
  return (
    <span>
      {names.map((name, index) => {
        const values = all.filter(({ parameterName }) => parameterName === name)
        return (
          <>
            {index > 0 && '; '}
            {words.parameterNames[name] ?? name}:{' '}
            {values.map((one, at) => (
              <>
                {at > 0 && ', '}
                <Value {...one} />
              </>
            ))}
          </>
        )
      })}
    </span>
  )
}
