// The changes of alarms inside one transaction: raise, repeat, recover, acknowledge, delete. Traps, programs and
// operators all go through here, so that every change is in the log and one alarm of an identity is open at a time.

import {
  type Alarm,
  type AlarmWords,
  alarms,
  type fromService,
  type fromTrap,
  infoLevel,
} from '../resources/alarm.ts'
import type { Transaction } from '../store/database.ts'
import { find, insert, remove, update } from '../store/table.ts'
import type { OpenAlarm } from './decide.ts'
import type { DeviceViews } from './device-views.ts'
import { append, type NewEntry } from './log.ts'
import { type OpenCounter, openCounter } from './numbers.ts'
import type { Open } from './open-alarms.ts'
import { neverPushed, pushedAgain } from './pushed.ts'

/** What makes an alarm this alarm and no other. */
export interface Identity {
  readonly deviceId: bigint
  /** Only with device 0, which all hosts share that are no devices. */
  readonly deviceIp?: string
  readonly resource: string
  readonly alarmType: string
}

/** What is to be raised. */
export interface AlarmDraft {
  readonly identity: Identity
  readonly OID: string
  readonly eventName: string
  readonly originalType: typeof fromTrap | typeof fromService
  readonly deviceIp: string
  readonly deviceName: string
  readonly alarmLevel: number
  readonly alarmCategory: number
  readonly alarmDesc: string
  readonly paras: string
  /** The interface it is about. */
  readonly ifIndex?: bigint | null
  readonly ifDesc?: string | null
  readonly at: number
}

const interfaceCategory = 3
const availabilityCategory = 2

export const bySystem = '$SYSTEM'

/** One text for each identity. */
export const keyOf = ({ deviceId, deviceIp = '', resource, alarmType }: Identity) =>
  `${deviceId}\0${deviceIp}\0${alarmType}\0${resource}`

interface ChangesParts {
  readonly tx: Transaction
  readonly words: AlarmWords
  readonly views: DeviceViews
  readonly open: Map<string, Open | null>
}

export class AlarmChanges {
  readonly #tx: Transaction
  readonly #words: AlarmWords
  readonly #views: DeviceViews
  readonly #ids: OpenCounter
  /** Open alarms by identity, as far as anyone has looked; `null` where none is open. */
  readonly #open: Map<string, Open | null>
  readonly #repeated = new Set<Open>()
  readonly #entries: NewEntry[] = []
  /** By device: the open alarm that it is out of reach, as far as this transaction has looked; 0 where none is open. */
  readonly #unavailable = new Map<bigint, bigint>()

  private constructor({ tx, words, views, open }: ChangesParts, ids: OpenCounter) {
    this.#tx = tx
    this.#words = words
    this.#views = views
    this.#ids = ids
    this.#open = open
  }

  static async begin(parts: ChangesParts): Promise<AlarmChanges> {
    await parts.views.refresh(parts.tx)
    return new AlarmChanges(parts, await openCounter(parts.tx, 'alarm'))
  }

