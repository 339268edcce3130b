// Handlers for routes: the ledger of notifications, why somebody was told of an alarm or nobody was, and dry runs.

import { Fault } from '../../../fault.ts'
import {
  explain,
  imaginedSubject,
  subjectOf,
  takingOf,
  type Verdict,
  verdictsOf,
} from '../../../notify/routes/explain.ts'
import { filterRemarks } from '../../../notify/routes/filter-remarks.ts'
import { type Notification, notification, notifications } from '../../../notify/routes/ledger.ts'
import { MaintenanceForecast } from '../../../notify/routes/maintenance-forecast.ts'
import { Planner } from '../../../notify/routes/plan.ts'
import { type Route, route, routes } from '../../../notify/routes/route.ts'
import type { KnownRoute, Subject } from '../../../notify/routes/route-index.ts'
import { isOfService } from '../../../notify/routes/targets.ts'
import { amongRoutes, tryRoute } from '../../../notify/routes/trial.ts'
import { type Alarm, alarmLevel, alarms, fromService, fromTrap } from '../../../resources/alarms/alarm.ts'
import { unsaved } from '../../../resources/collection.ts'
import { deviceAt } from '../../../resources/inventory/device.ts'
import { defaultZone, zonesOfEach } from '../../../resources/inventory/zone.ts'
import type { Subject as CoveredSubject } from '../../../rules/maintenance-windows.ts'
import { oneScalar } from '../../../schema/list.ts'
import { readDraft } from '../../../schema/read-document.ts'
import { derived, groups, optional, required, resource, type Shape } from '../../../schema/resource.ts'
import { bool, instant, int, ip, long, oid, text } from '../../../schema/scalar.ts'
import { find } from '../../../store/table.ts'
import { type Call, type Handler, readDocument } from '../../call.ts'
import { sendRecord } from '../../responses.ts'
import { answerList } from '../list-handlers.ts'
import type { RecordOptions } from '../record-handlers.ts'

type Named = Pick<Notification, 'routeId' | 'contactId' | 'channelId'>

/** Names for people; what the other side said is for administrators. */
async function showNames(call: Call, records: readonly Named[]): Promise<void> {
  const { routeCache, directory } = call.routing
  const { contacts, channels } = await directory.people()
  const { all } = await routeCache.read(call.database)
  const names = new Map(all.map(({ id, name }) => [id, name]))
  for (const record of records) {
    const routeName = record.routeId === 0n ? 'last resort' : names.get(record.routeId)
    const contactName = contacts.get(record.contactId)?.name
    // Of a room or a ticket system; those of people are their own business.
    const channelName = record.contactId === 0n ? channels.get(record.channelId)?.name : undefined
    Object.assign(record, { routeName, contactName, channelName })
    if (call.caller.role !== 'administrator') Object.assign(record, { reference: null, answer: null })
  }
}

export const listNotifications: Handler = (call) =>
  answerList(call, notifications, (_database, records) => showNames(call, records as Notification[]))

export const readNotification: Handler = async (call) => {
  const record = (await find(call.database, notifications.table, call.id)) as Notification | undefined
  if (!record) throw new Fault('not-found', `notification ${call.id} does not exist`)
  await showNames(call, [record])
  sendRecord(call.response, call.form, notification, record)
}

/** Targets that lead to nobody, and filters that take nothing, are accepted: what they name may be created later. */
export const routeOptions: RecordOptions = {
  async warnings(call, id) {
    const stored = (await find(call.database, routes.table, id)) as Route | undefined
    if (!stored) return []
    const { routeCache, directory } = call.routing
    const resolved = await Promise.all(
      routeCache.known(stored).steps.map((step) => directory.resolve(step, call.clock())),
    )
    const remarks = resolved.flatMap((one) => one.remarks)
    return [...remarks, ...(await filterRemarks(call.database, stored.filter ?? ''))]
  },
}

const verdictFields = {
  routeId: required(long),
  routeName: required(text()),
  taken: required(bool),
  reason: required(text()),
}

