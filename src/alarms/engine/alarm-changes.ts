// Changes alarms inside one transaction: raise, repeat, recover, delete, and what operators do with them. Traps, programs
// and operators all go through here, so that every change reaches the log and at most one alarm of an identity is open.
// `gather` reads everything first, changes are made in memory, and `write` writes them.

import { type Alarm, type AlarmTexts, alarms, infoLevel } from '../../resources/alarms/alarm.ts'
import { Hits } from '../../resources/alarms/hits.ts'
import { windowIn } from '../../resources/alarms/maintenance.ts'
import type { Transaction } from '../../store/database.ts'
import { setColumns } from '../../store/table.ts'
import { AlarmUpdates } from '../actions/alarm-updates.ts'
import { Causes, type Uplinks } from '../causes/causes.ts'
import { addRepeats } from '../history/alarm-history.ts'
import {
  audienceOf,
  audiences,
  currentAudience,
  neverPushed,
  pushedAgain,
  pushedFirst,
} from '../log/push-attributes.ts'
import { type OpenByIdentity, type OpenState, readOpenAlarms } from '../open/open-alarms.ts'
import type { Suppression } from '../suppression/suppression.ts'
import {
  type AlarmDraft,
  type AlarmToGather,
  type Identity,
  identityOfAlarm,
  newAlarm,
  systemUser,
} from './alarm-draft.ts'
import { AlarmRecords } from './alarm-records.ts'
import type { OpenAlarm } from './decide.ts'
import type { DeviceViews } from './device-views.ts'
import { interfaceCategory, UnavailableDevices } from './unavailable-devices.ts'

interface ChangeContext {
  readonly tx: Transaction
  readonly texts: AlarmTexts
  readonly deviceViews: DeviceViews
  readonly suppression: Suppression
  /** Open alarms, as far as they have been read. */
  readonly open: OpenByIdentity
  readonly uplinks: Uplinks
  /** How many milliseconds after its consequences a cause may be reported. */
  readonly causeWait: number
}

export class AlarmChanges {
  readonly #tx: Transaction
  readonly #deviceViews: DeviceViews
  readonly #suppression: Suppression
  readonly #open: OpenByIdentity
  readonly #records: AlarmRecords
  readonly #causes: Causes
  readonly #unavailable: UnavailableDevices
  /** Changes that operators make to alarms which were loaded. */
  readonly update: AlarmUpdates
  #repeated = new Set<OpenState>()
  readonly #windowHits = new Hits('window')

  private constructor(context: ChangeContext, records: AlarmRecords) {
    const { tx, deviceViews, suppression, open, uplinks, causeWait } = context
    this.#tx = tx
    this.#deviceViews = deviceViews
    this.#suppression = suppression
    this.#open = open
    this.#records = records
    this.#causes = new Causes(tx, uplinks, causeWait)
    this.#unavailable = new UnavailableDevices(tx)
    this.update = new AlarmUpdates(records, deviceViews, tx.now, (alarm) => {
      const known = open.get(identityOfAlarm(alarm).key)
      if (known) known.isSuppressed = alarm.suppressed
    })
  }

  static async begin(context: ChangeContext): Promise<AlarmChanges> {
    const { tx, texts, deviceViews, suppression, uplinks } = context
    await deviceViews.refresh(tx)
    await suppression.refresh(tx)
    await uplinks.refresh(tx)
    return new AlarmChanges(context, await AlarmRecords.begin(tx, texts))
  }

  /** Reads everything that changes to these alarms need; from then on they are made in memory. */
  async gather(alarms: readonly AlarmToGather[]): Promise<void> {
    const devices = new Set(alarms.map(({ identity }) => identity.deviceId))
    await this.#deviceViews.gather(this.#tx, devices)
    await this.#causes.gather(devices)
    await this.#gatherOpen(alarms)
    await this.#gatherRecords(alarms)
    await this.#unavailable.gather(alarms)
  }

