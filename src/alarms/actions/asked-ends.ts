// Ends alarms that the devices themselves, when asked, say are over.

import type { Alarm } from '../../resources/alarms/alarm.ts'
import type { AlarmChanges } from '../engine/alarm-changes.ts'
import { identityOfAlarm, systemUser } from '../engine/alarm-draft.ts'
import { shorten } from '../engine/trap-meaning.ts'
import { endOf } from './alarm-actions.ts'

export interface AskedEnd {
  readonly alarmId: bigint
  /** When the first of the questions was sent that found it over. */
  readonly firstAsked: number
  /** What the device said. */
  readonly value: string
}

/** Why a recovery was raised that no device reported. */
export const foundRecovered = 'found recovered by asking'

const foundMoved = 'its index is another one since the device restarted'

/** Ends the alarm of a part that has another place in the device now, where it has an alarm of its own. It must have been gathered. */
export function endMoved(changes: AlarmChanges, alarm: Alarm, now: number): void {
  const draft = endOf(alarm, now)
  const alarmDesc = shorten(`${draft.alarmDesc}: ${foundMoved}`)
  changes.recover([draft.identity], { ...draft, alarmDesc, reason: foundMoved }, systemUser)
}

/** Ends those that are open and were not reported since they were asked about. Loads and gathers what it needs. */
export async function endByAsking(
  changes: AlarmChanges,
  ends: readonly AskedEnd[],
  now: number,
): Promise<void> {
  const alarms = await changes.load(ends.map(({ alarmId }) => alarmId))
  const byId = new Map(ends.map((end) => [end.alarmId, end]))
  const over = alarms.flatMap((alarm) => {
    const end = byId.get(alarm.id)
    const isStill = alarm.recStatus === 0 && end !== undefined && alarm.lastTime < end.firstAsked
    return isStill ? [{ alarm, end }] : []
  })
  await changes.gather(over.map(({ alarm }) => ({ identity: identityOfAlarm(alarm) })))
  for (const { alarm, end } of over) {
    const draft = endOf(alarm, now)
    const alarmDesc = shorten(`${draft.alarmDesc}: ${foundRecovered} (${end.value})`)
    changes.recover([draft.identity], { ...draft, alarmDesc, reason: foundRecovered }, systemUser)
  }
}
