// Routes: which alarms people are told of, who they are, and in which order.

import { lastEntryNumber } from '../../alarms/log/epochs.ts'
import { Fault, shown } from '../../fault.ts'
import { readFilter } from '../../push/push.ts'
import { readTime, readWeekdays } from '../../resources/alarms/validity.ts'
import { collection, requireUnique } from '../../resources/collection.ts'
import { list, type Parameters } from '../../schema/list.ts'
import { queryPairs } from '../../schema/list-filter.ts'
import {
  assigned,
  optional,
  type RecordOf,
  required,
  requiredGroups,
  resource,
} from '../../schema/resource.ts'
import { bool, fold, int, long, text } from '../../schema/scalar.ts'
import type { Reader } from '../../store/database.ts'

const day = 24 * 3600
const targetKinds = ['contact', 'team', 'schedule', 'channel'] as const
export type TargetKind = (typeof targetKinds)[number]

export interface Target {
  readonly kind: TargetKind
  readonly id: bigint
}

/** The step of the last resort is for everybody who administers the service. */
export interface AdministratorTarget {
  readonly kind: 'administrators'
}

const targetForms =
  'contact, team, schedule or channel, a colon and its id, several separated by commas: contact:3,team:7'

const endings = ['stop', 'again'] as const
const atEnd = text({ pattern: { source: endings.join('|'), accepted: `one of ${endings.join(', ')}` } })

/** The parameters of a route's filter: those of the event stream that say which alarms are meant, and the category. */
export const routeParameters = [
  'alarmLevel',
  'customView',
  'deviceIp',
  'ipSegment',
  'eventOid',
  'zoneId',
  'alarmCategory',
] as const

const limits = { steps: 20, routes: 1000, targets: 50 }

export const route = resource(
  'route',
  {
    id: assigned(long),
    name: required(text({ maxLength: 200 }), { keyed: true }),
    /** Routes are asked in this order; the first that takes a change is the last, unless it says `goOn`. */
    position: optional(int({ min: 0, max: 1_000_000 })),
    enabled: optional(bool),
    goOn: optional(bool),
    /** As in the query of the event stream; empty: every alarm. */
    filter: optional(text({ maxLength: 10_000 })),
    /** When it applies, in this time zone; 0 is Sunday. */
    timeZone: optional(text({ maxLength: 100 })),
    weekDays: optional(text({ maxLength: 20 })),
    fromTime: optional(text({ maxLength: 8 })),
    toTime: optional(text({ maxLength: 8 })),
    /** Seconds that a fault must last before anybody is told. */
    delay: optional(int({ min: 0, max: day })),
    /** Seconds after which those who were told are told again, when all steps are done; 0: never. */
    repeatAfter: optional(int({ min: 0, max: 7 * day })),
    step: requiredGroups({
      /** Seconds after the step before it. */
      after: optional(int({ min: 0, max: day })),
      target: required(text({ maxLength: 1000 })),
    }),
    /** What follows the last step while nobody acknowledges: nothing, or the first one again. */
    atEnd: optional(atEnd),
    /** Messages about faults within an hour; 0: any number. */
    hourlyLimit: optional(int({ min: 0, max: 100_000 })),
    /** Entries of the log up to this number are not for it. */
    since: assigned(long),
  },
  { table: 'notify_route', key: 'id' },
)

export type Route = RecordOf<typeof route.fields>

/** What a new route has where its author says nothing. */
const defaults = { delay: 0, repeatAfter: 0, atEnd: 'stop', hourlyLimit: 100 }
/** The shortest time in which a chain of steps may begin again, in seconds. */
export const shortestRound = 60

export const routes = collection({
  resource: route,
  noun: 'route',
  list: list('/notify/route', route, {
    filters: ({ wildcard }) => ({ name: wildcard('name') }),
    orderBy: { position: 'position', id: 'id', name: 'name' },
  }),
  rules: {
    check(record) {
      readRouteFilter(record.filter ?? '')
      checkPeriod(record)
      if (record.step.length > limits.steps) {
        throw new Fault('invalid', `a route has at most ${limits.steps} steps`, { field: 'step' })
      }
      for (const [index, { target }] of record.step.entries())
        requireTargets(target, `step[${index + 1}].target`)
    },
    async saving(tx, record, before) {
      const unique = { table: 'notify_route', column: 'name_key', field: 'name', noun: 'route' }
      await requireUnique(tx, unique, fold(record.name), record.id, record.name)
      if (!before) await requireRoom(tx)
      record.position ??= await nextPosition(tx)
      record.enabled ??= true
      record.goOn ??= false
      record.filter ??= ''
      record.delay ??= defaults.delay
      record.repeatAfter ??= defaults.repeatAfter
      record.atEnd ??= defaults.atEnd
      record.hourlyLimit ??= defaults.hourlyLimit
      // A route tells of what happens from now on, not of everything that the log still has.
      if (!before?.enabled) record.since = await lastEntryNumber(tx)
    },
  },
})

