// What an operator does with one alarm: "seen", "mine", "this is why", "not now". Each returns nothing where it is so already,
// and is recorded in the audit log.

import { Fault } from '../fault.ts'
import type { Alarm } from '../resources/alarm.ts'
import type { AlarmChanges } from './changes.ts'
import { auditAlarm, type Changing, load } from './operations.ts'

/** What is done with an alarm that was loaded; false where nothing is to be done. */
export type Deed = (changes: AlarmChanges, alarm: Alarm, now: number) => boolean

/** The last moment that can be written: of a shelf that no time ends. */
export const noEnd = 253_402_300_799_000
/** What is put aside for longer than a year is forgotten. */
export const longestShelf = 366 * 24 * 3600 * 1000

/** Does something with one alarm. */
export function workOn(engine: Changing, id: bigint, action: string, deed: Deed): Promise<void> {
  return engine.change(async (changes, tx) => {
    const before = await load(changes, id)
    if (!deed(changes, before, tx.now)) return
    await changes.write()
    await auditAlarm(tx, action, id, before)
  })
}

/** A note, or an end, is taken for an alarm that is acknowledged already, too. */
export const acknowledging =
  (userName: string, { note = '', until }: { note?: string; until?: number | undefined } = {}): Deed =>
  ({ work }, { id, ackStatus }, now) => {
    if (ackStatus === 1 && note === '' && until === undefined) return false
    if (until) requireToCome('ackUntil', until, now)
    work.acknowledge(id, { userName, note, until: until ?? 0 })
    return true
  }

export const withdrawing =
  (userName: string): Deed =>
  ({ work }, { id, ackStatus }) => {
    if (ackStatus === 1) work.unacknowledge(id, userName, '')
    return ackStatus === 1
  }

/** To nobody, where the owner is empty. */
export const assigning =
  (userName: string, owner: string, note = ''): Deed =>
  ({ work }, before) => {
    if (before.owner === owner && note === '') return false
    work.assign(before.id, userName, owner, note)
    return true
  }

export const noting =
  (userName: string, note: string): Deed =>
  ({ work }, { id }) => {
    work.note(id, userName, note)
    return true
  }

/** Until when, or for how long, or until the alarm gets worse: whichever comes first. */
export interface Shelf {
  readonly until?: number | undefined
  readonly minutes?: number | undefined
  readonly untilWorse: boolean
  readonly note: string
}

export function shelving(userName: string, { until, minutes, untilWorse, note }: Shelf): Deed {
  if (until !== undefined && minutes !== undefined) {
    throw new Fault('invalid', 'shelvedUntil and minutes exclude each other', { field: 'minutes' })
  }
  if (until === undefined && minutes === undefined && !untilWorse) {
    throw new Fault('invalid', 'say until when: shelvedUntil, minutes or untilWorse', {
      field: 'shelvedUntil',
    })
  }
  return ({ work }, { id, recStatus, alarmLevel }, now) => {
    if (recStatus === 1) throw new Fault('conflict', `alarm ${id} is over: nothing of it is to come`)
    const end = minutes === undefined ? until : now + minutes * 60_000
    if (end !== undefined) requireToCome('shelvedUntil', end, now, longestShelf)
    else if (alarmLevel === 1) {
      const message = `alarm ${id} cannot get worse than level 1: say until when, by shelvedUntil or minutes`
      throw new Fault('conflict', message, { field: 'untilWorse' })
    }
    work.shelve(id, { userName, note, until: end ?? noEnd, level: untilWorse ? alarmLevel : 0 })
    return true
  }
}

export const unshelving =
  (userName: string): Deed =>
  ({ work }, { id, recStatus, shelvedUntil }) => {
    if (recStatus === 1 || shelvedUntil === 0) return false
    work.unshelve(id, userName, '')
    return true
  }

function requireToCome(field: string, at: number, now: number, longest = Number.POSITIVE_INFINITY): void {
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