const verdictRecord = ({ route: { id, name }, taken, reason }: Verdict) => ({
  routeId: id,
  routeName: name,
  taken,
  reason,
})

export const explanationDocument: Shape = {
  name: 'explanation',
  fields: {
    alarmId: required(long),
    summary: required(text({ maxLength: 5000 })),
    route: groups(verdictFields),
    notification: groups({
      id: required(long),
      time: required(instant),
      routeId: required(long),
      routeName: derived(text(), { mayBeAbsent: true }),
      change: required(text()),
      step: required(int()),
      contactId: required(long),
      contactName: derived(text(), { mayBeAbsent: true }),
      channelId: required(long),
      channelName: derived(text(), { mayBeAbsent: true }),
      outcome: required(text()),
      reason: required(text(), { absent: 'empty' }),
      attempts: required(int()),
    }),
  },
}

async function requireAlarm(call: Call, id: bigint): Promise<Alarm> {
  const alarm = (await find(call.database, alarms.table, id)) as Alarm | undefined
  if (!alarm) throw new Fault('not-found', `alarm ${id} does not exist`)
  return alarm
}

export const explainAlarm: Handler = async (call) => {
  const alarm = await requireAlarm(call, call.id)
  const { all: known } = await call.routing.routeCache.read(call.database)
  const { summary, verdicts, rows } = await explain(call.database, known, alarm)
  const told = rows.map((row) => ({ ...row, time: row.createdTime, reason: row.reason }))
  await showNames(call, told)
  sendRecord(call.response, call.form, explanationDocument, {
    alarmId: alarm.id,
    summary,
    route: verdicts.map(verdictRecord),
    notification: told,
  })
}

/** An alarm that exists, or what is known of one that is made up; and when it comes. */
export const trialRequest = resource(
  'notifyTrial',
  {
    alarmId: optional(long),
    OID: optional(oid),
    deviceIp: optional(ip),
    alarmLevel: optional(alarmLevel),
    alarmCategory: optional(int({ min: 1 })),
    /** Now without. */
    time: optional(instant),
  },
  { table: 'notification', key: 'alarmId' },
)

export const planDocument: Shape = {
  name: 'notifyPlan',
  fields: {
    time: required(instant),
    suppressedBy: required(text(), { absent: 'empty' }),
    suppressedUntil: required(instant),
    route: groups(verdictFields),
    message: groups({
      time: required(instant),
      routeId: required(long),
      routeName: required(text()),
      step: required(int()),
      contactId: required(long),
      contactName: required(text(), { absent: 'empty' }),
      channelId: required(long),
      channelName: required(text(), { absent: 'empty' }),
      remark: required(text(), { absent: 'empty' }),
    }),
  },
}

/** What only an alarm that is made up is given. */
const inventedFields = ['OID', 'deviceIp', 'alarmLevel', 'alarmCategory'] as const

interface TrialAlarm {
  readonly subject: Subject
  readonly isOwn: boolean
  /** As maintenance windows see it. */
  readonly covered: CoveredSubject
}

async function trialAlarm(call: Call): Promise<TrialAlarm> {
  const draft = readDraft(trialRequest, await readDocument(call, trialRequest.name), 'create')
  const at = draft.time ?? call.clock()
  if (draft.alarmId !== null && draft.alarmId !== undefined) {
    const madeUp = inventedFields.find((name) => draft[name] !== null && draft[name] !== undefined)
    if (madeUp !== undefined)
      throw new Fault(
        'invalid',
        `an alarm that exists has its own ${madeUp}: give the alarmId alone, or no alarmId`,
        {
          field: madeUp,
        },
      )
    const alarm = await requireAlarm(call, draft.alarmId)
    const { OID, alarmType, ifIndex, ifDesc } = alarm
    const place = await placeOf(call, alarm.deviceId ?? 0n)
    const subject = { ...(await subjectOf(call.database, alarm)), at }
    return { subject, isOwn: isOfService(alarm), covered: { OID, alarmType, ifIndex, ifDesc, ...place } }
  }
  const { OID, deviceIp, alarmLevel: level } = draft
  if (!OID)
    throw new Fault('invalid', 'give the alarmId of an alarm, or the OID of one that is made up', {
      field: 'OID',
    })
  const device = deviceIp ? await deviceAt(call.database, deviceIp) : null
  const imagined = { OID, deviceIp: deviceIp ?? '', deviceId: device ?? 0n, alarmLevel: level ?? 2 }
  const subject = await imaginedSubject(
    call.database,
    { ...imagined, category: draft.alarmCategory ?? null },
    at,
  )
  const originalType = deviceIp === '127.0.0.1' ? fromService : fromTrap
  const place = await placeOf(call, imagined.deviceId)
  return {
    subject,
    isOwn: isOfService({ OID, originalType }),
    covered: { OID, alarmType: OID, ifIndex: null, ifDesc: null, ...place },
  }
}

