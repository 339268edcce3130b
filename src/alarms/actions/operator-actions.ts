// Applies operator actions to alarms: acknowledge, assign, note, shelve, recover. An alarm that is already in the requested
// state is left alone.

import { Fault } from '../../fault.ts'
import type { Alarm } from '../../resources/alarms/alarm.ts'
import type { AlarmChanges } from '../engine/alarm-changes.ts'
import { identityOfAlarm } from '../engine/alarm-draft.ts'
import { type AlarmWriter, auditAlarm, loadAlarm, recoverByOperator } from './alarm-actions.ts'

export type OperatorAction =
  | { readonly action: 'acknowledge'; readonly note?: string; readonly until?: number }
  | { readonly action: 'unacknowledge' }
  | { readonly action: 'assign'; readonly owner: string; readonly note?: string }
  | { readonly action: 'note'; readonly note: string }
  | ({ readonly action: 'shelve' } & ShelveFor)
  | { readonly action: 'unshelve' }
  | { readonly action: 'recover' }

/** How long to shelve: until a time, for some minutes, or until the alarm gets worse, whichever comes first. */
interface ShelveFor {
  readonly until?: number
  readonly minutes?: number
  readonly untilWorse?: boolean
  readonly note?: string
}

/** The latest time that can be stored, for a shelf without an end. */
const indefinitely = 253_402_300_799_000
/** An alarm shelved for longer than a year would be forgotten. */
export const maxShelfMs = 366 * 24 * 3600 * 1000

/** Applies an action to one alarm, and records it in the audit log. */
export function applyAction(
  engine: AlarmWriter,
  id: bigint,
  request: OperatorAction,
  userName: string,
): Promise<void> {
  return engine.change(async (changes, tx) => {
    const before = await loadAlarm(changes, id)
    const action = resolveTimes(request, tx.now)
    const obstacle = obstacleTo(action, before)
    if (obstacle) throw obstacle
    if ((await applyToEach(changes, [before], action, userName, tx.now)) === 0) return
    await changes.write()
    await auditAlarm(tx, action.action, id, before)
  })
}

/** Applies an action to loaded alarms, skipping those to which it does not apply; returns how many were changed. */
export async function applyToEach(
  changes: AlarmChanges,
  alarms: readonly Alarm[],
  action: OperatorAction,
  userName: string,
  now: number,
): Promise<number> {
  const affected = alarms.filter((alarm) => isNeeded(alarm, action) && !obstacleTo(action, alarm))
  if (action.action === 'recover') {
    await changes.gather(affected.map((alarm) => ({ identity: identityOfAlarm(alarm) })))
  }
  for (const alarm of affected) apply(changes, alarm, action, userName, now)
  return affected.length
}

/** Checks the times of an action, and turns minutes into an end time. */
export function resolveTimes(action: OperatorAction, now: number): OperatorAction {
  if (action.action === 'acknowledge' && action.until) requireFuture('ackUntil', action.until, now)
  if (action.action !== 'shelve') return action
  const { minutes, ...shelf } = action
  if (action.until !== undefined && minutes !== undefined) {
    throw new Fault('invalid', 'shelvedUntil and minutes exclude each other', { field: 'minutes' })
  }
  const until = minutes === undefined ? action.until : now + minutes * 60_000
  if (until !== undefined) requireFuture('shelvedUntil', until, now, maxShelfMs)
  else if (!action.untilWorse) {
    const message = 'say until when: shelvedUntil, minutes or untilWorse'
    throw new Fault('invalid', message, { field: 'shelvedUntil' })
  }
  return { ...shelf, ...(until !== undefined && { until }) }
}

/** Why an action cannot be applied to an alarm. */
function obstacleTo(action: OperatorAction, { id, recStatus, alarmLevel }: Alarm): Fault | undefined {
  if (action.action !== 'shelve') return undefined
  if (recStatus === 1) return new Fault('conflict', `alarm ${id} is over: only an open alarm can be shelved`)
  if (action.until !== undefined || alarmLevel > 1) return undefined
  const message = `alarm ${id} cannot get worse than level 1: say until when, by shelvedUntil or minutes`
  return new Fault('conflict', message, { field: 'untilWorse' })
}

/** False if the alarm is already in the requested state. */
function isNeeded({ ackStatus, recStatus, shelvedUntil, owner }: Alarm, action: OperatorAction): boolean {
  switch (action.action) {
    case 'acknowledge':
      // A note or an end time also applies to an alarm that is already acknowledged.
      return ackStatus === 0 || Boolean(action.note) || action.until !== undefined
    case 'unacknowledge':
      return ackStatus === 1
    case 'assign':
      return owner !== action.owner || Boolean(action.note)
    case 'unshelve':
      return recStatus === 0 && shelvedUntil !== 0
    case 'recover':
      return recStatus === 0
    default:
      return true
  }
}

function apply(
  changes: AlarmChanges,
  alarm: Alarm,
  action: OperatorAction,
  userName: string,
  now: number,
): void {
  const { update } = changes
  const { id } = alarm
  switch (action.action) {
    case 'acknowledge':
      update.acknowledge(id, { userName, ...action })
      break
    case 'unacknowledge':
      update.unacknowledge(id, userName, '')
      break
    case 'assign':
      update.assign(id, userName, action.owner, action.note)
      break
    case 'note':
      update.note(id, userName, action.note)
      break
    case 'shelve': {
      const { until = indefinitely, untilWorse = false, note = '' } = action
      update.shelve(id, { userName, note, until, level: untilWorse ? alarm.alarmLevel : 0 })
      break
    }
    case 'unshelve':
      update.unshelve(id, userName, '')
      break
    case 'recover':
      recoverByOperator(changes, alarm, userName, now)
  }
}

function requireFuture(field: string, at: number, now: number, longest = Number.POSITIVE_INFINITY): void {
  const seconds = (time: number) => Math.floor(time / 1000)
  if (at <= now) {
    const message = `${field} ${seconds(at)} is over: expected a time after ${seconds(now)}, in seconds since 1970`
    throw new Fault('invalid', message, { field })
  }
  if (at - now > longest) {
    const message = `${field} ${seconds(at)} is more than a year away: expected ${seconds(now + longest)} at most`
    throw new Fault('invalid', message, { field })
  }
}
