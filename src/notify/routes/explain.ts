// Why somebody was told of an alarm, or nobody was: what each route says about it, and what became of each change.

import { DeviceViews } from '../../alarms/engine/device-views.ts'
import { readEntriesAfter } from '../../alarms/log/alarm-log.ts'
import {
  attributesOf,
  neverPushed,
  type PushAttributes,
  readViews,
} from '../../alarms/log/push-attributes.ts'
import type { Alarm } from '../../resources/alarms/alarm.ts'
import type { Database, Row, SqlValue } from '../../store/database.ts'
import { isAboutFault } from './incident.ts'
import { isLimitNotice, type LedgerRow, ledgerColumns, rowOf } from './ledger.ts'
import { type KnownRoute, refusalOf, type Subject } from './route-index.ts'
import { lastResort } from './targets.ts'

/** What a route says about a change. */
export interface Verdict {
  readonly route: KnownRoute
  readonly taken: boolean
  readonly reason: string
}

const refusals = {
  'it is older than the route': 'the change is older than the route, or than its being enabled',
  'its filter': 'its filter does not take this alarm',
  'its category': 'its filter does not take alarms of this category',
  'its hours': 'it does not apply at this time',
} as const

/** In the order in which routes are asked. Those that are disabled say so. */
export function verdictsOf(routes: readonly KnownRoute[], subject: Subject, number?: bigint): Verdict[] {
  let last: KnownRoute | undefined
  return routes.map((route) => {
    if (!route.enabled) return { route, taken: false, reason: 'it is disabled' }
    if (last) return { route, taken: false, reason: `route ${last.id} took it, and lets no other go on` }
    const refusal = refusalOf(route, subject, number)
    if (refusal !== undefined) return { route, taken: false, reason: refusals[refusal] }
    if (!route.goOn) last = route
    return { route, taken: true, reason: 'its filter takes it' }
  })
}

/** Those that take it, and the last resort where none takes an alarm of the service. */
export function takingOf(verdicts: readonly Verdict[], isOwn: boolean): KnownRoute[] {
  const taking = verdicts.filter(({ taken }) => taken).map(({ route }) => route)
  return taking.length === 0 && isOwn ? [lastResort] : taking
}

/** An alarm as it was raised: as the log has it, else as it was pushed. */
export async function subjectOf(database: Database, alarm: Alarm): Promise<Subject> {
  const { OID, deviceIp, alarmLevel, alarmCategory: category, faultTime: at, entry, pushed } = alarm
  const [logged] = await readEntriesAfter(database, entry - 1n, 1)
  const own = logged?.number === entry ? logged.attributes[0] : undefined
  const [kept] = pushed === neverPushed ? [] : attributesOf(pushed, OID, deviceIp ?? '')
  const facts: PushAttributes = own ?? kept ?? { OID, deviceIp: deviceIp ?? '', alarmLevel, views: 'any' }
  return { facts, category, at }
}

/** An alarm that somebody made up. */
export interface ImaginedAlarm {
  readonly OID: string
  readonly deviceIp: string
  /** 0 where no device is meant. */
  readonly deviceId: bigint
  readonly alarmLevel: number
  readonly category: number | null
}

/** With the views and the zone that its device has now. */
export async function imaginedSubject(
  database: Database,
  alarm: ImaginedAlarm,
  at: number,
): Promise<Subject> {
  const { OID, deviceIp, deviceId, alarmLevel, category } = alarm
  const views = new DeviceViews(database)
  const text = await database.transaction(async (tx) => {
    await views.refresh(tx)
    await views.gather(tx, [deviceId])
    return views.viewsOf(deviceId)
  })
  return { facts: { OID, deviceIp, alarmLevel, views: readViews(text) }, category, at }
}

export interface Explanation {
  readonly summary: string
  readonly verdicts: readonly Verdict[]
  readonly rows: readonly LedgerRow[]
}

/** The newest rows are explained; there may be very many. */
const rowLimit = 500

export async function explain(
  database: Database,
  routes: readonly KnownRoute[],
  alarm: Alarm,
): Promise<Explanation> {
  const verdicts = verdictsOf(routes, await subjectOf(database, alarm), alarm.entry)
  const rows = await database.all(
    `select ${ledgerColumns} from notification where alarm_id = ? order by id desc limit ${rowLimit}`,
    [alarm.id],
  )
  const ledger = rows.map(rowOf).reverse()
  // Whoever learned that there is a limit was not told of the alarm.
  const about = ledger.filter((row) => !isLimitNotice(row))
  const firstIn = await secondsToFirst(database, about)
  const shared = await sharedWith(database, alarm.id, about)
  return { summary: shared ?? summaryOf(verdicts, about, firstIn), verdicts, rows: ledger }
}