  async #gatherOpen(alarms: readonly AlarmToGather[]): Promise<void> {
    const missing = new Map<string, Identity>()
    for (const { identity } of alarms) {
      if (!this.#open.has(identity.key)) missing.set(identity.key, identity)
    }
    const found = await readOpenAlarms(this.#tx, [...missing.values()])
    for (const key of missing.keys()) this.#open.set(key, found.get(key) ?? null)
  }

  /** An alarm that recovers or gets more severe is logged with all its fields. */
  async #gatherRecords(alarms: readonly AlarmToGather[]): Promise<void> {
    const ids = new Set<bigint>()
    for (const { identity, alarmLevel = 0 } of alarms) {
      const open = this.#open.get(identity.key)
      if (open && alarmLevel < open.alarmLevel && !this.#records.find(open.id)) ids.add(open.id)
    }
    await this.#records.load([...ids])
  }

  /** Reads whole alarms, open or not, for `update`; returns those that exist. */
  async load(ids: readonly bigint[]): Promise<Alarm[]> {
    const records = await this.#records.load(ids)
    const devices = records.map(({ deviceId }) => deviceId ?? 0n)
    await this.#deviceViews.gather(this.#tx, devices)
    return records
  }

  /** The identity must have been gathered. */
  openAlarm(identity: Identity): OpenAlarm | undefined {
    return this.#gatheredAlarm(identity) ?? undefined
  }

  /** An alarm that was raised or loaded, as it is now. */
  alarm(id: bigint): Alarm {
    return this.#records.get(id)
  }

  #gatheredAlarm(identity: Identity) {
    const open = this.#open.get(identity.key)
    if (open === undefined) throw new Error(`${identity.key} was not gathered`)
    return open
  }

