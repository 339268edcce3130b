// Warnings about a trap rule that is saved: it is accepted, but may not do what its author wants.

import { EventCatalog } from '../events/event-catalog.ts'
import type { MibLibrary } from '../events/mib-library.ts'
import { type TrapRule, trapRules } from '../resources/alarms/trap-rule.ts'
import { spanType, type Validity } from '../resources/alarms/validity.ts'
import { lookUpDevices } from '../resources/inventory/device.ts'
import type { Database } from '../store/database.ts'
import { ruleRows } from './rule-index.ts'
import { everythingWarnings, neverWarnings, partWarnings } from './rule-reach.ts'
import { anyDevice, byEventGroup, CompiledRule, ownGroup, patternTest } from './rules.ts'
import { changeTimes, datesOf, isAlways, isMonthly, periodOf, validityKey } from './validity-period.ts'
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

/** Traps that a rule filters during its validity are lost, even if the fault lasts longer. */
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
    if (other.id !== rule.id && hasFewerConditions(other, rule) && coversPeriod(other, rule, zone, now)) {
      return [`the rule is shadowed by trap rule ${other.id}, which filters all that it would`]
    }
  }
  return []
}

function hasFewerConditions(wide: TrapRule, narrow: TrapRule): boolean {
  const plain =
    wide.trapInterfaces.length === 0 &&
    wide.trapDevice.every((entry) => entry.trapFilterEventParasInfo.length === 0)
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

/** Each pattern is compared with all interfaces of its device; for a warning, some patterns are enough. */
const examinedLimit = 100

async function deviceWarnings(database: Database, rule: TrapRule): Promise<string[]> {
  const named = [
    ...rule.trapDevice.map(({ devID }) => devID),
    ...rule.trapInterfaces.map(({ deviceId }) => deviceId ?? anyDevice),
  ]
  const ids = named.filter((id) => id !== anyDevice).map(BigInt)
  const { known, remarks: warnings } = await lookUpDevices(database, ids)
  for (const { ifDesc, deviceId } of rule.trapInterfaces.slice(0, examinedLimit)) {
    const device = known.get(BigInt(deviceId ?? anyDevice))
    if (!device || ifDesc === null) continue
    const matches = patternTest(ifDesc)
    if (!device.interfaces.some((known) => matches(known.ifDesc))) {
      warnings.push(`device ${deviceId} has no interface ${ifDesc}`)
    }
  }
  return warnings
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
  const onlyRecoveries = events.every((event) => event?.onlyEnds)
  return onlyRecoveries
    ? ['the rule names recoveries alone, and the recovery of an alarm that was raised always passes']
    : []
}

/** Days: a year and a week, in which every weekday coincides with every kind of clock change. */
const recurrence = 373

/**
 * Whether one rule is in force whenever another is, from now on. Periods change only where a window, a day or the
 * period itself begins or ends, so it is enough to check these moments. Between the dates that rules name, windows
 * recur with the week and with the clock changes of a year.
 */
export function coversPeriod(wide: Validity, narrow: Validity, zone: ZoneTime, now: number): boolean {
  if (isAlways(wide) || validityKey(wide) === validityKey(narrow)) return true
  // Days of the month coincide with weekdays and clock changes in too many ways to check all of them.
  if (isMonthly(wide)) return false
  const inWide = periodOf(wide, zone)
  const inNarrow = periodOf(isMonthly(narrow) ? withoutDays(narrow) : narrow, zone)
  for (const at of changesOf([wide, narrow], zone, now)) if (inNarrow(at) && !inWide(at)) return false
  return true
}

/** A validity that includes the given one: in a span, the times are dropped together with the days. */
const withoutDays = (rule: Validity): Validity => ({
  ...rule,
  startDay: null,
  endDay: null,
  ...(rule.exectimeType === spanType && { startTime: null, endTime: null }),
})

/** The times from now on at which one of the rules may begin or cease to be in force. */
function* changesOf(rules: readonly Validity[], zone: ZoneTime, now: number): Generator<number> {
  yield now
  const today = zone.local(now).day
  const times = new Set(rules.flatMap(changeTimes))
  const firsts = new Set([today, ...rules.flatMap(datesOf)])
  const seen = new Set<number>()
  for (const first of firsts) {
    // A window of the day before may still be open.
    for (let day = first - 1; day <= first + recurrence; day += 1) {
      if (day < today - 1 || seen.has(day)) continue
      seen.add(day)
      for (const time of times) {
        const at = zone.instant(day, time)
        if (at >= now) yield at
      }
    }
  }
}
