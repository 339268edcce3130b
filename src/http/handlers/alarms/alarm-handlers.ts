// Alarms over HTTP: lists, one alarm, what operators and programs do with it.

import { hasHidden } from '../../../alarms/open/alarm-pages.ts'
import { deleteAlarm, raiseByProgram, setRemark } from '../../../alarms/work/alarm-actions.ts'
import {
  type Alarm,
  alarm,
  alarmDetail,
  alarms,
  listedAlarm,
  unknownToImc,
} from '../../../resources/alarms/alarm.ts'
import { read } from '../../../resources/collection.ts'
import { defaultZone, zonesOfDevices } from '../../../resources/inventory/zone.ts'
import type { Condition } from '../../../schema/list-filter.ts'
import { readDraft } from '../../../schema/read-document.ts'
import { type AnyRecord, optional, resource, type Shape } from '../../../schema/resource.ts'
import { rowMapping } from '../../../schema/row.ts'
import { text } from '../../../schema/scalar.ts'
import { type Call, type Handler, isImcRequest, readDocument } from '../../call.ts'
import { sendEmpty, sendRecord } from '../../responses.ts'
import { answerList } from '../list-handlers.ts'

const imcOnly = <T extends Shape>(shape: T): T => ({
  ...shape,
  fields: Object.fromEntries(Object.entries(shape.fields).filter(([name]) => !unknownToImc.has(name))),
})
/** A list may be long: columns that are not shown are not read for it. */
const table = { ...alarms.table, form: rowMapping(listedAlarm) }
const listed = { ...alarms, resource: listedAlarm, table }
const listedForImc = { ...alarms, resource: imcOnly(listedAlarm), table }
const detailForImc = imcOnly(alarmDetail)

export const listAlarms: Handler = async (call) => {
  const show = async (_database: unknown, records: AnyRecord[]) => {
    await complete(call, records as Alarm[])
    for (const record of records) record.alarmDetail = `${call.base}${alarms.path}/${record.id}`
  }
  await answerList(call, isImcRequest(call) ? listedForImc : listed, show, await forImc(call))
}

/**
 * Programs of the iMC interface do not know of alarms that are held back: what was never pushed does not exist for
 * them.
 */
export async function forImc(call: Call): Promise<Condition[]> {
  if (!isImcRequest(call)) return []
  return (await hasHidden(call.database)) ? [{ kind: 'equals', column: 'hidden', value: 0 }] : []
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
  sendRecord(call.response, call.form, isImcRequest(call) ? detailForImc : alarmDetail, record)
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
