// All routes, ready to be compared with changes: an entry of the log finds the routes that take it by the same index that
// finds clients of the event stream, whatever their number.

import type { PushAttributes } from '../../alarms/log/push-attributes.ts'
import { type Filter, FilterIndex, Filters, matches } from '../../push/push.ts'
import { readTime, readWeekdays } from '../../resources/alarms/validity.ts'
import { weekdayOf, ZoneTime } from '../../rules/zone-time.ts'
import type { Database, Reader } from '../../store/database.ts'
import { TableCache } from '../../store/table-cache.ts'
import {
  type AdministratorTarget,
  type Route,
  readRouteFilter,
  readRoutes,
  readTargets,
  type Target,
} from './route.ts'

/** What a change is compared with. */
export interface Subject {
  readonly facts: PushAttributes
  readonly category: number | null
  /** When it happened. */
  readonly at: number
}

export interface Step {
  /** Milliseconds after the step before it. */
  readonly after: number
  readonly targets: readonly (Target | AdministratorTarget)[]
}

/** A route as changes are compared with it. */
export interface KnownRoute {
  readonly id: bigint
  readonly name: string
  readonly enabled: boolean
  readonly position: number
  readonly goOn: boolean
  readonly since: bigint
  readonly filter: Filter
  readonly categories: ReadonlySet<number>
  /** Milliseconds. */
  readonly delay: number
  readonly repeatAfter: number
  readonly steps: readonly Step[]
  readonly startsAgain: boolean
  readonly hourlyLimit: number
  /** Whether it applies at a time. */
  isInForce(at: number): boolean
}

const second = 1000

export class RouteCache {
  readonly #cache: TableCache<RouteIndex>
  readonly #filters = new Filters()
  readonly #timeZone: string

  /** `timeZone`: that of routes which name none. */
  constructor(database: Pick<Database, 'version'>, timeZone: string) {
    this.#cache = new TableCache(database, 'notify_route')
    this.#timeZone = timeZone
  }

  read(reader: Reader): Promise<RouteIndex> {
    return this.#cache.get(reader, async () => {
      return new RouteIndex((await readRoutes(reader)).map((route) => this.known(route)))
    })
  }

  known(route: Route): KnownRoute {
    const { categories, parameters } = readRouteFilter(route.filter ?? '')
    return {
      id: route.id,
      name: route.name,
      enabled: route.enabled ?? true,
      position: route.position ?? 0,
      goOn: route.goOn ?? false,
      since: route.since ?? 0n,
      filter: this.#filters.read(parameters),
      categories,
      delay: (route.delay ?? 0) * second,
      repeatAfter: (route.repeatAfter ?? 0) * second,
      steps: route.step.map(({ after, target }) => ({
        after: (after ?? 0) * second,
        targets: readTargets(target),
      })),
      startsAgain: route.atEnd === 'again',
      hourlyLimit: route.hourlyLimit ?? 0,
      isInForce: periodOf(route, this.#timeZone),
    }
  }
}

function periodOf(
  { timeZone, weekDays, fromTime, toTime }: Route,
  defaultZone: string,
): (at: number) => boolean {
  if (weekDays === null && fromTime === null) return () => true
  const zone = new ZoneTime(timeZone ?? defaultZone)
  const days = weekDays === null ? undefined : readWeekdays(weekDays)
  const from = fromTime === null ? 0 : readTime(fromTime)
  const to = toTime === null ? 24 * 3600 : readTime(toTime)
  return (at) => {
    const { day, secondOfDay } = zone.local(at)
    const isDay = (one: number) => !days || days.has(weekdayOf(one))
    if (from < to) return isDay(day) && secondOfDay >= from && secondOfDay < to
    // Over midnight: the hours after it belong to the day on which they began.
    return (isDay(day) && secondOfDay >= from) || (isDay(day - 1) && secondOfDay < to)
  }
}

/** Why a route does not take a change. */
export type Refusal = 'it is older than the route' | 'its filter' | 'its category' | 'its hours'

export function refusalOf(
  route: KnownRoute,
  { facts, category, at }: Subject,
  number?: bigint,
): Refusal | undefined {
  if (number !== undefined && number <= route.since) return 'it is older than the route'
  const { audience: _audience, ...told } = facts
  if (!matches(route.filter, [told])) return 'its filter'
  if (!isCategory(route, category)) return 'its category'
  return route.isInForce(at) ? undefined : 'its hours'
}

const isCategory = ({ categories }: KnownRoute, category: number | null) =>
  categories.size === 0 || categories.has(category ?? 0)

export class RouteIndex {
  /** In the order in which they are asked, with those that are disabled. */
  readonly all: readonly KnownRoute[]
  /** Those that are enabled. */
  readonly routes: readonly KnownRoute[]
  readonly #byId: ReadonlyMap<bigint, KnownRoute>
  readonly #index = new FilterIndex<KnownRoute>()

  constructor(all: readonly KnownRoute[]) {
    this.all = all
    this.routes = all.filter(({ enabled }) => enabled)
    this.#byId = new Map(this.routes.map((route) => [route.id, route]))
    for (const route of this.routes) this.#index.add(route)
  }

  find(id: bigint): KnownRoute | undefined {
    return this.#byId.get(id)
  }

  /** Whether the filter of any route takes it, whatever else they ask for: most changes end here. */
  concerns({ audience: _audience, ...facts }: PushAttributes): boolean {
    return this.#index.groups([facts]).length > 0
  }

  /** The routes that take a change, in order: up to the first that does not let others go on. */
  taking({ facts: { audience: _audience, ...facts }, category, at }: Subject, number: bigint): KnownRoute[] {
    const found = this.#index
      .groups([facts])
      .flatMap(({ clients }) => [...clients])
      .filter((route) => number > route.since && isCategory(route, category) && route.isInForce(at))
      .toSorted((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1))
    const last = found.findIndex(({ goOn }) => !goOn)
    return last < 0 ? found : found.slice(0, last + 1)
  }
}