async function placeOf(
  { database }: Call,
  deviceId: bigint,
): Promise<Pick<CoveredSubject, 'deviceId' | 'zoneId'>> {
  const zones = await database.transaction((tx) => zonesOfEach(tx, [deviceId]))
  return { deviceId, zoneId: zones.get(deviceId) ?? defaultZone }
}

export const planNotifications: Handler = async (call) => {
  const { routeCache, directory, timeZone } = call.routing
  const { subject, isOwn, covered } = await trialAlarm(call)
  const { all: known } = await routeCache.read(call.database)
  const forecast = await MaintenanceForecast.read(call.database, timeZone)
  // An alarm that comes in a maintenance window is told when that ends.
  const { windows, until } = forecast.coverage(covered, subject.at)
  const toldAt = windows.length === 0 ? subject.at : until
  const verdicts = verdictsOf(known, { ...subject, at: toldAt ?? subject.at })
  const taking: KnownRoute[] = takingOf(verdicts, isOwn)
  const planner = new Planner({ directory, forecast, subject: covered, level: subject.facts.alarmLevel ?? 5 })
  const planned = toldAt === undefined ? [] : await planner.plan(taking, toldAt, isOwn)
  sendRecord(call.response, call.form, planDocument, {
    time: subject.at,
    suppressedBy: windows.join(', '),
    suppressedUntil: windows.length === 0 ? 0 : (until ?? 0),
    route: verdicts.map(verdictRecord),
    message: planned.map(({ route: { id, name }, step, at, ...one }) => ({
      ...one,
      time: at,
      routeId: id,
      routeName: name,
      step: step + 1,
    })),
  })
}

export const routeTrialDocument: Shape = {
  name: 'routeTrial',
  fields: {
    from: required(instant),
    until: required(instant),
    examined: required(long),
    taken: required(long),
    takenBefore: required(long),
    suppressed: required(long),
    short: required(long),
    merged: required(long),
    inStorms: required(long),
    messages: required(long),
    limited: required(long),
    device: groups({
      deviceIp: required(text(), { absent: 'empty' }),
      deviceName: required(text(), { absent: 'empty' }),
      messages: required(long),
    }),
  },
}

export const trialDays = int({ min: 1, max: 400 })
const defaultDays = 7
const day = 24 * 3600 * 1000

export const tryRouteOnHistory: Handler = async (call) => {
  const { database, response, routing, clock } = call
  const draft = readDraft(route, await readDocument(call, route.name), 'create')
  const tried = await amongRoutes(database, routing.routeCache, unsaved(routes, draft))
  const days = oneScalar(call.parameters, 'days', trialDays) ?? defaultDays
  const until = clock()
  const from = until - days * day
  const { devices, ...counts } = await tryRoute(
    database,
    routing.directory,
    tried,
    { from, until },
    () => response.destroyed,
  )
  sendRecord(response, call.form, routeTrialDocument, {
    from,
    until,
    ...Object.fromEntries(Object.entries(counts).map(([name, n]) => [name, BigInt(n)])),
    device: devices.map(({ messages, ...device }) => ({ ...device, messages: BigInt(messages) })),
  })
}
