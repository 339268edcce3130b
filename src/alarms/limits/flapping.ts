// Detects flapping alarms and replaces them with one summary alarm. While an alarm flaps, its faults and recoveries are
// counted and not pushed. Once it has been quiet, the summary recovers; if the last trap was a fault, the alarm is raised.

import { serviceEvents } from '../../events/service-events.ts'
import { fromService } from '../../resources/alarms/alarm.ts'
import { oidLength } from '../../schema/scalar.ts'
import type { Database, Transaction } from '../../store/database.ts'
import type { AlarmChanges } from '../engine/alarm-changes.ts'
import { type AlarmDraft, type AlarmToGather, type Identity, systemUser } from '../engine/alarm-draft.ts'
import { shorten } from '../engine/trap-meaning.ts'
import { type CycleChanges, FlapCycles } from './flap-cycles.ts'
import { type Flap, readFlaps, writeFlaps } from './flap-table.ts'

export interface FlapSettings {
  /** Flapping begins after this many cycles within this many seconds; 0: never. */
  readonly count: number
  readonly seconds: number
  /** Flapping ends after this long without a change. */
  readonly rearmSeconds: number
}

/** Beyond this many, flapping alarms are pushed like others. */
const flapLimit = 1000
const { alarmFlapping } = serviceEvents

export class Flapping {
  readonly #database: Database
  readonly #settings: FlapSettings
  readonly #cycles: FlapCycles
  #flaps = new Map<string, Flap>()
  /** A transaction whose commit is not confirmed yet: the next one cannot rely on its changes to the cache. */
  #pending: Transaction | undefined
  #version = -1

  constructor(database: Database, settings: FlapSettings) {
    this.#database = database
    this.#settings = settings
    this.#cycles = new FlapCycles(settings.count, settings.seconds * 1000)
  }

  async gather(tx: Transaction, changes: AlarmChanges): Promise<FlapChanges> {
    const isCurrent = !this.#pending && this.#version === tx.version('flapping')
    if (!isCurrent) {
      this.#flaps = await readFlaps(tx)
    }
    this.#pending = tx
    const cycles = this.#cycles.begin()
    tx.afterCommit(() => {
      cycles.committed()
      this.#pending = undefined
      this.#version = tx.version('flapping')
    }, cycles.undone)
    return new FlapChanges(tx, changes, this.#flaps, cycles, this.#settings)
  }

  /** Whether any flapping alarm is quiet, or its summary was ended by an operator. */
  async hasQuiet(now: number): Promise<boolean> {
    const rearm = this.#settings.rearmSeconds * 1000
    // A time in the future means that the clock has been set back since.
    const rows = await this.#database.all(
      'select summary_id from flapping where changed_at <= ? or changed_at > ? or not exists (select 1 from alarm where id = summary_id and rec_status = 0) limit 1',
      [now - rearm, now + rearm],
    )
    return rows.length > 0
  }
}

/** Flapping inside one transaction. */
export class FlapChanges {
  readonly #tx: Transaction
  readonly #changes: AlarmChanges
  readonly #flaps: Map<string, Flap>
  readonly #cycles: CycleChanges
  readonly #settings: FlapSettings
  readonly #touched = new Set<Flap>()
  readonly #ended = new Map<string, Identity>()

  constructor(
    tx: Transaction,
    changes: AlarmChanges,
    flaps: Map<string, Flap>,
    cycles: CycleChanges,
    settings: FlapSettings,
  ) {
    this.#tx = tx
    this.#changes = changes
    this.#flaps = flaps
    this.#cycles = cycles
    this.#settings = settings
  }

  /** The alarms that may change if this alarm flaps. */
  alarmsToGather(
    { identity, alarmLevel }: Required<Omit<AlarmToGather, 'alarmCategory'>>,
    mayEnd: boolean,
  ): AlarmToGather[] {
    // Called for every trap, and usually nothing flaps.
    if (this.#flaps.size === 0 && !mayEnd && this.#cycles.isEmpty) return []
    const key = identity.key
    const flap = this.#flaps.get(key)
    const summary = summaryOf(identity)
    if (!flap) return mayEnd || this.#cycles.has(key) ? [{ identity: summary, alarmLevel }] : []
    const mostSevere = Math.min(alarmLevel, flap.fault.alarmLevel)
    return [flap.fault, { identity: summary, alarmLevel: mostSevere }]
  }

  /** The alarms that may change when flapping ends. */
  alarmsToEnd(): AlarmToGather[] {
    return Array.from(this.#flaps.values(), ({ fault }) => [
      fault,
      { identity: summaryOf(fault.identity) },
    ]).flat()
  }

  /** Defined if the alarm flaps; `isOpen`: it is currently at fault. */
  find(identity: Identity): { readonly isOpen: boolean } | undefined {
    return this.#flaps.size === 0 ? undefined : this.#flaps.get(identity.key)
  }

  /** Whether the summary was ended by an operator, which ends the flapping. */
  isSummaryGone(identity: Identity): boolean {
    return this.find(identity) !== undefined && !this.#changes.openAlarm(summaryOf(identity))
  }

