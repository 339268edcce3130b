// Before it matters: what a route would have sent in the past. Nothing is changed and nothing is sent.

import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { type PastChange, pastChanges } from '../../alarms/history/past-changes.ts'
import { attributesOf, neverPushed, type PushAttributes } from '../../alarms/log/push-attributes.ts'
import { fold } from '../../schema/scalar.ts'
import type { Database, Reader, Row } from '../../store/database.ts'
import { allWithValues } from '../../store/where.ts'
import { type PastAlarm, PastIncidents, type PastOutcomes } from './past-incidents.ts'
import type { DeviceShare } from './past-messages.ts'
import { type Route, readRoutes } from './route.ts'
import { type KnownRoute, type RouteCache, RouteIndex, refusalOf, type Subject } from './route-index.ts'
import type { Directory, Resolved } from './targets.ts'

/** What a route would have sent, had it been there. */
export interface RouteTrial extends PastOutcomes {
  /** Stored alarms that were examined, those that it takes, and those that a route before it takes instead. */
  readonly examined: number
  readonly taken: number
  readonly takenBefore: number
  /** About faults, notes and ends; those that a limit would have held back are counted apart. */
  readonly messages: number
  readonly limited: number
  /** With the most messages first. */
  readonly devices: readonly DeviceShare[]
}

const chunkSize = 1000
const maxAlarms = 1_000_000
const shownDevices = 20

const sql = `select id, oid, device_ip, device_name, alarm_level, alarm_category, fault_time, rec_time, rec_status, hidden,
    pushed, parent_id
  from alarm where is_receover_fault = 0 and (fault_time > ? or (fault_time = ? and id > ?))
  order by fault_time, id limit ${chunkSize}`

/** A route, and those that are asked before it, as they are now. */
export interface TriedRoute {
  readonly route: KnownRoute
  readonly before: RouteIndex
}

/**
 * What a draft of a route would be among the routes of the store: the one of its name, where there is one, else a new one.
 * Without a position it stays where it is, and a new one is the last.
 */
export async function amongRoutes(reader: Reader, routeCache: RouteCache, draft: Route): Promise<TriedRoute> {
  const stored = await readRoutes(reader)
  const own = stored.find(({ name }) => fold(name) === fold(draft.name))
  const position = draft.position ?? own?.position ?? Number.POSITIVE_INFINITY
  const isBefore = (other: Route) =>
    other.position === position ? own === undefined || other.id < own.id : (other.position ?? 0) < position
  const before = stored.filter((other) => other.enabled && other.id !== own?.id && isBefore(other))
  return {
    route: routeCache.known(draft),
    before: new RouteIndex(before.map((other) => routeCache.known(other))),
  }
}

/** From one time to another, over alarms that were raised in between. Ends when the caller has disconnected. */
export async function tryRoute(
  database: Database,
  directory: Directory,
  tried: TriedRoute,
  span: { readonly from: number; readonly until: number },
  isGone: () => boolean,
): Promise<RouteTrial> {
  const background: Reader = { all: (text, values) => database.readInBackground(text, values) }
  const { route } = tried
  const resolver = new HourlyResolver(directory, route)
  const past = new PastIncidents(directory, route, (step, at) => resolver.resolve(step, at))
  let examined = 0
  let [taken, takenBefore] = [0, 0]
  for (let last: readonly [number, bigint] = [span.from, 0n]; !isGone() && examined < maxAlarms; ) {
    const rows = await background.all(sql, [last[0], last[0], last[1]])
    const filtered = rows.filter((row) => takes(row, (one) => isFor(route, one)))
    const meant = filtered.filter((row) => takes(row, (one) => isOwn(tried, one)))
    const changes = await pastChanges(
      background,
      meant.map((row) => row.id as bigint),
    )
    const parentIds = new Map(meant.map((row) => [row, parentIn(row, changes.get(row.id as bigint))]))
    const parents = await readParents(background, new Set(parentIds.values()))
    for (const row of meant) {
      const parent = parents.get(parentIds.get(row) ?? 0n)
      addTo(past, { tried, row, parent, changes: changes.get(row.id as bigint) ?? [] })
    }
    examined += rows.length
    taken += meant.length
    takenBefore += filtered.length - meant.length
    const end = rows.at(-1)
    if (!end || rows.length < chunkSize) break
    last = [Number(end.fault_time), end.id as bigint]
    await past.runUntil(last[0])
    await yieldToEventLoop()
  }
  await past.runUntil(span.until)
  const { sent: messages, limited } = past
  const devices = [...past.devices].sort((a, b) => b.messages - a.messages).slice(0, shownDevices)
  return { examined, taken, takenBefore, ...past.outcomes, messages, limited, devices }
}

