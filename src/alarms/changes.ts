// The changes of alarms inside one transaction: raise, repeat, recover, acknowledge, delete. Traps, programs and
// operators all go through here, so that every change is in the log and one alarm of an identity is open at a time.
// What a change needs is gathered first and changed in memory; `write` writes all of it, table by table.

import {
  type Alarm,
  type AlarmWords,
  alarms,
  type fromService,
  type fromTrap,
  infoLevel,
} from '../resources/alarm.ts'
import { bulk, type Row, type SqlValue, type Transaction } from '../store/database.ts'
import { findEach, insertAll, recount, removeAll, setColumns } from '../store/table.ts'
import type { OpenAlarm } from './decide.ts'
import type { DeviceViews } from './device-views.ts'
import { append, logCounter, type NewEntry } from './log.ts'
import { Numbers } from './numbers.ts'
import type { OpenByIdentity } from './open-alarms.ts'
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

/** An alarm that may be raised or repeated, as a draft says it; without a level, one that may be ended. */
export type Wanted = Pick<AlarmDraft, 'identity'> & Partial<Pick<AlarmDraft, 'alarmLevel' | 'alarmCategory'>>

const interfaceCategory = 3
const availabilityCategory = 2

export const bySystem = '$SYSTEM'

/** One text for each identity. */
export const keyOf = ({ deviceId, deviceIp = '', resource, alarmType }: Identity) =>
  `${deviceId}\0${deviceIp}\0${alarmType}\0${resource}`

type AlarmNumbers = Numbers<'alarm' | typeof logCounter>

interface ChangesParts {
  readonly tx: Transaction
  readonly words: AlarmWords
  readonly views: DeviceViews
  readonly open: OpenByIdentity
}

export class AlarmChanges {
  readonly #tx: Transaction
  readonly #words: AlarmWords
  readonly #views: DeviceViews
  readonly #numbers: AlarmNumbers
  /** As far as anyone has looked. */
  readonly #open: OpenByIdentity
  /** By device: the open alarms that say it is out of reach, oldest first, as many as matter. */
  readonly #unavailable = new Map<bigint, bigint[]>()
  /** Alarms of the store, as they are by now. */
  readonly #loaded = new Map<bigint, Alarm>()
  /** Alarms that are not in the store yet, as they are by now. */
  #new = new Map<bigint, Alarm>()
  #repeated = new Set<{ readonly id: bigint; repeats: number; lastTime: number }>()
  #risen = new Set<bigint>()
  #ended = new Set<bigint>()
  #acknowledged = new Set<bigint>()
  #deleted = new Set<bigint>()
  #entries: NewEntry[] = []
  /** Whether something was written to the log. */
  haveGrownLog = false

  private constructor({ tx, words, views, open }: ChangesParts, numbers: AlarmNumbers) {
    this.#tx = tx
    this.#words = words
    this.#views = views
    this.#open = open
    this.#numbers = numbers
  }

  static async begin(parts: ChangesParts): Promise<AlarmChanges> {
    await parts.views.refresh(parts.tx)
    await parts.words.refresh(parts.tx)
    return new AlarmChanges(parts, await Numbers.gather(parts.tx, 'alarm', logCounter))
  }

  /** Reads what changes of these alarms need: all that is asked or done afterwards is done in memory. */
  async gather(wanted: readonly Wanted[]): Promise<void> {
    await this.#gatherOpen(wanted)
    await this.#gatherRecords(wanted)
    await this.#gatherUnavailable(wanted)
  }

