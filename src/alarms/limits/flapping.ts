// Alarms that are raised and recovered again and again. After some cycles a summary alarm stands for such an alarm;
// what comes meanwhile is recorded and not pushed, until it has been quiet. Then the summary recovers, and where the
// last thing seen was a fault, the alarm is raised in its current state.

import { serviceEvents } from '../../events/service-events.ts'
import { fromService } from '../../resources/alarms/alarm.ts'
import { oidLength } from '../../schema/scalar.ts'
import { bulk, type Database, type Row, type SqlValue, type Transaction } from '../../store/database.ts'
import type { AlarmChanges } from '../engine/alarm-changes.ts'
import { type AlarmDraft, bySystem, type Identity, identityOf, type Wanted } from '../engine/alarm-draft.ts'
import { shorten } from '../engine/meaning.ts'
import { type CycleChanges, Cycles } from './flap-cycles.ts'

export interface FlapSettings {
  /** This many cycles within this many seconds; 0: never. */
  readonly count: number
  readonly seconds: number
  /** Quiet means this long without a change. */
  readonly rearmSeconds: number
}

/** Further alarms that flap are pushed like others. */
const limit = 1000
const { alarmFlapping } = serviceEvents

interface Flap {
  readonly summaryId: bigint
  /** The last fault that followed a recovery, and how often it came. */
  fault: AlarmDraft
  repeats: number
  lastTime: number
  isOpen: boolean
  changedAt: number
}

export class Flapping {
  readonly #database: Database
  readonly #settings: FlapSettings
  readonly #cycles: Cycles
  #flaps = new Map<string, Flap>()
  /** The transaction whose commit is not confirmed: the next one cannot build on what it changed here. */
  #pending: Transaction | undefined
  #version = -1

  constructor(database: Database, settings: FlapSettings) {
    this.#database = database
    this.#settings = settings
    this.#cycles = new Cycles(settings.count, settings.seconds * 1000)
  }

  async gather(tx: Transaction, changes: AlarmChanges): Promise<FlapChanges> {
    const holds = !this.#pending && this.#version === this.#stored
    if (!holds) {
      const rows = await tx.all(`select ${columns} from flapping`)
      this.#flaps = new Map(rows.map((row) => [identityOf(row).key, flapOf(row)]))
    }
    this.#pending = tx
    const cycles = this.#cycles.begin()
    tx.afterCommit(() => {
      cycles.committed()
      this.#pending = undefined
      this.#version = this.#stored
    })
    return new FlapChanges({ tx, changes, flaps: this.#flaps, cycles }, this.#settings)
  }

  get #stored(): number {
    return this.#database.version('flapping')
  }

  /** Whether some are quiet, or have lost their summary to an operator. */
  async someAreOver(now: number): Promise<boolean> {
    const rearm = this.#settings.rearmSeconds * 1000
    // A time far in the future comes from a clock that has been set back since.
    const rows = await this.#database.all(
      'select summary_id from flapping where changed_at <= ? or changed_at > ? or not exists (select 1 from alarm where id = summary_id and rec_status = 0) limit 1',
      [now - rearm, now + rearm],
    )
    return rows.length > 0
  }
}

interface PartOf {
  readonly tx: Transaction
  readonly changes: AlarmChanges
  readonly flaps: Map<string, Flap>
  readonly cycles: CycleChanges
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

  constructor({ tx, changes, flaps, cycles }: PartOf, settings: FlapSettings) {
    this.#tx = tx
    this.#changes = changes
    this.#flaps = flaps
    this.#cycles = cycles
    this.#settings = settings
  }