  raise(draft: AlarmDraft): bigint {
    const { identity, at, alarmLevel } = draft
    const views = this.#deviceViews.viewsOf(identity.deviceId)
    const suppressedBy = this.#suppressors(draft)
    const record = newAlarm(draft, this.#records.takeId(), this.#records.takeEntry())
    record.suppressed = suppressedBy.length > 0
    record.suppressedBy = suppressedBy
    for (const suppressor of suppressedBy) this.#windowHits.add(windowIn(suppressor), at)
    record.causeId = this.#causes.causeOf(identity.deviceId)
    record.causeUntil = this.#causes.waitUntil(identity.deviceId)
    const isInterfaceAlarm = draft.alarmCategory === interfaceCategory
    record.parentId =
      record.causeId || (isInterfaceAlarm ? this.#unavailable.parentOf(identity.deviceId) : 0n)
    const audience = currentAudience(record)
    record.hidden = audience === audiences.nobody
    if (!record.hidden) record.pushed = pushedFirst(alarmLevel, views, audience)
    const { id, entry, suppressed: isSuppressed, repeatTrail: trail } = record
    this.#records.add(record)
    this.#open.set(identity.key, { id, alarmLevel, isSuppressed, repeats: 0, lastTime: at, trail })
    this.#unavailable.add(id, identity.deviceId, draft.alarmCategory)
    if (record.outOfReach)
      this.#causes.add({ id, deviceId: identity.deviceId, ifIndex: record.ifIndex, faultTime: at })
    const history = isSuppressed ? { userName: systemUser, detail: suppressedBy.join(', ') } : undefined
    this.#records.log('raise', record, { views, audience }, history, entry)
    return id
  }

  #suppressors({ identity, OID, ifIndex = null, ifDesc = null, at }: AlarmDraft): string[] {
    const { deviceId, alarmType } = identity
    const zoneId = this.#deviceViews.zoneOf(deviceId)
    return this.#suppression.windowsCovering({ deviceId, zoneId, OID, alarmType, ifIndex, ifDesc }, at)
  }

  repeat(identity: Identity, alarmLevel: number, at: number, times = 1): bigint {
    const open = this.#gatheredAlarm(identity)
    if (!open) throw new Error('no such alarm is open')
    open.lastTime = at
    const record = this.#records.findNew(open.id)
    if (record) {
      record.repeats += BigInt(times)
      record.lastTime = at
      record.repeatTrail = addRepeats(record.repeatTrail, at, times)
      open.trail = record.repeatTrail
    } else {
      open.repeats += times
      this.#repeated.add(open)
    }
    if (alarmLevel < open.alarmLevel) {
      open.alarmLevel = alarmLevel
      this.#raiseLevel(open.id, alarmLevel, this.#deviceViews.viewsOf(identity.deviceId))
    }
    return open.id
  }

  /** While an alarm is suppressed, a rise in level is not pushed either. */
  #raiseLevel(id: bigint, alarmLevel: number, views: string): void {
    const before = this.#records.get(id)
    const audience = currentAudience(before)
    const pushed = before.suppressed
      ? before.pushed
      : pushedAgain(before.pushed, alarmLevel, views, audience, this.#tx.now)
    const record = this.#records.change(id, { alarmLevel, pushed }, 'level')
    const detail = `from level ${before.alarmLevel} to ${alarmLevel}`
    this.#records.log('rise', record, { views, audience }, { userName: systemUser, detail })
    if (before.shelvedLevel > 0 && alarmLevel < before.shelvedLevel) {
      this.update.unshelve(id, systemUser, 'it got worse')
    }
  }

  /** Decides the cause of open alarms whose wait for one has expired. */
  async resolveCauses(ids: readonly bigint[]): Promise<void> {
    const records = await this.load(ids)
    await this.#causes.gather(records.map(({ deviceId }) => deviceId ?? 0n))
    for (const { id, deviceId } of records) this.update.resolveCause(id, this.#causes.causeOf(deviceId ?? 0n))
  }

  /** Called for open alarms whose cause has recovered. */
  async endCauses(ids: readonly bigint[]): Promise<void> {
    const records = await this.load(ids)
    await this.#causes.gather(records.map(({ deviceId }) => deviceId ?? 0n))
    for (const { id, deviceId } of records) {
      const until = this.#causes.waitUntil(deviceId ?? 0n)
      if (until > 0) this.update.awaitCause(id, until)
      else this.update.resolveCause(id, this.#causes.causeOf(deviceId ?? 0n))
    }
  }

  /** Ends open alarms with one recovery alarm that lists them. */
  recover(identities: readonly Identity[], recovery: AlarmDraft, userName: string): bigint {
    const id = this.#records.takeId()
    const cleared: Alarm[] = []
    for (const identity of identities) {
      const open = this.#gatheredAlarm(identity)
      if (!open) continue
      const ended = { recStatus: 1, recTime: recovery.at, recUserName: userName, recoveredBy: id }
      const record = this.#records.change(open.id, ended, 'recovery')
      cleared.push(record)
      this.#open.set(identity.key, null)
      this.#causes.end({ id: open.id, deviceId: identity.deviceId, ifIndex: record.ifIndex })
      this.#unavailable.remove(open.id, identity.deviceId)
    }
    this.#addRecovery(id, recovery, userName, cleared)
    return id
  }

  /** An alarm that was never pushed ends without a push. */
  #addRecovery(id: bigint, draft: AlarmDraft, userName: string, cleared: readonly Alarm[]): void {
    const { identity, at } = draft
    const views = this.#deviceViews.viewsOf(identity.deviceId)
    const notified = cleared.reduce((sum, { pushed }) => sum | audienceOf(pushed), 0)
    const audience = cleared.length === 0 ? audiences.all : notified
    const isHidden = audience === audiences.nobody
    const recovery: Alarm = {
      ...newAlarm(draft, id, this.#records.takeEntry()),
      alarmLevel: infoLevel,
      recStatus: 1,
      recTime: at,
      recUserName: userName,
      isReceoverFault: 1,
      recoverFaultIdList: cleared.map((alarm) => alarm.id),
      hidden: isHidden,
      pushed: isHidden ? neverPushed : pushedFirst(infoLevel, views, audience),
    }
    this.#records.add(recovery)
    this.#records.log('recover', recovery, { views, audience, cleared }, undefined, recovery.entry)
  }

  /** The alarm must have been loaded. */
  delete(id: bigint): void {
    const { deviceId } = this.#records.get(id)
    this.#records.delete(id, this.#deviceViews.viewsOf(deviceId ?? 0n))
  }

  get hasLogEntries(): boolean {
    return this.#records.hasLogEntries
  }

  /** Writes everything changed since the last call. */
  async write(): Promise<void> {
    await this.#writeRepeats()
    await this.#records.write()
    await this.#windowHits.write(this.#tx)
  }

  async #writeRepeats(): Promise<void> {
    if (this.#repeated.size === 0) return
    const opens = [...this.#repeated]
    for (const open of opens) open.trail = addRepeats(open.trail, open.lastTime, open.repeats)
    await this.#tx.runEach(
      updateRepeats,
      opens.map(({ repeats, lastTime, trail, id }) => [repeats, lastTime, trail, id]),
    )
    for (const open of opens) open.repeats = 0
    this.#repeated = new Set()
  }
}

const updateRepeats = setColumns(alarms.table, 'repeats = repeats + ?, last_time = ?, repeat_trail = ?', [
  'bigint',
  'bigint',
  'text',
])
