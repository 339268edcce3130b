// The labels of the fields of rules and windows, by the names that the service has for them.

import type { Labels } from '../parts/refusal.ts'
import { maintenanceTexts as words } from '../texts/maintenance-texts.ts'
import { ruleTexts } from '../texts/trap-texts.ts'

const limits: Labels = {
  startTime: ruleTexts.startTime,
  endTime: ruleTexts.endTime,
  startDay: ruleTexts.startDay,
  endDay: ruleTexts.endDay,
  selectedWeekDay: ruleTexts.weekdays,
}

export const ruleLabels: Labels = {
  ...limits,
  trapRuleName: ruleTexts.name,
  trapOId: ruleTexts.oid,
  trapDevice: ruleTexts.addDevice,
  'trapDevice/trapFilterEventParasInfo/name': ruleTexts.variable,
  'trapDevice/trapFilterEventParasInfo/position': ruleTexts.position,
  'trapDevice/trapFilterEventParasInfo/value': ruleTexts.value,
  'trapDevice/trapFilterEventParasInfo/faultOid': ruleTexts.conditionEvent,
  'trapInterfaces/ifDesc': ruleTexts.ifDesc,
  'trapInterfaces/deviceId': ruleTexts.ofDevice,
}

export const windowLabels: Labels = {
  ...limits,
  name: words.name,
  reason: words.reason,
  owner: words.owner,
  minutes: words.minutes,
  zone: words.zones,
  view: words.views,
  event: words.events,
  ifDesc: ruleTexts.ifDesc,
}