/** Where messages about a storm, a summary or another alarm stood for this one; undefined where it has its own. */
async function sharedWith(
  database: Database,
  alarmId: bigint,
  rows: readonly LedgerRow[],
): Promise<string | undefined> {
  if (rows.some(({ outcome }) => outcome === 'delivered')) return undefined
  const members = await database.all('select incident_id from notify_member where alarm_id = ?', [alarmId])
  const ids = new Set([
    ...members.map((row) => row.incident_id as bigint),
    ...rows.map((row) => row.incidentId),
  ])
  let waiting: string | undefined
  for (const id of ids) {
    const [incident] = await database.all(
      'select kind, alarm_id, alarms, state, due_at from notify_incident where id = ? and (alarm_id <> ? or root_id = 0)',
      [id, alarmId],
    )
    if (!incident) continue
    const [told] = await database.all(
      `select count(distinct channel_id) as n from notification where incident_id = ? and outcome = 'delivered' and ${isAboutFault}`,
      [id],
    )
    const count = Number(told?.n ?? 0)
    if (count > 0) return `It was told through ${counted(count, 'channel')} with ${groupText(incident)}.`
    if (incident.state !== 'waiting') continue
    const due = dueIn(database, incident.due_at)
    waiting = `Nobody was told yet: it is told with ${groupText(incident)}${due === undefined ? '' : `, whose message is due in ${counted(due, 'second')}`}.`
  }
  return waiting
}

function groupText({ kind, alarm_id, alarms }: Row): string {
  if (kind === 'alarm') return `alarm ${alarm_id}, which it was counted into`
  const group = kind === 'storm' ? 'a storm' : 'the summary after an outage'
  return `${group} of ${counted(Number(alarms), 'alarm')}`
}

const dueIn = (database: Database, dueAt: SqlValue | undefined) =>
  typeof dueAt === 'bigint' ? Math.max(0, Math.ceil((Number(dueAt) - database.now()) / 1000)) : undefined

/** How long the first message about a fault still waits; undefined where none does. */
async function secondsToFirst(database: Database, rows: readonly LedgerRow[]): Promise<number | undefined> {
  const waiting = rows.filter(({ outcome, channelId }) => outcome === 'pending' && channelId === 0n)
  let first: number | undefined
  for (const incidentId of new Set(waiting.map((row) => row.incidentId))) {
    const [row] = await database.all('select due_at from notify_incident where id = ?', [incidentId])
    const due = dueIn(database, row?.due_at)
    if (due !== undefined) first = Math.min(first ?? due, due)
  }
  return first
}

/** In one sentence: why somebody was called, or nobody was. */
function summaryOf(
  verdicts: readonly Verdict[],
  rows: readonly LedgerRow[],
  firstIn: number | undefined,
): string {
  const delivered = new Set(
    rows.filter(({ outcome }) => outcome === 'delivered').map(({ channelId }) => channelId),
  )
  if (delivered.size > 0) return `It was told through ${counted(delivered.size, 'channel')}.`
  const pending = rows.filter(({ outcome }) => outcome === 'pending')
  if (pending.length > 0) {
    const reason = pending.find((row) => row.reason !== null)?.reason
    if (!reason && firstIn !== undefined)
      return `Nobody was told yet: the first message is due in ${counted(firstIn, 'second')}, after the delay of the route and the time in which its cause may be reported (setting cause-wait).`
    return `Nobody was told yet: it waits${reason ? ` (${reason})` : ''}.`
  }
  const reasons = [...new Set(rows.map(({ outcome, reason }) => `${outcome}: ${reason ?? ''}`))]
  if (reasons.length > 0) return `Nobody was told. ${reasons.slice(0, 5).join('; ')}.`
  if (verdicts.every(({ route }) => !route.enabled))
    return 'Nobody was told: there is no route that is enabled.'
  if (verdicts.every(({ taken }) => !taken)) return 'Nobody was told: no route takes it.'
  return 'Nobody was told, and nothing is recorded about it: it is older than the routes, or than what is kept.'
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
