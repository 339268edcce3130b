// Which alarms a filter takes, in words: of clients and of routes.

import { clientTexts as words } from '../texts/service-texts.ts'
import { texts } from '../texts/shared-texts.ts'
import { type Choosable, NameOf } from './by-name.tsx'

const valuesOf = (given: URLSearchParams, name: string) =>
  given.getAll(name).flatMap((value) => value.split(',').filter(Boolean))

export interface Places {
  readonly views: Choosable
  readonly zones: Choosable
  readonly categories?: Choosable
}

/** Ways to be told, which are on or off. */
const ways = (given: URLSearchParams) =>
  Object.entries(words.ways).flatMap(([name, text]) =>
    valuesOf(given, name).some((value) => value !== 'false') ? [text] : [],
  )

/** Its filter, in words; the parameters themselves on hover. */
export function Wants({ filter, views, zones, categories }: Places & { filter: string }) {
  const given = new URLSearchParams(filter)
  const named = (name: string, value: string) => {
    if (name === 'alarmLevel') return texts.levels[Number(value)] ?? value
    const among = { customView: views, zoneId: zones, alarmCategory: categories }[name]
    return among ? <NameOf among={among} id={value} /> : value
  }
  const parts = Object.entries(words.wants).flatMap(([name, text]) => {
    const values = valuesOf(given, name)
    const isOff = values.every((value) => value === 'false')
    return isOff
      ? []
      : [
          <>
            {text}{' '}
            {values.map((value, at) => (
              <>
                {at > 0 && ', '}
                {named(name, value)}
              </>
            ))}
          </>,
        ]
  })
  const others = [...given]
    .filter(([name]) => !(name in words.wants) && !(name in words.ways))
    .map(([name, value]) => `${name} ${value}`)
  const all = [...parts, ...ways(given), ...others]
  if (all.length === 0) return <span class="hint">{words.everything}</span>
  return (
    <span title={filter}>
      {all.map((part, at) => (
        <>
          {at > 0 && '; '}
          {part}
        </>
      ))}
    </span>
  )
}
