// Alarms below /imcrs: these clients know neither owners nor suppression, and an alarm that was never pushed does not
// exist for them.

import { hasHidden } from '../../alarms/open/open-alarms.ts'
import {
  type Alarm,
  alarm,
  alarmDetail,
  alarmLevel,
  alarms,
  listedAlarm,
  unknownToImc,
} from '../../resources/alarms/alarm.ts'
import { list, readListQuery } from '../../schema/list.ts'
import type { Condition } from '../../schema/list-filter.ts'
import { empty, groups, required, type Shape } from '../../schema/resource.ts'
import { rowMapping } from '../../schema/row.ts'
import { coded, instant, ip, long, text } from '../../schema/scalar.ts'
import { Page } from '../../store/page.ts'
import type { Call, Handler } from '../call.ts'
import { contentType, documentOf, sendEmpty, sendText } from '../responses.ts'
import { isImcRoot } from './imc-root.ts'

const imcFields = <T extends Shape>(shape: T): T => ({
  ...shape,
  fields: Object.fromEntries(Object.entries(shape.fields).filter(([name]) => !unknownToImc.has(name))),
})

/** A list may be long: columns that are not shown are not read for it. */
const listed = {
  ...alarms,
  resource: listedAlarm,
  table: { ...alarms.table, form: rowMapping(listedAlarm) },
}
const listedForImc = { ...listed, resource: imcFields(listedAlarm) }
const detailForImc = imcFields(alarmDetail)

export const listedFor = (call: Pick<Call, 'root'>) => (isImcRoot(call) ? listedForImc : listed)

export const detailFor = (call: Pick<Call, 'root'>) => (isImcRoot(call) ? detailForImc : alarmDetail)

/** What an alarm must meet to exist for the caller. */
export async function conditionsFor(call: Pick<Call, 'root' | 'database'>): Promise<Condition[]> {
  if (!isImcRoot(call)) return []
  return (await hasHidden(call.database)) ? [{ kind: 'equals', column: 'hidden', value: 0 }] : []
}

// Handler for the real-time board of iMC-compatible clients: the newest open alarms.

export const faultRealTime = {
  name: 'faultRealTime',
  fields: {
    faultRealTimeList: groups({
      id: required(long),
      faultTime: required(instant),
      faultDesc: required(text({ maxLength: 10_000 }), empty),
      /** The device's address, in both. */
      deviceDisplay: required(ip, empty),
      sourceIp: required(ip, empty),
      severity: required(alarmLevel),
      userAckType: required(coded({ 0: 'Unacknowledged', 1: 'Acknowledged' })),
      userAckUserName: required(text(), empty),
    }),
  },
}

/** A board has room for this many, and callers name no size. */
export const board = list('/fault/faultRealTime', alarm, {
  where: { recStatus: 0 },
  size: { default: 100, negative: 'default', max: 1000 },
})

export const showBoard: Handler = async (call) => {
  const { database, memory, response, form } = call
  const asked = readListQuery(board, call.parameters)
  const conditions = [...asked.conditions, ...(await conditionsFor(call))]
  const query = { ...asked, conditions, order: { ...asked.order, descending: true } }
  const matches = await memory.totals.of(database, alarms.table, query.conditions)
  const headers = { Total: matches }
  if (query.totalOnly) return sendEmpty(response, 200, { 'Content-Type': contentType[form], ...headers })
  const page = new Page(database, alarms.table, query, matches)
  const rows: object[] = []
  while (!page.ended) rows.push(...((await page.next()) as Alarm[]).map(boardRow))
  const document = documentOf(form, faultRealTime, { faultRealTimeList: rows })
  // iMC-compatible clients look for the list inside an object that has the name of the document.
  const body = form === 'json' ? `{"${faultRealTime.name}":${document}}` : document
  sendText(response, 200, contentType[form], body, headers)
}

const boardRow = (one: Alarm) => ({
  id: one.id,
  faultTime: one.faultTime,
  faultDesc: one.alarmDesc,
  deviceDisplay: one.deviceIp,
  sourceIp: one.deviceIp,
  severity: one.alarmLevel,
  userAckType: one.ackStatus,
  userAckUserName: one.ackUserName,
})
