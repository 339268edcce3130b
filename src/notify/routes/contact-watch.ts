// Contacts who are told of nothing although routes lead to them, such as those of operators who were removed: an alarm of
// the service says so, until they are told again, or no route leads to them any more.

import type { AlarmChanger } from '../../alarms/engine/engine.ts'
import {
  openServiceAlarms,
  raiseServiceAlarm,
  recoverServiceAlarm,
} from '../../alarms/service/service-alarms.ts'
import type { People, ReachableContact } from '../../resources/notify/people.ts'
import { scheduleMembers } from '../../resources/notify/schedule-override.ts'
import type { Database } from '../../store/database.ts'
import type { KnownRoute, RouteCache } from './route-index.ts'
import type { Directory } from './targets.ts'

/** Routes that an alarm or a warning names. */
const named = 5

export class ContactWatch {
  readonly #parts: ContactWatchParts

  constructor(parts: ContactWatchParts) {
    this.#parts = parts
  }

  async check(): Promise<void> {
    const { database, alarms, routeCache, directory } = this.#parts
    const people = await directory.people()
    const silenced = [...people.contacts.values()].filter((one) => one.silenced !== undefined)
    const open = await openServiceAlarms(database, 'contactDisabled')
    if (silenced.length === 0 && open.size === 0) return
    const { routes } = await routeCache.read(database)
    const members = await scheduleMembers(database, database.now())
    for (const contact of silenced) {
      const leading = routesTo(contact.id, routes, people, members)
      const resource = `contact=${contact.id}`
      if (leading.length === 0 || open.delete(resource)) continue
      await raiseServiceAlarm(alarms, 'contactDisabled', resource, silenceText(contact, leading))
    }
    for (const resource of open) {
      const text = 'The contact is told again, or no route leads to it any more'
      await recoverServiceAlarm(alarms, 'contactDisabled', resource, text)
    }
  }
}

export interface ContactWatchParts {
  readonly database: Database
  readonly alarms: AlarmChanger
  readonly routeCache: RouteCache
  readonly directory: Directory
}

/** Those that are enabled and lead to a contact: by itself, in a team, or on call. */
export function routesTo(
  contactId: bigint,
  routes: readonly KnownRoute[],
  { teams }: People,
  members: ReadonlyMap<bigint, ReadonlySet<bigint>>,
): KnownRoute[] {
  return routes.filter(({ steps }) =>
    steps.some(({ targets }) =>
      targets.some((target) => {
        switch (target.kind) {
          case 'contact':
            return target.id === contactId
          case 'team':
            return teams.get(target.id)?.includes(contactId)
          case 'schedule':
            return members.get(target.id)?.has(contactId)
          default:
            return false
        }
      }),
    ),
  )
}

/** In one sentence. */
export function silenceText(
  { id, name, silenced }: ReachableContact,
  leading: readonly KnownRoute[],
): string {
  const told = `contact ${id} (${name}) ${silenced ?? ''}, and told of nothing`
  return leading.length === 0 ? told : `${told}: ${leadingText(leading)}`
}

/** Which routes lead to what was said before. */
export function leadingText(leading: readonly KnownRoute[]): string {
  const names = leading.slice(0, named).map((route) => `${route.id} (${route.name})`)
  const more = leading.length > named ? ` and ${leading.length - named} more` : ''
  return leading.length === 1
    ? `route ${names[0]} leads there`
    : `routes ${names.join(', ')}${more} lead there`
}
