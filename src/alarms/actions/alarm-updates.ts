// Updates alarms that were loaded: acknowledgements, notes, assignments, shelving, suppression and causes, with the pushes
// that follow.

import type { Alarm } from '../../resources/alarms/alarm.ts'
import { systemUser } from '../engine/alarm-draft.ts'
import type { AlarmRecords } from '../engine/alarm-records.ts'
import type { DeviceViews } from '../engine/device-views.ts'
import type { EntryKind } from '../log/alarm-log.ts'
import { audienceOf, audiences, currentAudience, pushedAgain } from '../log/push-attributes.ts'
import { shelvedMark } from '../suppression/suppression.ts'

interface Acknowledgement {
  readonly userName: string
  readonly note?: string
  /** When it expires; 0: never. */
  readonly until?: number
}

interface ShelveRequest {
  readonly userName: string
  readonly note?: string
  readonly until: number
  /** Ends when the alarm gets more severe than this level; 0: whatever its level. */
  readonly level: number
}

export class AlarmUpdates {
  readonly #records: AlarmRecords
  readonly #deviceViews: DeviceViews
  readonly #now: number
  /** Called with alarms that become suppressed, or no longer are. */
  readonly #onSuppressionChange: (alarm: Alarm) => void

  constructor(
    records: AlarmRecords,
    deviceViews: DeviceViews,
    now: number,
    onSuppressionChange: (alarm: Alarm) => void,
  ) {
    this.#records = records
    this.#deviceViews = deviceViews
    this.#now = now
    this.#onSuppressionChange = onSuppressionChange
  }

  acknowledge(id: bigint, { userName, note = '', until = 0 }: Acknowledgement): void {
    const { firstAckTime } = this.#records.get(id)
    const change = {
      ackStatus: 1,
      ackTime: this.#now,
      ackUserName: userName,
      ackUntil: until,
      firstAckTime: firstAckTime === 0 ? this.#now : firstAckTime,
      ...(note !== '' && { note }),
    }
    this.#update('acknowledge', id, change, userName, withUntil(note, until))
  }

  unacknowledge(id: bigint, userName: string, detail: string): void {
    const change = { ackStatus: 0, ackTime: 0, ackUserName: '', ackUntil: 0 }
    this.#update('unacknowledge', id, change, userName, detail)
  }

  note(id: bigint, userName: string, note: string): void {
    this.#update('note', id, { note }, userName, note)
  }

  /** An empty name removes the owner. */
  assign(id: bigint, userName: string, owner: string, note = ''): void {
    this.#update('assign', id, { owner, ...(note !== '' && { note }) }, userName, joined(owner, note))
  }

  shelve(id: bigint, { userName, note = '', until, level }: ShelveRequest): void {
    const { suppressedBy } = this.#records.get(id)
    const change = {
      shelvedUntil: until,
      shelvedLevel: level,
      suppressed: true,
      suppressedBy: [...new Set([...suppressedBy, shelvedMark])],
      ...(note !== '' && { note }),
    }
    this.#update('shelve', id, change, userName, withUntil(note, until))
  }

  /** The alarm is pushed if nothing else suppresses it. */
  unshelve(id: bigint, userName: string, detail: string): void {
    const { suppressedBy } = this.#records.get(id)
    const others = suppressedBy.filter((suppressor) => suppressor !== shelvedMark)
    this.#update('unshelve', id, { shelvedUntil: 0, shelvedLevel: 0 }, userName, detail)
    this.setSuppressedBy(id, others)
  }

  /** Somebody who was called cannot take it: only its history has this, and no client gets it. */
  escalate(id: bigint, userName: string): void {
    const alarm = this.#records.get(id)
    const views = this.#deviceViews.viewsOf(alarm.deviceId ?? 0n)
    this.#records.log('escalate', alarm, { views, audience: audiences.nobody }, { userName, detail: '' })
  }

  /** Sets what suppresses an open alarm; if nothing does, it is pushed. */
  setSuppressedBy(id: bigint, suppressedBy: readonly string[]): void {
    const before = this.#records.get(id)
    if (suppressedBy.length > 0) {
      this.#records.change(id, { suppressedBy: [...suppressedBy] }, 'operator')
      return
    }
    const views = this.#deviceViews.viewsOf(before.deviceId ?? 0n)
    const audience = currentAudience({ ...before, suppressed: false })
    const pushed = pushedAgain(before.pushed, before.alarmLevel, views, audience, this.#now)
    const change = { suppressed: false, suppressedBy: [], hidden: false, pushed }
    const alarm = this.#records.change(id, change, 'operator')
    this.#onSuppressionChange(alarm)
    const history = { userName: systemUser, detail: before.suppressedBy.join(', ') }
    // `cleared` carries its earlier pushes: clients that received it at this level are skipped.
    this.#records.log('release', alarm, { views, audience, cleared: [before] }, history)
  }

  /** Ends the wait for the cause of an open alarm. Without a cause (0), the alarm is a cause itself. */
  resolveCause(id: bigint, causeId: bigint): void {
    const before = this.#records.get(id)
    if (causeId === 0n) {
      this.#becomeCause(before)
      return
    }
    const alarm = this.#records.change(id, { causeId, causeUntil: 0, parentId: causeId }, 'cause')
    if (causeId === before.causeId) return
    const views = this.#deviceViews.viewsOf(alarm.deviceId ?? 0n)
    const history = { userName: systemUser, detail: `alarm ${causeId}` }
    this.#records.log('cause', alarm, { views, audience: audienceOf(alarm.pushed) }, history)
  }

  /** Pushes it to the clients that asked for causes only. */
  #becomeCause(before: Alarm): void {
    const { id, alarmLevel, suppressed, causeId } = before
    const parentId = before.parentId === causeId ? 0n : before.parentId
    const views = this.#deviceViews.viewsOf(before.deviceId ?? 0n)
    const audience = audiences.causes
    const pushed = suppressed
      ? before.pushed
      : pushedAgain(before.pushed, alarmLevel, views, audience, this.#now)
    const alarm = this.#records.change(id, { causeId: 0n, causeUntil: 0, parentId, pushed }, 'cause')
    if (suppressed) return
    const history = causeId === 0n ? undefined : { userName: systemUser, detail: `alarm ${causeId}` }
    this.#records.log('release', alarm, { views, audience, cleared: [before] }, history)
  }

  /** Its cause has recovered: waits a while for the alarm to recover too, or for another cause. */
  awaitCause(id: bigint, until: number): void {
    this.#records.change(id, { causeUntil: until }, 'cause')
  }

  #update(kind: EntryKind, id: bigint, change: Partial<Alarm>, userName: string, detail: string): void {
    const alarm = this.#records.change(id, change, 'operator')
    this.#onSuppressionChange(alarm)
    const views = this.#deviceViews.viewsOf(alarm.deviceId ?? 0n)
    // Goes to the clients that received the alarm.
    this.#records.log(kind, alarm, { views, audience: audienceOf(alarm.pushed) }, { userName, detail })
  }
}

const joined = (...parts: readonly string[]) => parts.filter((part) => part !== '').join(': ')
const withUntil = (note: string, until: number) =>
  joined(until === 0 ? '' : `until ${new Date(until).toISOString()}`, note)
