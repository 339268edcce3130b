// The state of zones or views: the worst level in each, how many alarms are open, and how many nobody has acknowledged.

import { hrefOf } from '../core/address.ts'
import { Icon } from '../parts/icon.tsx'
import { LevelShape } from '../parts/level.tsx'
import { overviewTexts as words } from '../texts/overview-texts.ts'
import { numberText, texts } from '../texts/shared-texts.ts'

export interface Place {
  readonly id: string
  readonly name: string
  readonly alarmLevel: number
  readonly count: number
  readonly unacknowledged: number
}

interface ListedPlace {
  readonly zoneId?: string
  readonly symbolId?: string
  readonly name: string
  readonly alarmLevel: string
  readonly count: string
  readonly unacknowledged: string
}

export const placesFrom = (listed: readonly ListedPlace[]): Place[] =>
  listed.map(({ zoneId, symbolId, name, alarmLevel, count, unacknowledged }) => ({
    ...{ id: zoneId ?? symbolId ?? '', name, alarmLevel: Number(alarmLevel) },
    ...{ count: Number(count), unacknowledged: Number(unacknowledged) },
  }))

const Content = ({ place: { name, alarmLevel, count, unacknowledged } }: { place: Place }) => (
  <>
    {alarmLevel === 0 ? <Icon name="check" /> : <LevelShape level={alarmLevel} />}
    <span class="place-name">{name}</span>
    <b class="place-count">{count > 0 && numberText(count)}</b>
    <span class="place-state hint">
      {count > 0 && <span class="unseen">{texts.levels[alarmLevel]}, </span>}
      {count === 0 ? words.none : words.unacknowledged(unacknowledged)}
    </span>
  </>
)

interface PlacesProps {
  readonly of: 'zone' | 'view'
  readonly places: readonly Place[]
}

/** Those without alarms only fill a small tile up. */
const enough = 12

const worthShowing = (places: readonly Place[]) =>
  places.filter(({ alarmLevel }, index) => alarmLevel > 0 || index < enough)

const classOf = ({ alarmLevel }: Place) => `place edge-${alarmLevel}`

export function Places({ of, places }: PlacesProps) {
  if (places.length === 0) return <p class="hint">{words.noPlaces[of]}</p>
  const shown = worthShowing(places)
  return (
    <>
      <ul class="places">
        {shown.map((place) => (
          <li key={place.id}>
            <a class={classOf(place)} href={hrefOf('alarms', '', { [of]: place.id })}>
              <Content place={place} />
            </a>
          </li>
        ))}
      </ul>
      {shown.length < places.length && <p class="hint">{words.quietOnes(places.length - shown.length)}</p>}
    </>
  )
}

/** For the wall, where nobody presses anything. */
export const PlacesShown = ({ label, places }: { label: string; places: readonly Place[] }) => (
  <ul class="places" aria-label={label}>
    {places.map((place) => (
      <li key={place.id} class={classOf(place)}>
        <Content place={place} />
      </li>
    ))}
  </ul>
)