const pushesOf = (row: Row): PushAttributes[] =>
  row.pushed === neverPushed
    ? []
    : attributesOf(String(row.pushed), String(row.oid), String(row.device_ip ?? ''))

/** An alarm as it was told the n-th time. */
function subjectAt(row: Row, pushed: number, at: number): Subject {
  const [OID, deviceIp] = [String(row.oid), String(row.device_ip ?? '')]
  const kept = pushesOf(row)
  const facts = kept[Math.min(pushed, kept.length - 1)] ?? {
    ...{ OID, deviceIp, alarmLevel: Number(row.alarm_level), views: 'any' as const },
  }
  return { facts, category: row.alarm_category === null ? null : Number(row.alarm_category), at }
}

const isFor = (route: KnownRoute, subject: Subject): boolean => refusalOf(route, subject) === undefined

/** Whatever their number was when the routes were made. */
const latest = 2n ** 63n - 1n

const isOwn = ({ route, before }: TriedRoute, subject: Subject): boolean =>
  isFor(route, subject) && before.taking(subject, latest).every(({ goOn }) => goOn)

/** When it was raised, or at any level that it came to. */
const takes = (row: Row, isTaken: (subject: Subject) => boolean): boolean =>
  [0, ...pushesOf(row).keys()].some((pushed) => isTaken(subjectAt(row, pushed, Number(row.fault_time))))

/** An alarm that others follow from. */
interface Parent {
  readonly id: bigint
  readonly from: number
  readonly until: number
}

/** One that outlived its cause names it in its history alone. */
const parentIn = (row: Row, changes: readonly PastChange[] = []): bigint =>
  changes.find(({ causeId }) => causeId !== undefined)?.causeId ?? (row.parent_id as bigint)

async function readParents(reader: Reader, ids: ReadonlySet<bigint>): Promise<Map<bigint, Parent>> {
  const rows = await allWithValues(
    reader,
    [...ids].filter((id) => id !== 0n),
    (marks) => `select id, fault_time, rec_status, rec_time from alarm where id in (${marks})`,
  )
  return new Map(
    rows.map((row) => {
      const until = row.rec_status === 0n ? Number.POSITIVE_INFINITY : Number(row.rec_time)
      return [row.id as bigint, { id: row.id as bigint, from: Number(row.fault_time), until }]
    }),
  )
}

interface TriedAlarm {
  readonly tried: TriedRoute
  readonly row: Row
  readonly parent: Parent | undefined
  readonly changes: readonly PastChange[]
}

function addTo(past: PastIncidents, { tried, row, parent, changes }: TriedAlarm): void {
  const at = Number(row.fault_time)
  const levels = pushesOf(row).map(({ alarmLevel }) => alarmLevel ?? Number(row.alarm_level))
  const levelAt = (pushed: number) => levels[Math.min(pushed, levels.length - 1)] ?? Number(row.alarm_level)
  const alarm: PastAlarm = {
    ...{ id: row.id as bigint, parentId: parent?.id ?? 0n, parentUntil: parent?.until ?? 0 },
    ...{ deviceIp: String(row.device_ip ?? ''), deviceName: String(row.device_name ?? '') },
    ...{
      alarmLevel: levelAt(0),
      levelAt,
      takes: (pushed, time) => isOwn(tried, subjectAt(row, pushed, time)),
    },
  }
  const wasSuppressed = row.hidden === 1n || changes.some(({ kind }) => kind === 'raise')
  const over = row.rec_status === 0n ? undefined : Number(row.rec_time)
  // Effects wait for their cause, where that is reported after them.
  const from = parent && parent.from > at ? parent.from + 1 : at
  past.add(alarm, from, wasSuppressed, changes, over)
}

/** Who is on call changes at quarters of an hour at most times: asking for each alarm of a storm would take long. */
class HourlyResolver {
  readonly #directory: Directory
  readonly #route: KnownRoute
  readonly #known = new Map<string, Resolved>()

  constructor(directory: Directory, route: KnownRoute) {
    this.#directory = directory
    this.#route = route
  }

  async resolve(step: number, at: number): Promise<Resolved> {
    const quarter = Math.floor(at / 900_000)
    const key = `${step} ${quarter}`
    let known = this.#known.get(key)
    if (!known) {
      known = await this.#directory.resolve(this.#route.steps[step] ?? { targets: [] }, at)
      if (this.#known.size > 10_000) this.#known.clear()
      this.#known.set(key, known)
    }
    return known
  }
}