  async #gatherOpen(wanted: readonly Wanted[]): Promise<void> {
    const keys = new Map<string, SqlValue[]>()
    for (const { identity } of wanted) {
      const key = keyOf(identity)
      if (this.#open.has(key) || keys.has(key)) continue
      const { deviceId, deviceIp = '', resource, alarmType } = identity
      keys.set(key, [deviceId, resource, alarmType, deviceIp])
    }
    const rows = await this.#tx.allEach(openAlarms, [...keys.values()])
    for (const key of keys.keys()) this.#open.set(key, null)
    for (const row of rows) {
      this.#open.set(keyOf(identityOf(row)), {
        id: row.id as bigint,
        alarmLevel: Number(row.alarm_level),
        repeats: 0,
        lastTime: Number(row.last_time),
      })
    }
  }

  /** The end of an alarm and its rise to a graver level are told with all that is known of it. */
  async #gatherRecords(wanted: readonly Wanted[]): Promise<void> {
    const ids = new Set<bigint>()
    for (const { identity, alarmLevel = 0 } of wanted) {
      const open = this.#open.get(keyOf(identity))
      if (open && alarmLevel < open.alarmLevel && !this.#record(open.id)) ids.add(open.id)
    }
    await this.load([...ids])
  }

  async #gatherUnavailable(wanted: readonly Wanted[]): Promise<void> {
    // One more than may be ended of them: the oldest that is left is known then.
    const counts = new Map<bigint, number>()
    for (const { identity, alarmCategory } of wanted) {
      const { deviceId } = identity
      // Hosts that are no devices have nothing to do with each other.
      if (alarmCategory === interfaceCategory && deviceId !== 0n && !this.#unavailable.has(deviceId)) {
        counts.set(deviceId, 0)
      }
    }
    if (counts.size === 0) return
    for (const { identity } of wanted) {
      const count = counts.get(identity.deviceId)
      if (count !== undefined) counts.set(identity.deviceId, count + 1)
    }
    const rows = await this.#tx.allEach(
      unavailable(Math.max(...counts.values())),
      Array.from(counts.keys(), (device) => [device]),
    )
    for (const device of counts.keys()) this.#unavailable.set(device, [])
    for (const row of rows) this.#unavailable.get(row.device_id as bigint)?.push(row.id as bigint)
  }

  /** Reads whole alarms, open or not; answers those that exist. */
  async load(ids: readonly bigint[]): Promise<Alarm[]> {
    const records = (await findEach(this.#tx, alarms.table, ids)) as Alarm[]
    for (const record of records) this.#loaded.set(record.id, record)
    return records
  }

  #record(id: bigint): Alarm | undefined {
    return this.#new.get(id) ?? this.#loaded.get(id)
  }

  #known(id: bigint): Alarm {
    const record = this.#record(id)
    if (!record) throw new Error(`alarm ${id} was not gathered`)
    return record
  }

  /** Of an identity that was gathered. */
  openAlarm(identity: Identity): OpenAlarm | undefined {
    return this.#find(identity) ?? undefined
  }

  #find(identity: Identity) {
    const open = this.#open.get(keyOf(identity))
    if (open === undefined) throw new Error(`${keyOf(identity)} was not gathered`)
    return open
  }

  raise(draft: AlarmDraft): bigint {
    const { identity, at, ...rest } = draft
    const views = this.#views.of(identity.deviceId)
    const record: Alarm = {
      ...blankAlarm,
      ...rest,
      ...identity,
      id: this.#numbers.take('alarm'),
      parentId: draft.alarmCategory === interfaceCategory ? this.#parentOf(identity) : 0n,
      faultTime: at,
      lastTime: at,
      pushed: pushedAgain(neverPushed, draft.alarmLevel, views),
    }
    const { id, alarmLevel } = record
    this.#new.set(id, record)
    this.#open.set(keyOf(identity), { id, alarmLevel, repeats: 0, lastTime: at })
    if (draft.alarmCategory === availabilityCategory) this.#unavailable.get(identity.deviceId)?.push(id)
    this.#entries.push({ kind: 'raise', alarm: record, cleared: [], views })
    return id
  }

  /** The open alarm that says the whole device is out of reach: its interfaces' alarms follow from it. */
  #parentOf({ deviceId }: Identity): bigint {
    if (deviceId === 0n) return 0n
    const known = this.#unavailable.get(deviceId)
    if (!known) throw new Error(`device ${deviceId} was not gathered`)
    return known[0] ?? 0n
  }

  repeat(identity: Identity, alarmLevel: number, at: number, times = 1): bigint {
    const open = this.#find(identity)
    if (!open) throw new Error('no such alarm is open')
    open.lastTime = at
    const record = this.#new.get(open.id)
    if (record) {
      record.repeats += BigInt(times)
      record.lastTime = at
    } else {
      open.repeats += times
      this.#repeated.add(open)
    }
    if (alarmLevel < open.alarmLevel) {
      open.alarmLevel = alarmLevel
      this.#rise(open.id, alarmLevel, this.#views.of(identity.deviceId))
    }
    return open.id
  }

  #rise(id: bigint, alarmLevel: number, views: string): void {
    const before = this.#known(id)
    const pushed = pushedAgain(before.pushed, alarmLevel, views)
    const record = this.#change(id, { alarmLevel, pushed }, this.#risen)
    this.#entries.push({ kind: 'rise', alarm: record, cleared: [], views })
  }

  /** Entries of the log keep an alarm as it was: what changes is a copy. */
  #change(id: bigint, change: Partial<Alarm>, written: Set<bigint>): Alarm {
    const before = this.#known(id)
    const record = { ...before, ...change }
    if (this.#new.has(id)) this.#new.set(id, record)
    else {
      this.#loaded.set(id, record)
      written.add(id)
      recount(this.#tx, alarms.table, before, record)
    }
    return record
  }

  /** Ends open alarms with one recovery alarm that names them; `by` says what ended them. */
  recover(identities: readonly Identity[], by: AlarmDraft, userName: string): bigint {
    const cleared: Alarm[] = []
    for (const identity of identities) {
      const open = this.#find(identity)
      if (!open) continue
      const ended = { recStatus: 1, recTime: by.at, recUserName: userName }
      cleared.push(this.#change(open.id, ended, this.#ended))
      this.#open.set(keyOf(identity), null)
      const others = this.#unavailable.get(identity.deviceId)?.filter((id) => id !== open.id)
      if (others) this.#unavailable.set(identity.deviceId, others)
    }
    const { identity, at, ...rest } = by
    const views = this.#views.of(identity.deviceId)
    const recovery: Alarm = {
      ...blankAlarm,
      ...rest,
      ...identity,
      id: this.#numbers.take('alarm'),
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
    this.#new.set(recovery.id, recovery)
    this.#entries.push({ kind: 'recover', alarm: recovery, cleared, views })
    return recovery.id
  }

  /** Of an alarm that was loaded, as what follows. */
  acknowledge(id: bigint, userName: string): void {
    const change = { ackStatus: 1, ackTime: this.#tx.now, ackUserName: userName }
    const record = this.#change(id, change, this.#acknowledged)
    this.#entries.push({ kind: 'acknowledge', alarm: record, cleared: [], views: '' })
  }

  delete(id: bigint): void {
    const record = this.#known(id)
    this.#deleted.add(id)
    this.#entries.push({ kind: 'delete', alarm: record, cleared: [], views: '' })
  }

  /** Writes all that was changed since the last time. */
  async write(): Promise<void> {
    const tx = this.#tx
    await this.#writeRepeats()
    await tx.runEach(
      risen,
      this.#rows(this.#risen, ({ alarmLevel, pushed }) => [alarmLevel, pushed]),
    )
    await tx.runEach(
      ended,
      this.#rows(this.#ended, ({ recTime, recUserName }) => [recTime, recUserName]),
    )
    await tx.runEach(
      acknowledged,
      this.#rows(this.#acknowledged, ({ ackTime, ackUserName }) => [ackTime, ackUserName]),
    )
    const over = new Set([...this.#ended, ...this.#deleted])
    await tx.runEach(
      unknownOver,
      Array.from(over, (id) => [id]),
    )
    await removeAll(
      tx,
      alarms.table,
      Array.from(this.#deleted, (id) => this.#known(id)),
    )
    // Only now: of an identity one alarm is open at a time.
    await insertAll(tx, alarms.table, [...this.#new.values()])
    for (const [id, record] of this.#new) this.#loaded.set(id, record)
    this.#new = new Map()
    for (const written of [this.#risen, this.#ended, this.#acknowledged, this.#deleted]) written.clear()
    const entries = this.#entries
    this.#entries = []
    await append(tx, this.#words, this.#numbers, entries)
    await this.#numbers.write(tx)
    this.haveGrownLog ||= entries.length > 0
  }

  #rows(ids: ReadonlySet<bigint>, values: (record: Alarm) => SqlValue[]): SqlValue[][] {
    return Array.from(ids, (id) => [...values(this.#known(id)), id])
  }

  async #writeRepeats(): Promise<void> {
    const opens = [...this.#repeated]
    await this.#tx.runEach(
      repeated,
      opens.map(({ repeats, lastTime, id }) => [repeats, lastTime, id]),
    )
    for (const open of opens) open.repeats = 0
    this.#repeated = new Set()
  }
}

const openAlarms = bulk(
  "select id, alarm_level, last_time, device_id, device_ip, resource, alarm_type from alarm where device_id = ? and resource = ? and alarm_type = ? and (case when device_id = 0 then device_ip else '' end) = ? and rec_status = 0",
  ['bigint', 'text', 'text', 'text'],
)

/** The limit is written out, in few different ways: SQLite plans a statement anew each time a limit is bound to it. */
const unavailable = (limit: number) =>
  bulk(
    `select device_id, id from alarm where device_id = ? and rec_status = 0 and alarm_category = ${availabilityCategory} order by id limit ${2 ** Math.ceil(Math.log2(limit))}`,
    ['bigint'],
  )
const repeated = setColumns(alarms.table, 'repeats = repeats + ?, last_time = ?', ['bigint', 'bigint'])
const risen = setColumns(alarms.table, 'alarm_level = ?, pushed = ?', ['integer', 'text'])
const ended = setColumns(alarms.table, 'rec_status = 1, rec_time = ?, rec_user_name = ?', ['bigint', 'text'])
/** See unknown-events.ts: those that end are counted no longer. */
const unknownOver = bulk('delete from unknown_alarm where alarm_id = ?', ['bigint'])
const acknowledged = setColumns(alarms.table, 'ack_status = 1, ack_time = ?, ack_user_name = ?', [
  'bigint',
  'text',
])

function identityOf(row: Row): Identity {
  const deviceId = row.device_id as bigint
  const rest = { resource: String(row.resource), alarmType: String(row.alarm_type) }
  return deviceId === 0n ? { deviceId, deviceIp: String(row.device_ip), ...rest } : { deviceId, ...rest }
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
