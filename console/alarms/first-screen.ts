// What to request from the service, so that the rows that will be first in the table are there before all others.

import { filterOf, levels } from './view.ts'

/** More than fit on a screen. */
export const enoughRows = 50

type Query = Readonly<Record<string, string | number | boolean>>

/** Parameters of the address that the list of the service does not know, or knows with another meaning. */
const beyondTheList = ['q', 'device', 'event', 'view', 'within']

/**
 * To be requested one after the other until there are enough rows. None where the service cannot return them in the
 * order of the table: then the whole list is awaited.
 */
export function firstQueries(address: URLSearchParams): Query[] {
  const filter = filterOf(address, undefined)
  if (beyondTheList.some((name) => address.get(name)) || filter.states.has('held')) return []
  const zone = address.get('zone')
  const [state] = filter.states.size === 1 ? filter.states : []
  const asked = {
    recStatus: 0,
    suppressed: false,
    size: enoughRows,
    ...(zone && { zoneId: zone }),
    ...(state && { ackStatus: state === 'acknowledged' ? 1 : 0 }),
  }
  const wanted = levels.filter((level) => filter.levels.size === 0 || filter.levels.has(level))
  // Ids grow with time, and are the one order that costs the service nothing.
  switch (filter.order) {
    case 'time':
      return [{ ...asked, alarmLevel: wanted.join(), orderBy: 'id', desc: !filter.descending }]
    case 'level':
      return (filter.descending ? wanted.toReversed() : wanted).map((level) => ({
        ...asked,
        alarmLevel: level,
        orderBy: 'id',
        desc: true,
      }))
    default:
      return []
  }
}
