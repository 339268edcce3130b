// Handlers for alarms: lists, single alarms, and the actions of operators and programs on them.

import { deleteAlarm, setRemark } from '../../../alarms/actions/alarm-actions.ts'
import { historyOf, repeatTimesOf } from '../../../alarms/history/alarm-history.ts'
import { Fault, shown } from '../../../fault.ts'
import { type Alarm, alarm, alarmDetail, alarms, raisedAlarm } from '../../../resources/alarms/alarm.ts'
import { read } from '../../../resources/collection.ts'
import { defaultZone, zonesOfDevices } from '../../../resources/inventory/zone.ts'
import { type Element, readDraft } from '../../../schema/read-document.ts'
import {
  type AnyRecord,
  derived,
  groups,
  optional,
  required,
  resource,
  type Shape,
} from '../../../schema/resource.ts'
import { bool, instant, long, text } from '../../../schema/scalar.ts'
import { find } from '../../../store/table.ts'
import { type Call, type Handler, readDocument } from '../../call.ts'
import { conditionsFor, detailFor, listedFor } from '../../imc/imc-alarms.ts'
import { contentType, documentOf, sendEmpty, sendRecord, sendText } from '../../responses.ts'
import { answerList } from '../list-handlers.ts'

export const listAlarms: Handler = async (call) => {
  const show = async (_database: unknown, records: AnyRecord[]) => {
    await complete(call, records as Alarm[])
    for (const record of records) record.alarmDetail = `${call.base}${alarms.path}/${record.id}`
  }
  await answerList(call, listedFor(call), show, await conditionsFor(call))
}

/** Fills in derived fields. */
async function complete({ alarmTexts, database }: Call, records: Alarm[]): Promise<void> {
  await alarmTexts.fill(records)
  const ids = new Set(records.map(({ deviceId }) => deviceId ?? 0n))
  const zones = await zonesOfDevices(database, [...ids])
  for (const record of records) record.zoneId = zones.get(record.deviceId ?? 0n) ?? defaultZone
}

export const readAlarm: Handler = async (call) => {
  const record = await read(call.database, alarms, call.id)
  await complete(call, [record as Alarm])
  sendRecord(call.response, call.form, detailFor(call), record)
}

/** What became of each alarm of a list, in its order. */
export const raisedAlarmsDocument: Shape = {
  name: 'raisedAlarms',
  fields: { alarm: groups({ id: required(long), isNew: required(bool) }) },
}

/** Alarms in one request. They are raised in one transaction, for which others wait. */
export const raisedAtOnce = 200

export const raiseAlarm: Handler = async (call) => {
  const document = await readDocument(call, alarm.name)
  const list = listIn(document)
  const drafts = list
    ? list.map((item, index) => inList(index, () => readDraft(raisedAlarm, item, 'create')))
    : [readDraft(raisedAlarm, document, 'create')]
  const raised = await call.engine.raise(drafts)
  const status = raised.some(({ isNew }) => isNew) ? 201 : 200
  if (list) {
    const { response, form } = call
    sendText(response, status, contentType[form], documentOf(form, raisedAlarmsDocument, { alarm: raised }))
  } else sendEmpty(call.response, status, { Location: `${call.base}${alarms.path}/${raised[0]?.id}` })
}

/** In XML a list has a root of its own; an object in JSON is one where all it has is alarms. */
function listIn({ name, text, items }: Element): readonly Element[] | undefined {
  const isList = name === 'list' || items.some((item) => item.name === alarm.name)
  if (!isList) return undefined
  const other = items.find((item) => item.name !== alarm.name)
  if (other) {
    const message = `unknown element ${shown(other.name)}: a list holds nothing but "${alarm.name}"`
    throw new Fault('invalid', message, { field: other.name })
  }
  if (text.trim() !== '') {
    throw new Fault('invalid', `text ${shown(text.trim())} between elements is not accepted`)
  }
  if (items.length === 0 || items.length > raisedAtOnce) {
    const message = `the list has ${items.length} alarms: expected 1 to ${raisedAtOnce}`
    throw new Fault('invalid', message, { field: alarm.name })
  }
  return items
}

/** Says which one of a list is refused. */
function inList<T>(index: number, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const { code, message, field } = error
    throw new Fault(code, `alarm ${index + 1} of the list: ${message}`, field === undefined ? {} : { field })
  }
}

/** Only the remark of an alarm can be set; other fields, as a GET returns them, are ignored. */
const remarked = resource(
  alarm.name,
  { remark: optional(text()) },
  { table: alarm.table, key: 'remark', ignored: [...Object.keys(alarm.fields), ...alarm.ignored] },
)

export const remarkAlarm: Handler = async (call) => {
  const document = await readDocument(call, alarm.name)
  // A document from a GET has a different root element.
  const root = document.name === alarmDetail.name ? { ...document, name: alarm.name } : document
  const { remark } = readDraft(remarked, root, 'modify')
  await setRemark(call.engine, call.id, remark)
  sendEmpty(call.response, 204)
}

export const removeAlarm: Handler = async (call) => {
  await deleteAlarm(call.engine, call.id, call.caller.name)
  sendEmpty(call.response, 204)
}

// Handlers for the history of an alarm: what has happened to it, and which registered clients have received it.

const empty = { absent: 'empty' } as const

export const alarmHistoryDocument: Shape = {
  name: 'alarmHistory',
  fields: {
    alarmId: required(long),
    trapId: required(long),
    reason: required(text(), empty),
    recoveredBy: required(long),
    complete: required(bool),
    happening: groups({
      time: required(instant),
      action: required(text()),
      userName: required(text(), empty),
      detail: required(text({ maxLength: 10_000 }), empty),
      pushed: required(bool),
    }),
    repeat: groups({ from: required(instant), until: required(instant), times: required(long) }),
    client: groups({ uuid: required(text()), connected: required(bool), past: derived(bool) }),
  },
}

export const showHistory: Handler = async (call) => {
  const { database, push, id } = call
  // With the fields that are shown to nobody.
  const alarm = (await find(database, alarms.table, id)) as Alarm | undefined
  if (!alarm) throw new Fault('not-found', `alarm ${id} does not exist`)
  const { entries, complete } = await historyOf(database, alarm)
  // Entries of older versions have no known number.
  const last = entries.findLast(({ pushed, entry }) => pushed && entry > 0n)
  const clients = (await push.clients()).filter(({ uuid }) => uuid !== '')
  sendRecord(call.response, call.form, alarmHistoryDocument, {
    alarmId: id,
    trapId: alarm.trapId,
    reason: alarm.reason,
    recoveredBy: alarm.recoveredBy,
    complete,
    happening: entries,
    repeat: repeatTimesOf(alarm).map(({ times, ...span }) => ({
      ...span,
      times: BigInt(times),
    })),
    client: clients.map(({ uuid, connected, position }) => ({
      uuid,
      connected,
      past: last ? position >= last.entry : null,
    })),
  })
}