  /** Counts one raise and recovery. */
  countCycle(identity: Identity, at: number): void {
    if (this.#settings.count > 0) this.#cycles.add(identity.key, at)
  }

  /** Whether a fault at this time makes the alarm flap. */
  startsFlapping(identity: Identity, at: number): boolean {
    if (this.#cycles.isEmpty || !this.#cycles.reachesLimit(identity.key, at)) return false
    return this.#flaps.size < flapLimit && summaryOf(identity).alarmType.length <= oidLength
  }

  /** Drafts the summary alarm. */
  summary(fault: AlarmDraft): AlarmDraft {
    const { count, seconds } = this.#settings
    const where = fault.identity.resource === '' ? '' : ` (${fault.identity.resource})`
    const what = `${fault.eventName} on ${fault.deviceName}${where}`
    const text = `${what} is flapping: it came and went ${count} times within ${seconds} s. At last: ${fault.alarmDesc}`
    return summaryDraft(fault, text, fault.at)
  }

  /** Begins flapping; returns the id of the summary. */
  start(fault: AlarmDraft, summary: AlarmDraft): bigint {
    const { at } = fault
    // A program, or a trap with this OID, may have raised it before.
    const summaryId = this.#changes.openAlarm(summary.identity)
      ? this.#changes.repeat(summary.identity, summary.alarmLevel, at)
      : this.#changes.raise(summary)
    const flap = { summaryId, fault, repeats: 1, lastTime: at, isOpen: true, changedAt: at }
    this.#flaps.set(fault.identity.key, flap)
    this.#cycles.forget(fault.identity.key)
    this.#touched.add(flap)
    return summaryId
  }

  /** A fault of a flapping alarm. Without a recovery in between it is a repeat, not a change. */
  fault(fault: AlarmDraft): bigint {
    const flap = this.#get(fault.identity)
    if (flap.isOpen) {
      flap.repeats += 1
      const alarmLevel = Math.min(flap.fault.alarmLevel, fault.alarmLevel)
      flap.fault = { ...flap.fault, alarmLevel }
    } else {
      flap.fault = fault
      flap.repeats = 1
      flap.isOpen = true
      flap.changedAt = fault.at
    }
    flap.lastTime = fault.at
    return this.#countInSummary(flap, fault.at)
  }

  /** A recovery of a flapping alarm. */
  recovery(identity: Identity, at: number): bigint {
    const flap = this.#get(identity)
    flap.isOpen = false
    flap.changedAt = at
    return this.#countInSummary(flap, at)
  }

  #get(identity: Identity): Flap {
    const flap = this.#flaps.get(identity.key)
    if (!flap) throw new Error('it does not flap')
    return flap
  }

  #countInSummary(flap: Flap, at: number): bigint {
    this.#touched.add(flap)
    const { identity, alarmLevel } = flap.fault
    this.#changes.repeat(summaryOf(identity), alarmLevel, at)
    return flap.summaryId
  }

  /** Ends the flapping of all quiet alarms. */
  endQuiet(): void {
    const rearm = this.#settings.rearmSeconds * 1000
    for (const { changedAt, fault } of [...this.#flaps.values()]) {
      const isQuiet = Math.abs(this.#tx.now - changedAt) >= rearm
      if (isQuiet || this.isSummaryGone(fault.identity)) this.end(fault.identity)
    }
  }

  /** Ends flapping: recovers the summary if it is open, and raises the alarm if it is at fault. */
  end(identity: Identity): void {
    const flap = this.#get(identity)
    const { fault, isOpen, repeats, lastTime } = flap
    const summary = summaryOf(identity)
    if (this.#changes.openAlarm(summary)) {
      const how = isOpen ? 'has stayed' : 'has stayed away'
      const text = `${fault.eventName} on ${fault.deviceName} is no longer flapping: it ${how} for ${this.#settings.rearmSeconds} s`
      this.#changes.recover([summary], summaryDraft(fault, text, this.#tx.now), systemUser)
    }
    this.#flaps.delete(identity.key)
    this.#touched.delete(flap)
    this.#ended.set(identity.key, identity)
    if (!isOpen) return
    let pending = repeats
    if (!this.#changes.openAlarm(identity)) {
      this.#changes.raise(fault)
      pending -= 1
    }
    if (pending > 0) this.#changes.repeat(identity, fault.alarmLevel, lastTime, pending)
  }

  async write(): Promise<void> {
    if (this.#ended.size + this.#touched.size === 0) return
    await writeFlaps(this.#tx, [...this.#ended.values()], [...this.#touched])
  }
}

/** Same device and resource. The alarm type is part of the OID: each flapping type has a summary. */
const summaryOf = (identity: Identity): Identity =>
  identity.ofType(`${alarmFlapping.eventOid}.${identity.alarmType}`)

/** Keeps the OID of the fault: clients that filter by this event must receive the summary. */
const summaryDraft = (fault: AlarmDraft, alarmDesc: string, at: number): AlarmDraft => ({
  ...fault,
  identity: summaryOf(fault.identity),
  eventName: 'alarmFlapping',
  originalType: fromService,
  alarmDesc: shorten(alarmDesc),
  paras: shorten(`alarmType=${fault.identity.alarmType};${fault.paras}`),
  at,
})
