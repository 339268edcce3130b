// Which question finds out whether an alarm is still so, and why there is none.

import type { ReportedAlarm } from '../../alarms/open/reported-alarms.ts'
import type { EventCatalog } from '../../events/event-catalog.ts'
import { portsCalled } from '../../resources/inventory/port.ts'
import type { Reader } from '../../store/database.ts'
import { type CheckRules, checkByRule, checkByStates, instanceOf, partsOf } from './checks.ts'
import type { Subject } from './readings.ts'

export interface QuestionParts {
  readonly rules: CheckRules
  readonly catalog: EventCatalog
}

type Named = Pick<ReportedAlarm, 'alarmType' | 'resource' | 'portName'>

export const noQuestion = 'no definition says what to ask about it'

/** Whether there is a question about alarms like this one. */
export function isAskable({ rules, catalog }: QuestionParts, { alarmType, resource }: Named): boolean {
  const rule = rules.get(alarmType)
  if (rule) {
    const isNamed = rule.isPort && partsOf(resource).has('ifDescr')
    return isNamed || instanceOf(resource, rule.key) !== undefined
  }
  const event = catalog.find(alarmType)
  return event !== undefined && checkByStates(event, resource, catalog) !== undefined
}

/** The question about an alarm; `known`: what its part was called when it was asked about before. */
export async function questionAbout(
  reader: Reader,
  { rules, catalog }: QuestionParts,
  deviceId: bigint,
  { alarmType, resource, portName, lastTime }: ReportedAlarm,
  known: string,
): Promise<Subject | undefined> {
  const rule = rules.get(alarmType)
  if (!rule) {
    const event = catalog.find(alarmType)
    const check = event && checkByStates(event, resource, catalog)
    return check && { check, lastTime, name: known, isByName: false }
  }
  const reported = instanceOf(resource, rule.key)
  if (!rule.isPort)
    return reported === undefined
      ? undefined
      : { check: checkByRule(rule, reported), lastTime, name: known, isByName: false }
  const name = portName || (partsOf(resource).get('ifDescr') ?? '') || known
  // Its index may have changed with a restart.
  const [index, ...others] = name === '' ? [] : await portsCalled(reader, deviceId, name)
  const instance = index !== undefined && others.length === 0 ? String(index) : reported
  if (instance === undefined) return undefined
  return { check: checkByRule(rule, instance), lastTime, name, isByName: instance !== reported }
}
