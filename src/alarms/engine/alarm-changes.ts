// The changes of alarms inside one transaction: raise, repeat, recover, delete, and what people do with them. Traps,
// programs and operators all go through here, so that every change is in the log and one alarm of an identity is open at
// a time. What a change needs is gathered first and changed in memory; `write` writes all of it.

import { type Alarm, type AlarmTexts, alarms, infoLevel } from '../../resources/alarms/alarm.ts'
import { Hits } from '../../resources/alarms/hits.ts'
import { windowIn } from '../../resources/alarms/maintenance.ts'
import { type Bulk, bulk, type SqlValue, type Transaction } from '../../store/database.ts'
import { setColumns } from '../../store/table.ts'
import { Causes } from '../causes/causes.ts'
import type { Uplinks } from '../causes/uplinks.ts'
import { repeatedAgain } from '../history/repeat-times.ts'
import {
  audience,
  audienceNow,
  audienceOf,
  neverPushed,
  pushedAgain,
  pushedFirst,
} from '../log/push-facts.ts'
import type { Open, OpenByIdentity } from '../open/open-alarms.ts'
import { AlarmWork } from '../work/alarm-work.ts'
import type { Suppression } from '../work/suppression.ts'
import {
  type AlarmDraft,
  alarmOf,
  bySystem,
  type Identity,
  identityOf,
  identityOfAlarm,
  type Wanted,
} from './alarm-draft.ts'
import { AlarmRecords } from './alarm-records.ts'
import type { OpenAlarm } from './decide.ts'
import type { DeviceViews } from './device-views.ts'

const interfaceCategory = 3
const availabilityCategory = 2

interface ChangesParts {
  readonly tx: Transaction
  readonly words: AlarmTexts
  readonly views: DeviceViews
  readonly suppression: Suppression
  readonly open: OpenByIdentity
  readonly uplinks: Uplinks
  /** How many milliseconds a cause may come later than its consequences. */
  readonly causeWait: number
}

export class AlarmChanges {
  readonly #tx: Transaction
  readonly #places: DeviceViews
  readonly #suppression: Suppression
  readonly #records: AlarmRecords
  readonly #causes: Causes
  /** What people do with alarms that were loaded. */
  readonly work: AlarmWork
  /** As far as has been read. */
  readonly #open: OpenByIdentity
  /** By device: the oldest open alarms that say it is out of reach, as many as matter. */
  readonly #unavailable = new Map<bigint, bigint[]>()
  #repeated = new Set<Open>()
  /** By maintenance window. */
  readonly #heldBack = new Hits('window')

  private constructor(parts: ChangesParts, records: AlarmRecords) {
    const { tx, views, suppression, open, uplinks, causeWait } = parts
    this.#causes = new Causes(tx, uplinks, causeWait)
    this.#tx = tx
    this.#places = views
    this.#suppression = suppression
    this.#open = open
    this.#records = records
    this.work = new AlarmWork(records, views, { now: tx.now, onHeld: (alarm) => this.#noteHeld(alarm) })
  }

  static async begin(parts: ChangesParts): Promise<AlarmChanges> {
    await parts.views.refresh(parts.tx)
    await parts.suppression.refresh(parts.tx)
    await parts.uplinks.refresh(parts.tx)
    return new AlarmChanges(parts, await AlarmRecords.begin(parts.tx, parts.words))
  }

  /** Reads what changes of these alarms need: everything after that is done in memory. */
  async gather(wanted: readonly Wanted[]): Promise<void> {
    const devices = new Set(wanted.map(({ identity }) => identity.deviceId))
    await this.#places.gather(this.#tx, devices)
    await this.#causes.gather(devices)
    await this.#gatherOpen(wanted)
    await this.#gatherRecords(wanted)
    await this.#gatherUnavailable(wanted)
  }

  async #gatherOpen(wanted: readonly Wanted[]): Promise<void> {
    const keys = new Map<string, SqlValue[]>()
    for (const { identity } of wanted) {
      const key = identity.key
      if (this.#open.has(key) || keys.has(key)) continue
      const { deviceId, deviceIp = '', resource, alarmType } = identity
      keys.set(key, [deviceId, resource, alarmType, deviceIp])
    }
    const rows = await this.#tx.allEach(openAlarms, [...keys.values()])
    for (const key of keys.keys()) this.#open.set(key, null)
    for (const row of rows) {
      this.#open.set(identityOf(row).key, {
        id: row.id as bigint,
        alarmLevel: Number(row.alarm_level),
        isSuppressed: row.suppressed === 1n,
        repeats: 0,
        lastTime: Number(row.last_time),
        trail: String(row.repeat_trail),
      })
    }
  }