  async openAlarm(identity: Identity): Promise<OpenAlarm | undefined> {
    return (await this.#find(identity)) ?? undefined
  }

  async #find(identity: Identity): Promise<Open | null> {
    const key = keyOf(identity)
    const known = this.#open.get(key)
    if (known !== undefined) return known
    const { deviceId, deviceIp, resource, alarmType } = identity
    const ofHost = deviceIp === undefined ? '' : 'and device_ip = ?'
    const [row] = await this.#tx.all(
      `select id, alarm_level, last_time from alarm where device_id = ? and resource = ? and alarm_type = ? and rec_status = 0 ${ofHost}`,
      [deviceId, resource, alarmType, ...(deviceIp === undefined ? [] : [deviceIp])],
    )
    const open = row
      ? {
          id: row.id as bigint,
          alarmLevel: Number(row.alarm_level),
          repeats: 0n,
          lastTime: Number(row.last_time),
        }
      : null
    this.#open.set(key, open)
    return open
  }

  async raise(fault: AlarmDraft): Promise<bigint> {
    const { identity, at, ...rest } = fault
    const views = this.#views.of(identity.deviceId)
    const record: Alarm = {
      ...blankAlarm,
      ...rest,
      ...identity,
      id: this.#ids.take(),
      parentId:
        fault.alarmCategory === interfaceCategory ? await this.#unavailability(identity.deviceId) : 0n,
      faultTime: at,
      lastTime: at,
      pushed: pushedAgain(neverPushed, fault.alarmLevel, views),
    }
    await insert(this.#tx, alarms.table, record)
    if (record.alarmCategory === availabilityCategory) this.#unavailable.delete(identity.deviceId)
    this.#open.set(keyOf(identity), {
      id: record.id,
      alarmLevel: record.alarmLevel,
      repeats: 0n,
      lastTime: at,
    })
    this.#entries.push({ kind: 'raise', alarm: record, cleared: [], views })
    return record.id
  }

  /** The open alarm that says the whole device is out of reach: its interfaces' alarms follow from it. */
  async #unavailability(deviceId: bigint): Promise<bigint> {
    // Hosts that are no devices have nothing to do with each other.
    if (deviceId === 0n) return 0n
    const known = this.#unavailable.get(deviceId)
    if (known !== undefined) return known
    const [row] = await this.#tx.all(
      'select id from alarm where device_id = ? and rec_status = 0 and alarm_category = 2 order by id limit 1',
      [deviceId],
    )
    const id = (row?.id as bigint | undefined) ?? 0n
    this.#unavailable.set(deviceId, id)
    return id
  }

  async repeat(identity: Identity, alarmLevel: number, at: number, times = 1): Promise<bigint> {
    const open = await this.#find(identity)
    if (!open) throw new Error('no such alarm is open')
    open.repeats += BigInt(times)
    this.#repeated.add(open)
    open.lastTime = at
    if (alarmLevel < open.alarmLevel) {
      open.alarmLevel = alarmLevel
      const before = await this.#load(open.id)
      const views = this.#views.of(identity.deviceId)
      const record = { ...before, alarmLevel, pushed: pushedAgain(before.pushed, alarmLevel, views) }
      await update(this.#tx, alarms.table, open.id, before, record)
      this.#entries.push({
        kind: 'rise',
        alarm: { ...record, repeats: record.repeats + open.repeats, lastTime: at },
        cleared: [],
        views,
      })
    }
    return open.id
  }

  /** Ends open alarms with one recovery alarm that names them; `by` says what ended them. */
  async recover(identities: readonly Identity[], by: AlarmDraft, userName: string): Promise<bigint> {
    const cleared: Alarm[] = []
    for (const identity of identities) {
      const open = await this.#find(identity)
      if (!open) continue
      const before = await this.#load(open.id)
      const record: Alarm = {
        ...before,
        recStatus: 1,
        recTime: by.at,
        recUserName: userName,
        repeats: before.repeats + open.repeats,
        lastTime: Math.max(before.lastTime, open.lastTime),
      }
      await update(this.#tx, alarms.table, open.id, before, record)
      this.#open.set(keyOf(identity), null)
      this.#repeated.delete(open)
      this.#unavailable.delete(identity.deviceId)
      cleared.push(record)
    }
    const { identity, at, ...rest } = by
    const views = this.#views.of(identity.deviceId)
    const recovery: Alarm = {
      ...blankAlarm,
      ...rest,
      ...identity,
      id: this.#ids.take(),
      alarmLevel: infoLevel,
      faultTime: at,
      lastTime: at,
      recStatus: 1,
      recTime: at,
      recUserName: userName,
      isReceoverFault: 1,
      recoverFaultIdList: cleared.map(({ id }) => id),
      pushed: pushedAgain(neverPushed, infoLevel, views),
    }
    await insert(this.#tx, alarms.table, recovery)
    this.#entries.push({ kind: 'recover', alarm: recovery, cleared, views })
    return recovery.id
  }

  async acknowledge(before: Alarm, userName: string): Promise<void> {
    if (before.ackStatus === 1) return
    const record: Alarm = { ...before, ackStatus: 1, ackTime: this.#tx.now, ackUserName: userName }
    await update(this.#tx, alarms.table, before.id, before, record)
    this.#entries.push({ kind: 'acknowledge', alarm: record, cleared: [], views: '' })
  }

  async delete(id: bigint): Promise<void> {
    const record = await this.#load(id)
    await remove(this.#tx, alarms.table, id, record)
    this.#entries.push({ kind: 'delete', alarm: record, cleared: [], views: '' })
  }

  /** Writes what was gathered; whether the log has grown. */
  async finish(): Promise<boolean> {
    for (const open of this.#repeated) {
      await this.#tx.run('update alarm set repeats = repeats + ?, last_time = ? where id = ?', [
        open.repeats,
        open.lastTime,
        open.id,
      ])
      open.repeats = 0n
    }
    await append(this.#tx, this.#words, this.#entries)
    await this.#ids.close()
    return this.#entries.length > 0
  }

  async #load(id: bigint): Promise<Alarm> {
    const record = await find(this.#tx, alarms.table, id)
    if (!record) throw new Error(`alarm ${id} vanished`)
    return record as Alarm
  }
}

/** An alarm that nothing has happened to yet. */
export const blankAlarm = {
  originalTypeDesc: '',
  alarmLevelDesc: '',
  alarmCategoryDesc: '',
  faultTimeDesc: '',
  recTime: 0,
  recTimeDesc: '',
  recStatus: 0,
  recStatusDesc: '',
  recUserName: '',
  ackTime: 0,
  ackTimeDesc: '',
  ackStatus: 0,
  ackStatusDesc: '',
  ackUserName: '',
  somState: 0,
  isReceoverFault: 0,
  recoverFaultIdList: [],
  remark: null,
  parentId: 0n,
  repeats: 1n,
  pushed: neverPushed,
  ifIndex: null,
  ifDesc: null,
  zoneId: 0n,
  owner: '',
  note: '',
  ackUntil: 0,
  suppressed: false,
  suppressedBy: [],
  shelvedUntil: 0,
  trapId: 0n,
  reason: '',
  recoveredBy: 0n,
  hidden: false,
  shelvedLevel: 0,
  firstAckTime: 0,
  repeatTrail: '[]',
}
