// Alarms below /imcrs: these clients know neither owners nor suppression, and an alarm that was never pushed does not
// exist for them.

import { hasHidden } from '../../alarms/open/open-alarms.ts'
import { alarmDetail, alarms, listedAlarm, unknownToImc } from '../../resources/alarms/alarm.ts'
import type { Condition } from '../../schema/list-filter.ts'
import type { Shape } from '../../schema/resource.ts'
import { rowMapping } from '../../schema/row.ts'
import type { Call } from '../call.ts'
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
