// Whether the device of an alarm can be asked if it is still so.

import { isByDevice } from '../../alarms/open/reported-alarms.ts'
import type { EventCatalog } from '../../events/event-catalog.ts'
import type { Alarm } from '../../resources/alarms/alarm.ts'
import { type AskProfileRecord, askProfiles, isBare } from '../../resources/inventory/ask-profile.ts'
import type { Database } from '../../store/database.ts'
import { find } from '../../store/table.ts'
import { type Reachability, reachabilities } from '../reach/reachability.ts'
import { shippedChecks } from './checks.ts'
import { isAskable, noQuestion } from './questions.ts'

/** Why it cannot; undefined where it can. */
export async function whyNotAsked(
  database: Database,
  catalog: EventCatalog,
  alarm: Alarm,
): Promise<string | undefined> {
  const { recStatus, alarmType, resource, deviceId, ifDesc } = alarm
  if (recStatus !== 0) return 'it is over'
  if (!isByDevice(alarm)) return 'it was not reported by its device'
  const named = { alarmType, resource: resource ?? '', portName: ifDesc ?? '' }
  if (!isAskable({ rules: shippedChecks, catalog }, named)) return noQuestion
  const reach = (await find(database, reachabilities.table, deviceId ?? 0n)) as Reachability | undefined
  if (!reach?.profileId) return 'its device is not asked: no profile is meant for it'
  const profile = await find(database, askProfiles.table, reach.profileId)
  const isAskedForLittle = profile && isBare(profile as AskProfileRecord)
  return isAskedForLittle ? 'its device is asked by TCP or ICMP alone, which says nothing of it' : undefined
}
