// The zones in trouble, beside the alarms on a wall.

import { address } from '../core/address.ts'
import { read } from '../core/api.ts'
import type { Overview } from '../overview/overview-charts.tsx'
import { PlacesShown, placesFrom } from '../overview/places.tsx'
import { Icon } from '../parts/icon.tsx'
import { useEvery, useLoad } from '../parts/load.tsx'
import { wallTexts as words } from '../texts/wall-texts.ts'

/** Zones in trouble that there is room for. */
const maxZones = 8
const zoneSeconds = 5

/** How zones are, unless the wall is about some of them. */
export default function WallZones() {
  const loaded = useLoad((over) => read<Overview>('/fault/overview', {}, over), [])
  useEvery(zoneSeconds, loaded)
  const { query } = address.value
  if (!loaded.data || query.has('zone') || query.has('view')) return null
  const zones = placesFrom(loaded.data.zone)
  if (zones.length < 2) return null
  const troubled = zones.filter(({ alarmLevel }) => alarmLevel > 0)
  const quiet = zones.length - Math.min(troubled.length, maxZones)
  return (
    <div class="wall-zones">
      <PlacesShown label={words.zones} places={troubled.slice(0, maxZones)} />
      {quiet > 0 && troubled.length <= maxZones && (
        <p class="good">
          <Icon name="check" /> {words.quietZones(quiet)}
        </p>
      )}
    </div>
  )
}
