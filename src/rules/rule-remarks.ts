// Remarks when a trap rule is saved: it is accepted, but may not do what its author wants.

import { EventCatalog } from '../events/event-catalog.ts'
import type { MibLibrary } from '../events/mib-library.ts'
import { infoLevel } from '../resources/alarms/alarm.ts'
import { type TrapRule, trapRules } from '../resources/alarms/trap-rule.ts'
import { lookUpDevices } from '../resources/inventory/device.ts'
import type { Database } from '../store/database.ts'
import { coversPeriod } from './period-cover.ts'
import { everythingWarnings, neverWarnings, partWarnings } from './rule-reach.ts'
import { ruleRows } from './rule-rows.ts'
import { anyDevice, byEventGroup, CompiledRule, ownGroup, patternTest } from './rules.ts'
import { isAlways } from './validity-period.ts'
import type { ZoneTime } from './zone-time.ts'

export async function ruleWarnings(
  database: Database,
  modules: MibLibrary,
  zone: ZoneTime,
  rule: TrapRule,
  now: number,
): Promise<string[]> {
  const never = neverWarnings(rule, zone, now)
  return [
    ...never,
    ...(never.length > 0 ? [] : everythingWarnings(rule)),
    ...partWarnings(rule),
    ...(never.length > 0 ? [] : periodWarnings(rule)),
    ...(never.length > 0 ? [] : await shadowWarnings(database, rule, zone, now)),
    ...(await deviceWarnings(database, rule)),
    ...(await recoveryWarnings(new EventCatalog(database, modules), database, zone, rule)),
  ]
}

/** What a rule filters during its validity is gone, also where the fault outlasts it. */
function periodWarnings(rule: TrapRule): string[] {
  return isAlways(rule)
    ? []
    : [
        'the rule filters for good what comes up in its validity: for planned work, a maintenance window (/fault/maintenance) is probably meant, which holds back only what has ended before it does',
      ]
}

/** Another rule that is in force whenever this one is, and has fewer conditions, filters everything this one would. */
async function shadowWarnings(
  database: Database,
  rule: TrapRule,
  zone: ZoneTime,
  now: number,
): Promise<string[]> {
  for await (const row of ruleRows(database)) {
    const other = trapRules.table.form.toRecord(row) as TrapRule
    if (other.id !== rule.id && asksForLess(other, rule) && coversPeriod(other, rule, zone, now)) {
      return [`the rule is shadowed by trap rule ${other.id}, which filters all that it would`]
    }
  }
  return []
}

function asksForLess(wide: TrapRule, narrow: TrapRule): boolean {
  const plain =
    wide.trapInterfaces.length === 0 &&
    wide.trapDevice.every((one) => one.trapFilterEventParasInfo.length === 0)
  const ids = new Set(wide.trapDevice.map(({ devID }) => devID))
  const allDevices = ids.has(anyDevice) || narrow.trapDevice.every(({ devID }) => ids.has(devID))
  return plain && allDevices && coversEvents(wide, narrow)
}

function coversEvents(wide: TrapRule, narrow: TrapRule): boolean {
  if (wide.trapGroup !== null && wide.trapGroup !== narrow.trapGroup) return false
  if (wide.trapGroup === null && narrow.trapGroup === ownGroup) return false
  if (wide.trapOId === null) return wide.trapGroup !== byEventGroup
  return narrow.trapOId === wide.trapOId || (narrow.trapOId?.startsWith(`${wide.trapOId}.`) ?? false)
}

/** Each pattern is compared with all interfaces of its device: for a remark, some of them are enough. */
const examined = 100

async function deviceWarnings(database: Database, rule: TrapRule): Promise<string[]> {
  const named = [
    ...rule.trapDevice.map(({ devID }) => devID),
    ...rule.trapInterfaces.map(({ deviceId }) => deviceId ?? anyDevice),
  ]
  const ids = named.filter((one) => one !== anyDevice).map(BigInt)
  const { known, remarks } = await lookUpDevices(database, ids)
  for (const { ifDesc, deviceId } of rule.trapInterfaces.slice(0, examined)) {
    const device = known.get(BigInt(deviceId ?? anyDevice))
    if (!device || ifDesc === null) continue
    const matches = patternTest(ifDesc)
    if (!device.interfaces.some((one) => matches(one.ifDesc))) {
      remarks.push(`device ${deviceId} has no interface ${ifDesc}`)
    }
  }
  return remarks
}

async function recoveryWarnings(
  catalog: EventCatalog,
  database: Database,
  zone: ZoneTime,
  rule: TrapRule,
): Promise<string[]> {
  await catalog.refresh(database)
  const events = new CompiledRule(rule, zone).events.map((oid) =>
    oid === undefined ? undefined : catalog.find(oid),
  )
  const onlyRecoveries = events.every(
    (event) => event && event.recovers.length > 0 && event.level === infoLevel,
  )
  return onlyRecoveries
    ? ['the rule names recoveries alone, and the recovery of an alarm that was raised always passes']
    : []
}
