// Handlers for alarms: lists, single alarms, and the actions of operators and programs on them.

import { deleteAlarm, raiseByProgram, setRemark } from '../../../alarms/actions/alarm-actions.ts'
import { type Alarm, alarm, alarmDetail, alarms } from '../../../resources/alarms/alarm.ts'
import { read } from '../../../resources/collection.ts'
import { defaultZone, zonesOfDevices } from '../../../resources/inventory/zone.ts'
import { readDraft } from '../../../schema/read-document.ts'
import { type AnyRecord, optional, resource } from '../../../schema/resource.ts'
import { text } from '../../../schema/scalar.ts'
import { type Call, type Handler, readDocument } from '../../call.ts'
import { conditionsFor, detailFor, listedFor } from '../../imc/imc-alarms.ts'
import { sendEmpty, sendRecord } from '../../responses.ts'
import { answerList } from '../list-handlers.ts'

export const listAlarms: Handler = async (call) => {
  const show = async (_database: unknown, records: AnyRecord[]) => {
    await complete(call, records as Alarm[])
    for (const record of records) record.alarmDetail = `${call.base}${alarms.path}/${record.id}`
  }
  await answerList(call, listedFor(call), show, await conditionsFor(call))
}

/** Fills in what is derived. */
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

export const raiseAlarm: Handler = async (call) => {
  const draft = readDraft(alarm, await readDocument(call, alarm.name), 'create')
  const { id, isNew } = await raiseByProgram(call.engine, draft)
  sendEmpty(call.response, isNew ? 201 : 200, { Location: `${call.base}${alarms.path}/${id}` })
}

/** Of an alarm, only the remark can be set; the rest of what a GET returned is accepted and ignored. */
const remarked = resource(
  alarm.name,
  { remark: optional(text()) },
  { table: alarm.table, key: 'remark', ignored: [...Object.keys(alarm.fields), ...alarm.ignored] },
)

export const remarkAlarm: Handler = async (call) => {
  const document = await readDocument(call, alarm.name)
  // What a GET returned has a root of its own.
  const root = document.name === alarmDetail.name ? { ...document, name: alarm.name } : document
  const { remark } = readDraft(remarked, root, 'modify')
  await setRemark(call.engine, call.id, remark)
  sendEmpty(call.response, 204)
}

export const removeAlarm: Handler = async (call) => {
  await deleteAlarm(call.engine, call.id, call.caller.name)
  sendEmpty(call.response, 204)
}