  /** The end of an alarm and its rise to a more severe level are logged with all that is known of it. */
  async #gatherRecords(wanted: readonly Wanted[]): Promise<void> {
    const ids = new Set<bigint>()
    for (const { identity, alarmLevel = 0 } of wanted) {
      const open = this.#open.get(identity.key)
      if (open && alarmLevel < open.alarmLevel && !this.#records.find(open.id)) ids.add(open.id)
    }
    await this.#records.load([...ids])
  }

  async #gatherUnavailable(wanted: readonly Wanted[]): Promise<void> {
    // One more than may be ended: the oldest that is left is known then.
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
      oldestUnavailable(Math.max(...counts.values())),
      Array.from(counts.keys(), (device) => [device]),
    )
    for (const device of counts.keys()) this.#unavailable.set(device, [])
    for (const row of rows) this.#unavailable.get(row.device_id as bigint)?.push(row.id as bigint)
  }

  /** Reads whole alarms, open or not, with what their work needs; returns those that exist. */
  async load(ids: readonly bigint[]): Promise<Alarm[]> {
    const records = await this.#records.load(ids)
    const devices = records.map(({ deviceId }) => deviceId ?? 0n)
    await this.#places.gather(this.#tx, devices)
    return records
  }

  #noteHeld(alarm: Alarm): void {
    const open = this.#open.get(identityOfAlarm(alarm).key)
    if (open) open.isSuppressed = alarm.suppressed
  }

  /** Of an identity that was gathered before. */
  openAlarm(identity: Identity): OpenAlarm | undefined {
    return this.#find(identity) ?? undefined
  }

  #find(identity: Identity) {
    const open = this.#open.get(identity.key)
    if (open === undefined) throw new Error(`${identity.key} was not gathered`)
    return open
  }

  raise(draft: AlarmDraft): bigint {
    const { identity, at, alarmLevel } = draft
    const views = this.#places.of(identity.deviceId)
    const suppressedBy = this.#suppressors(draft)
    const record = alarmOf(draft, this.#records.takeId(), this.#records.takeEntry())
    record.suppressed = suppressedBy.length > 0
    record.suppressedBy = suppressedBy
    for (const suppressor of suppressedBy) this.#heldBack.add(windowIn(suppressor), at)
    record.causeId = this.#causes.of(identity.deviceId)
    record.causeUntil = this.#causes.waitUntil(identity.deviceId)
    const isOfInterface = draft.alarmCategory === interfaceCategory
    record.parentId = record.causeId || (isOfInterface ? this.#parentOf(identity) : 0n)
    const to = audienceNow(record)
    record.hidden = to === audience.nobody
    if (!record.hidden) record.pushed = pushedFirst(alarmLevel, views, to)
    const { id, entry, suppressed: isSuppressed, repeatTrail: trail } = record
    this.#records.add(record)
    this.#open.set(identity.key, { id, alarmLevel, isSuppressed, repeats: 0, lastTime: at, trail })
    if (draft.alarmCategory === availabilityCategory) this.#unavailable.get(identity.deviceId)?.push(id)
    if (record.outOfReach)
      this.#causes.add({ id, deviceId: identity.deviceId, ifIndex: record.ifIndex, faultTime: at })
    const remembered = isSuppressed ? { userName: bySystem, detail: suppressedBy.join(', ') } : undefined
    this.#records.enter('raise', record, { views, to }, remembered, entry)
    return id
  }

  #suppressors({ identity, OID, ifIndex = null, ifDesc = null, at }: AlarmDraft): string[] {
    const { deviceId, alarmType } = identity
    const zoneId = this.#places.zoneOf(deviceId)
    return this.#suppression.of({ deviceId, zoneId, OID, alarmType, ifIndex, ifDesc }, at)
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
    const record = this.#records.findNew(open.id)
    if (record) {
      record.repeats += BigInt(times)
      record.lastTime = at
      record.repeatTrail = repeatedAgain(record.repeatTrail, at, times)
      open.trail = record.repeatTrail
    } else {
      open.repeats += times
      this.#repeated.add(open)
    }
    if (alarmLevel < open.alarmLevel) {
      open.alarmLevel = alarmLevel
      this.#rise(open.id, alarmLevel, this.#places.of(identity.deviceId))
    }
    return open.id
  }

  /** A rise of what is held back is held back with it. */
  #rise(id: bigint, alarmLevel: number, views: string): void {
    const before = this.#records.known(id)
    const to = audienceNow(before)
    const pushed = before.suppressed
      ? before.pushed
      : pushedAgain(before.pushed, alarmLevel, views, to, this.#tx.now)
    const record = this.#records.change(id, { alarmLevel, pushed }, 'risen')
    const detail = `from level ${before.alarmLevel} to ${alarmLevel}`
    this.#records.enter('rise', record, { views, to }, { userName: bySystem, detail })
    if (before.shelvedLevel > 0 && alarmLevel < before.shelvedLevel) {
      this.work.unshelve(id, bySystem, 'it got worse')
    }
  }

  /** Decides what open alarms follow from, now that nobody waits any longer. */
  async resolveCauses(ids: readonly bigint[]): Promise<void> {
    const records = await this.load(ids)
    await this.#causes.gather(records.map(({ deviceId }) => deviceId ?? 0n))
    for (const { id, deviceId } of records) this.work.resolveCause(id, this.#causes.of(deviceId ?? 0n))
  }

  /** Called when the cause of open alarms is over. */
  async endCauses(ids: readonly bigint[]): Promise<void> {
    const records = await this.load(ids)
    await this.#causes.gather(records.map(({ deviceId }) => deviceId ?? 0n))
    for (const { id, deviceId } of records) {
      const until = this.#causes.waitUntil(deviceId ?? 0n)
      if (until > 0) this.work.awaitCause(id, until)
      else this.work.resolveCause(id, this.#causes.of(deviceId ?? 0n))
    }
  }

  /** Ends open alarms with one recovery alarm that names them; `by` names who or what ended them. */
  recover(identities: readonly Identity[], by: AlarmDraft, userName: string): bigint {
    const id = this.#records.takeId()
    const cleared: Alarm[] = []
    for (const identity of identities) {
      const open = this.#find(identity)
      if (!open) continue
      const ended = { recStatus: 1, recTime: by.at, recUserName: userName, recoveredBy: id }
      const record = this.#records.change(open.id, ended, 'ended')
      cleared.push(record)
      this.#open.set(identity.key, null)
      this.#causes.end({ id: open.id, deviceId: identity.deviceId, ifIndex: record.ifIndex })
      const others = this.#unavailable.get(identity.deviceId)?.filter((other) => other !== open.id)
      if (others) this.#unavailable.set(identity.deviceId, others)
    }
    this.#addRecovery(id, by, userName, cleared)
    return id
  }

  /** An alarm that was pushed to nobody ends without a push. */
  #addRecovery(id: bigint, by: AlarmDraft, userName: string, cleared: readonly Alarm[]): void {
    const { identity, at } = by
    const views = this.#places.of(identity.deviceId)
    const given = cleared.map(({ pushed }) => audienceOf(pushed))
    const to = given.length === 0 ? audience.all : given.reduce((sum, one) => sum | one, 0)
    const isHidden = to === audience.nobody
    const recovery: Alarm = {
      ...alarmOf(by, id, this.#records.takeEntry()),
      alarmLevel: infoLevel,
      recStatus: 1,
      recTime: at,
      recUserName: userName,
      isReceoverFault: 1,
      recoverFaultIdList: cleared.map((one) => one.id),
      hidden: isHidden,
      pushed: isHidden ? neverPushed : pushedFirst(infoLevel, views, to),
    }
    this.#records.add(recovery)
    this.#records.enter('recover', recovery, { views, to, cleared }, undefined, recovery.entry)
  }

  /** Of an alarm that was loaded. */
  delete(id: bigint): void {
    const { deviceId } = this.#records.known(id)
    this.#records.delete(id, this.#places.of(deviceId ?? 0n))
  }

  get hasLogEntries(): boolean {
    return this.#records.hasLogEntries
  }

  /** Writes all that was changed since the last time. */
  async write(): Promise<void> {
    await this.#writeRepeats()
    await this.#records.write()
    await this.#heldBack.write(this.#tx)
  }

  async #writeRepeats(): Promise<void> {
    if (this.#repeated.size === 0) return
    const opens = [...this.#repeated]
    for (const open of opens) open.trail = repeatedAgain(open.trail, open.lastTime, open.repeats)
    await this.#tx.runEach(
      repeated,
      opens.map(({ repeats, lastTime, trail, id }) => [repeats, lastTime, trail, id]),
    )
    for (const open of opens) open.repeats = 0
    this.#repeated = new Set()
  }
}

const openAlarms = bulk(
  "select id, alarm_level, last_time, suppressed, repeat_trail, device_id, device_ip, resource, alarm_type from alarm where device_id = ? and resource = ? and alarm_type = ? and (case when device_id = 0 then device_ip else '' end) = ? and rec_status = 0",
  ['bigint', 'text', 'text', 'text'],
)

/**
 * For limits of 1, 2, 4 and so on. They are part of the text: SQLite plans a statement anew each time a limit is bound as
 * a parameter.
 */
const unavailable = Array.from({ length: 32 }, (_, power) =>
  bulk(
    `select device_id, id from alarm where device_id = ? and rec_status = 0 and alarm_category = ${availabilityCategory} order by id limit ${2 ** power}`,
    ['bigint'],
  ),
)
const oldestUnavailable = (limit: number) => unavailable[Math.ceil(Math.log2(limit))] as Bulk
const repeated = setColumns(alarms.table, 'repeats = repeats + ?, last_time = ?, repeat_trail = ?', [
  'bigint',
  'bigint',
  'text',
])
