// Which question finds out whether an alarm is still so, and why there is none.

import type { ReportedAlarm } from '../../alarms/open/reported-alarms.ts'
import type { EventCatalog } from '../../events/event-catalog.ts'
import { portsCalled } from '../../resources/inventory/port.ts'
import type { Reader } from '../../store/database.ts'
import { type CheckRules, checkByRule, checkByStates, instanceOf, partsOf } from './checks.ts'
import { type Run, runOfReport, type Subject, startOf } from './readings.ts'

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

export interface KnownPart {
  /** What it was called when it was asked about before; empty: that is not known. */
  readonly name: string
  /** Since when the agent runs. */
  readonly run: Run | undefined
}

/** The question about an alarm. */
export async function questionAbout(
  reader: Reader,
  { rules, catalog }: QuestionParts,
  deviceId: bigint,
  { alarmType, resource, portName, lastTime, isFound }: ReportedAlarm,
  { name: known, run }: KnownPart,
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
  const name = known || portName || (partsOf(resource).get('ifDescr') ?? '')
  const reporter = run ? runOfReport(startOf(run), lastTime, run.sentAt) : 'unsure'
  // Its index may have changed with a restart.
  const isSameIndex = reporter === 'this' && reported !== undefined
  const [index, ...others] = name === '' || isSameIndex ? [] : await portsCalled(reader, deviceId, name)
  const instance = index !== undefined && others.length === 0 ? String(index) : reported
  if (instance === undefined) return undefined
  const isByName = instance !== reported
  // What was found by asking had this name when the device was asked.
  const isUnsure = isByName && reporter === 'unsure' && reported !== undefined && !isFound
  const reportedOid = isUnsure ? `${rule.state}.${reported}` : undefined
  return { check: checkByRule(rule, instance), lastTime, name, isByName, reportedOid }
}