  /** The alarms that may change because of flapping when a fault of that level comes. */
  wanted({ identity, alarmLevel }: Required<Omit<Wanted, 'alarmCategory'>>, mayEnd: boolean): Wanted[] {
    // Most of the time nothing flaps, and this is called for every trap.
    if (this.#flaps.size === 0 && !mayEnd && this.#cycles.isEmpty) return []
    const key = identity.key
    const flap = this.#flaps.get(key)
    const summary = summaryOf(identity)
    if (!flap) return mayEnd || this.#cycles.has(key) ? [{ identity: summary, alarmLevel }] : []
    const gravest = Math.min(alarmLevel, flap.fault.alarmLevel)
    return [flap.fault, { identity: summary, alarmLevel: gravest }]
  }

  /** The same for ending all that may be quiet by now. */
  wantedToEnd(): Wanted[] {
    return Array.from(this.#flaps.values(), ({ fault }) => [
      fault,
      { identity: summaryOf(fault.identity) },
    ]).flat()
  }

  /** Whether an alarm flaps, and whether it is at fault. */
  find(identity: Identity): { readonly isOpen: boolean } | undefined {
    return this.#flaps.size === 0 ? undefined : this.#flaps.get(identity.key)
  }

  /** Whether it flaps no longer because its summary was ended by hand. */
  isAbandoned(identity: Identity): boolean {
    return this.find(identity) !== undefined && !this.#changes.openAlarm(summaryOf(identity))
  }

  /** Counts an alarm that has come and gone. */
  recovered(identity: Identity, at: number): void {
    if (this.#settings.count > 0) this.#cycles.add(identity.key, at)
  }

  /** Whether a fault is the one that makes it flap. */
  isDue(identity: Identity, at: number): boolean {
    if (this.#cycles.isEmpty || !this.#cycles.isDue(identity.key, at)) return false
    return this.#flaps.size < limit && summaryOf(identity).alarmType.length <= oidLength
  }

  /** The summary alarm for a fault that makes it flap. */
  summary(fault: AlarmDraft): AlarmDraft {
    const { count, seconds } = this.#settings
    const where = fault.identity.resource === '' ? '' : ` (${fault.identity.resource})`
    const what = `${fault.eventName} on ${fault.deviceName}${where}`
    const text = `${what} is flapping: it came and went ${count} times within ${seconds} s. At last: ${fault.alarmDesc}`
    return summaryDraft(fault, text, fault.at)
  }

  /** Returns the id of the summary. */
  start(fault: AlarmDraft, summary: AlarmDraft): bigint {
    const { at } = fault
    // A program, or a trap with such an OID, may have raised it before.
    const summaryId = this.#changes.openAlarm(summary.identity)
      ? this.#changes.repeat(summary.identity, summary.alarmLevel, at)
      : this.#changes.raise(summary)
    const flap = { summaryId, fault, repeats: 1, lastTime: at, isOpen: true, changedAt: at }
    this.#flaps.set(fault.identity.key, flap)
    this.#cycles.forget(fault.identity.key)
    this.#touched.add(flap)
    return summaryId
  }

  /** A fault of an alarm that flaps. Without a recovery in between it is a repetition and no change. */
  fault(fault: AlarmDraft): bigint {
    const flap = this.#known(fault.identity)
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
    return this.#count(flap, fault.at)
  }

  /** The end of one that flaps. */
  recovery(identity: Identity, at: number): bigint {
    const flap = this.#known(identity)
    flap.isOpen = false
    flap.changedAt = at
    return this.#count(flap, at)
  }

  #known(identity: Identity): Flap {
    const flap = this.#flaps.get(identity.key)
    if (!flap) throw new Error('it does not flap')
    return flap
  }

  #count(flap: Flap, at: number): bigint {
    this.#touched.add(flap)
    const { identity, alarmLevel } = flap.fault
    this.#changes.repeat(summaryOf(identity), alarmLevel, at)
    return flap.summaryId
  }