async function requireRoom(reader: Reader): Promise<void> {
  const [row] = await reader.all('select count(*) as n from notify_route')
  if (Number(row?.n ?? 0n) < limits.routes) return
  throw new Fault('conflict', `there are ${limits.routes} routes already, which is the most`)
}

async function nextPosition(reader: Reader): Promise<number> {
  const [row] = await reader.all('select max(position) as position from notify_route')
  return Number(row?.position ?? 0n) + 10
}

function checkPeriod({ timeZone, weekDays, fromTime, toTime }: Route): void {
  const named = (field: string, read: () => unknown) => {
    try {
      read()
    } catch (error) {
      if (error instanceof Fault) throw new Fault('invalid', `${field}: ${error.message}`, { field })
      throw error
    }
  }
  if (timeZone !== null) named('timeZone', () => requireTimeZone(timeZone))
  if (weekDays !== null) named('weekDays', () => readWeekdays(weekDays))
  if (fromTime !== null) named('fromTime', () => readTime(fromTime))
  if (toTime !== null) named('toTime', () => readTime(toTime))
  if ((fromTime === null) !== (toTime === null)) {
    throw new Fault('invalid', 'give both fromTime and toTime, or neither', { field: 'fromTime' })
  }
}

function requireTimeZone(name: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
  } catch {
    throw new Fault('invalid', `${shown(name)} is not a time zone: expected a name such as Europe/Berlin`)
  }
}

/** The parameters of a filter's text; throws where it names one that no route has. */
export function readRouteFilter(filter: string) {
  const parameters = new Map<string, string[]>()
  for (const [name, value] of queryPairs(filter)) {
    if (!(routeParameters as readonly string[]).includes(name)) {
      const accepted = `expected ${routeParameters.join(', ')}`
      throw new Fault('invalid', `filter: ${shown(name)} is not a parameter of it: ${accepted}`, {
        field: 'filter',
      })
    }
    const values = parameters.get(name)
    if (values) values.push(value)
    else parameters.set(name, [value])
  }
  return { filter: read(parameters), categories: readCategories(parameters), parameters }
}

function read(parameters: Parameters) {
  try {
    return readFilter(parameters)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    throw new Fault('invalid', `filter: ${error.message}`, { field: 'filter', cause: error })
  }
}

const category = int({ min: 1 })

function readCategories(parameters: Parameters): ReadonlySet<number> {
  const values = (parameters.get('alarmCategory') ?? []).flatMap((value) => value.split(','))
  try {
    return new Set(values.map((value) => category.read(value.trim())))
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    throw new Fault('invalid', `filter: alarmCategory: ${error.message}`, { field: 'filter', cause: error })
  }
}

export const readTargets = (targets: string): Target[] =>
  targets.split(',').map((one) => {
    const [kind = '', id = '', more] = one.trim().split(':')
    const isKnown = (targetKinds as readonly string[]).includes(kind)
    if (!isKnown || more !== undefined || !/^[1-9][0-9]{0,9}$/.test(id)) {
      throw new Fault('invalid', `${shown(one)} is not a target: expected ${targetForms}`)
    }
    return { kind: kind as TargetKind, id: BigInt(id) }
  })

function requireTargets(targets: string, field: string): void {
  try {
    if (readTargets(targets).length <= limits.targets) return
    throw new Fault('invalid', `a step has at most ${limits.targets} targets`)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    throw new Fault('invalid', `${field}: ${error.message}`, { field, cause: error })
  }
}

export async function readRoutes(reader: Reader): Promise<Route[]> {
  const { form, name } = routes.table
  const rows = await reader.all(`select ${form.shown} from ${name} order by position, id`)
  return rows.map((row) => form.toRecord(row) as Route)
}
