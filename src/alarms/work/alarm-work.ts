// What people do with an alarm between its beginning and its end, and what follows for its pushes. The alarms must have
// been loaded.

import type { Alarm } from '../../resources/alarms/alarm.ts'
import { bySystem } from '../engine/alarm-draft.ts'
import type { AlarmRecords } from '../engine/alarm-records.ts'
import type { DeviceViews } from '../engine/device-views.ts'
import type { EntryKind } from '../log/alarm-log.ts'
import { audience, audienceNow, audienceOf, pushedAgain } from '../log/push-facts.ts'
import { shelf } from './suppression.ts'

interface Acknowledgement {
  readonly userName: string
  readonly note?: string
  /** When it ends by itself; 0: it does not. */
  readonly until?: number
}

interface Shelving {
  readonly userName: string
  readonly note?: string
  readonly until: number
  /** It ends when the alarm gets more severe than this; 0: it does not end by that. */
  readonly level: number
}

export class AlarmWork {
  readonly #records: AlarmRecords
  readonly #places: DeviceViews
  readonly #now: number
  /** Called with alarms that become held back, or no longer are. */
  readonly #onHeld: (alarm: Alarm) => void

  constructor(
    records: AlarmRecords,
    places: DeviceViews,
    { now, onHeld }: { now: number; onHeld: (alarm: Alarm) => void },
  ) {
    this.#records = records
    this.#places = places
    this.#now = now
    this.#onHeld = onHeld
  }

  acknowledge(id: bigint, { userName, note = '', until = 0 }: Acknowledgement): void {
    const { firstAckTime } = this.#records.known(id)
    const change = {
      ackStatus: 1,
      ackTime: this.#now,
      ackUserName: userName,
      ackUntil: until,
      firstAckTime: firstAckTime === 0 ? this.#now : firstAckTime,
      ...(note !== '' && { note }),
    }
    this.#enter('acknowledge', id, change, userName, withUntil(note, until))
  }

  unacknowledge(id: bigint, userName: string, detail: string): void {
    const change = { ackStatus: 0, ackTime: 0, ackUserName: '', ackUntil: 0 }
    this.#enter('unacknowledge', id, change, userName, detail)
  }

  note(id: bigint, userName: string, note: string): void {
    this.#enter('note', id, { note }, userName, note)
  }

  /** To nobody, where the name is empty. */
  assign(id: bigint, userName: string, owner: string, note = ''): void {
    this.#enter('assign', id, { owner, ...(note !== '' && { note }) }, userName, joined(owner, note))
  }

  shelve(id: bigint, { userName, note = '', until, level }: Shelving): void {
    const { suppressedBy } = this.#records.known(id)
    const change = {
      shelvedUntil: until,
      shelvedLevel: level,
      suppressed: true,
      suppressedBy: [...new Set([...suppressedBy, shelf])],
      ...(note !== '' && { note }),
    }
    this.#enter('shelve', id, change, userName, withUntil(note, until))
  }

  /** What nothing else holds back is pushed. */
  unshelve(id: bigint, userName: string, detail: string): void {
    const { suppressedBy } = this.#records.known(id)
    const left = suppressedBy.filter((one) => one !== shelf)
    this.#enter('unshelve', id, { shelvedUntil: 0, shelvedLevel: 0 }, userName, detail)
    this.hold(id, left)
  }

  /** Sets what holds an open alarm back from now on; it is pushed when that is nothing. */
  hold(id: bigint, suppressedBy: readonly string[]): void {
    const before = this.#records.known(id)
    if (suppressedBy.length > 0) {
      this.#records.change(id, { suppressedBy: [...suppressedBy] }, 'worked')
      return
    }
    const views = this.#places.of(before.deviceId ?? 0n)
    const to = audienceNow({ ...before, suppressed: false })
    const pushed = pushedAgain(before.pushed, before.alarmLevel, views, to, this.#now)
    const change = { suppressed: false, suppressedBy: [], hidden: false, pushed }
    const alarm = this.#records.change(id, change, 'worked')
    this.#onHeld(alarm)
    const remembered = { userName: bySystem, detail: before.suppressedBy.join(', ') }
    // With its pushes so far: clients that were given it at this level have it.
    this.#records.enter('release', alarm, { views, to, cleared: [before] }, remembered)
  }

  /** The wait for the cause of an open alarm is over; where it has none, it is a cause itself. */
  resolveCause(id: bigint, causeId: bigint): void {
    const before = this.#records.known(id)
    if (causeId === 0n) {
      this.#becomeCause(before)
      return
    }
    const alarm = this.#records.change(id, { causeId, causeUntil: 0, parentId: causeId }, 'caused')
    if (causeId === before.causeId) return
    const views = this.#places.of(alarm.deviceId ?? 0n)
    const remembered = { userName: bySystem, detail: `alarm ${causeId}` }
    this.#records.enter('cause', alarm, { views, to: audienceOf(alarm.pushed) }, remembered)
  }

  /** It is pushed to clients that asked for causes. */
  #becomeCause(before: Alarm): void {
    const { id, alarmLevel, suppressed, causeId } = before
    const parentId = before.parentId === causeId ? 0n : before.parentId
    const views = this.#places.of(before.deviceId ?? 0n)
    const to = audience.causes
    const pushed = suppressed ? before.pushed : pushedAgain(before.pushed, alarmLevel, views, to, this.#now)
    const alarm = this.#records.change(id, { causeId: 0n, causeUntil: 0, parentId, pushed }, 'caused')
    if (suppressed) return
    const remembered = causeId === 0n ? undefined : { userName: bySystem, detail: `alarm ${causeId}` }
    this.#records.enter('release', alarm, { views, to, cleared: [before] }, remembered)
  }

  /** Its cause is over: for a while, its own end or another cause is awaited. */
  awaitCause(id: bigint, until: number): void {
    this.#records.change(id, { causeUntil: until }, 'caused')
  }

  #enter(kind: EntryKind, id: bigint, change: Partial<Alarm>, userName: string, detail: string): void {
    const alarm = this.#records.change(id, change, 'worked')
    this.#onHeld(alarm)
    const views = this.#places.of(alarm.deviceId ?? 0n)
    // An alarm that was pushed to nobody is not pushed when it goes on, either.
    this.#records.enter(kind, alarm, { views, to: audienceOf(alarm.pushed) }, { userName, detail })
  }
}

const joined = (...parts: readonly string[]) => parts.filter((part) => part !== '').join(': ')
const withUntil = (note: string, until: number) =>
  joined(until === 0 ? '' : `until ${new Date(until).toISOString()}`, note)