  /** Ends all that are quiet. */
  endQuiet(): void {
    const rearm = this.#settings.rearmSeconds * 1000
    for (const { changedAt, fault } of [...this.#flaps.values()]) {
      const isQuiet = Math.abs(this.#tx.now - changedAt) >= rearm
      if (isQuiet || this.isAbandoned(fault.identity)) this.end(fault.identity)
    }
  }

  /** The summary recovers where it is open, and the alarm is raised in its current state. */
  end(identity: Identity): void {
    const flap = this.#known(identity)
    const { fault, isOpen, repeats, lastTime } = flap
    const summary = summaryOf(identity)
    if (this.#changes.openAlarm(summary)) {
      const how = isOpen ? 'has stayed' : 'has stayed away'
      const text = `${fault.eventName} on ${fault.deviceName} is no longer flapping: it ${how} for ${this.#settings.rearmSeconds} s`
      this.#changes.recover([summary], summaryDraft(fault, text, this.#tx.now), bySystem)
    }
    this.#flaps.delete(identity.key)
    this.#touched.delete(flap)
    this.#ended.set(identity.key, identity)
    if (!isOpen) return
    let more = repeats
    if (!this.#changes.openAlarm(identity)) {
      this.#changes.raise(fault)
      more -= 1
    }
    if (more > 0) this.#changes.repeat(identity, fault.alarmLevel, lastTime, more)
  }

  async write(): Promise<void> {
    if (this.#ended.size + this.#touched.size === 0) return
    await this.#tx.runEach(
      ended,
      Array.from(this.#ended.values(), ({ deviceId, resource, alarmType }) => [
        deviceId,
        resource,
        alarmType,
      ]),
    )
    await this.#tx.runEach(touched, Array.from(this.#touched, rowOf))
  }
}

const columns = 'device_id, resource, alarm_type, summary_id, changed_at, last_time, repeats, fault, is_open'

const touched = bulk(
  `insert into flapping (${columns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (device_id, resource, alarm_type) do update set summary_id = excluded.summary_id, changed_at = excluded.changed_at, last_time = excluded.last_time, repeats = excluded.repeats, fault = excluded.fault, is_open = excluded.is_open`,
  ['bigint', 'text', 'text', 'bigint', 'bigint', 'bigint', 'bigint', 'text', 'integer'],
)
const ended = bulk('delete from flapping where device_id = ? and resource = ? and alarm_type = ?', [
  'bigint',
  'text',
  'text',
])

function rowOf({ summaryId, fault, repeats, lastTime, isOpen, changedAt }: Flap): SqlValue[] {
  const { identity, ...rest } = fault
  const { deviceId, resource, alarmType } = identity
  const state = [summaryId, changedAt, lastTime, repeats, JSON.stringify(rest, asText), isOpen ? 1 : 0]
  return [deviceId, resource, alarmType, ...state]
}

const asText = (_name: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)

const longs = new Set(['ifIndex', 'trapId'])
const asLong = (name: string, value: unknown) =>
  longs.has(name) && typeof value === 'string' ? BigInt(value) : value

const faultOf = (text: string, identity: Identity): AlarmDraft => ({
  ...JSON.parse(text, asLong),
  identity,
})

const flapOf = (row: Row): Flap => ({
  summaryId: row.summary_id as bigint,
  fault: faultOf(String(row.fault), identityOf(row)),
  repeats: Number(row.repeats),
  lastTime: Number(row.last_time),
  isOpen: Number(row.is_open) === 1,
  changedAt: Number(row.changed_at),
})

/** On the same device and resource; below its own OID, so that of two types that flap there each has a summary. */
const summaryOf = (identity: Identity): Identity =>
  identity.ofType(`${alarmFlapping.eventOid}.${identity.alarmType}`)

/** It keeps the OID of the fault: clients that asked for that event must be informed of its state. */
const summaryDraft = (fault: AlarmDraft, alarmDesc: string, at: number): AlarmDraft => ({
  ...fault,
  identity: summaryOf(fault.identity),
  eventName: 'alarmFlapping',
  originalType: fromService,
  alarmDesc: shorten(alarmDesc),
  paras: shorten(`alarmType=${fault.identity.alarmType};${fault.paras}`),
  at,
})
