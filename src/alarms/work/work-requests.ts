// What an operator does with an alarm: acknowledge, assign, note, shelve, recover. Where it is in that state already,
// nothing happens; what is done with one alarm is recorded in the audit log.

import { Fault } from '../../fault.ts'
import type { Alarm } from '../../resources/alarms/alarm.ts'
import type { AlarmChanges } from '../engine/alarm-changes.ts'
import { identityOfAlarm } from '../engine/alarm-draft.ts'
import { auditAlarm, type Changing, load, recoverByOperator } from './alarm-actions.ts'

/** An action, for one alarm or for many. */
export type Work =
  | { readonly action: 'acknowledge'; readonly note?: string; readonly until?: number }
  | { readonly action: 'unacknowledge' }
  | { readonly action: 'assign'; readonly owner: string; readonly note?: string }
  | { readonly action: 'note'; readonly note: string }
  | ({ readonly action: 'shelve' } & Shelf)
  | { readonly action: 'unshelve' }
  | { readonly action: 'recover' }

/** Until when, or for how long, or until the alarm gets worse: whichever comes first. */
interface Shelf {
  readonly until?: number
  readonly minutes?: number
  readonly untilWorse?: boolean
  readonly note?: string
}

/** The latest time that can be stored: for a shelf without an end. */
const noEnd = 253_402_300_799_000
/** What is quarantined for longer than a year is forgotten. */
export const longestShelf = 366 * 24 * 3600 * 1000

/** Applies an action to one alarm. */
export function workOn(engine: Changing, id: bigint, asked: Work, userName: string): Promise<void> {
  return engine.change(async (changes, tx) => {
    const before = await load(changes, id)
    const work = timed(asked, tx.now)
    const obstacle = obstacleTo(work, before)
    if (obstacle) throw obstacle
    if ((await workOnEach(changes, [before], work, userName, tx.now)) === 0) return
    await changes.write()
    await auditAlarm(tx, work.action, id, before)
  })
}

/**
 * The same for several alarms that were loaded; returns how many were changed. Alarms it cannot be applied to are
 * skipped.
 */
export async function workOnEach(
  changes: AlarmChanges,
  alarms: readonly Alarm[],
  work: Work,
  userName: string,
  now: number,
): Promise<number> {
  const fit = alarms.filter((alarm) => needs(alarm, work) && !obstacleTo(work, alarm))
  // To end an alarm, the open ones must be known.
  if (work.action === 'recover') {
    await changes.gather(fit.map((alarm) => ({ identity: identityOfAlarm(alarm) })))
  }
  for (const alarm of fit) act(changes, alarm, work, userName, now)
  return fit.length
}

/** Checks the times of an action; a length becomes an end. */
export function timed(work: Work, now: number): Work {
  if (work.action === 'acknowledge' && work.until) requireFuture('ackUntil', work.until, now)
  if (work.action !== 'shelve') return work
  const { minutes, ...shelf } = work
  if (work.until !== undefined && minutes !== undefined) {
    throw new Fault('invalid', 'shelvedUntil and minutes exclude each other', { field: 'minutes' })
  }
  const until = minutes === undefined ? work.until : now + minutes * 60_000
  if (until !== undefined) requireFuture('shelvedUntil', until, now, longestShelf)
  else if (!work.untilWorse) {
    const message = 'say until when: shelvedUntil, minutes or untilWorse'
    throw new Fault('invalid', message, { field: 'shelvedUntil' })
  }
  return { ...shelf, ...(until !== undefined && { until }) }
}

/** Why it cannot be applied to an alarm. */
function obstacleTo(work: Work, { id, recStatus, alarmLevel }: Alarm): Fault | undefined {
  if (work.action !== 'shelve') return undefined
  if (recStatus === 1) return new Fault('conflict', `alarm ${id} is over: only an open alarm can be shelved`)
  if (work.until !== undefined || alarmLevel > 1) return undefined
  const message = `alarm ${id} cannot get worse than level 1: say until when, by shelvedUntil or minutes`
  return new Fault('conflict', message, { field: 'untilWorse' })
}

/** False where the alarm is in that state already. */
function needs({ ackStatus, recStatus, shelvedUntil, owner }: Alarm, work: Work): boolean {
  switch (work.action) {
    case 'acknowledge':
      // A note, or an end, is taken for an alarm that is acknowledged already, too.
      return ackStatus === 0 || Boolean(work.note) || work.until !== undefined
    case 'unacknowledge':
      return ackStatus === 1
    case 'assign':
      return owner !== work.owner || Boolean(work.note)
    case 'unshelve':
      return recStatus === 0 && shelvedUntil !== 0
    case 'recover':
      return recStatus === 0
    default:
      return true
  }
}

function act(changes: AlarmChanges, alarm: Alarm, asked: Work, userName: string, now: number): void {
  const { work } = changes
  const { id } = alarm
  switch (asked.action) {
    case 'acknowledge':
      work.acknowledge(id, { userName, ...asked })
      break
    case 'unacknowledge':
      work.unacknowledge(id, userName, '')
      break
    case 'assign':
      work.assign(id, userName, asked.owner, asked.note)
      break
    case 'note':
      work.note(id, userName, asked.note)
      break
    case 'shelve': {
      const { until = noEnd, untilWorse = false, note = '' } = asked
      work.shelve(id, { userName, note, until, level: untilWorse ? alarm.alarmLevel : 0 })
      break
    }
    case 'unshelve':
      work.unshelve(id, userName, '')
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
