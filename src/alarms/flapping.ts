// One alarm that is raised and recovered again and again. After some cycles a summary alarm stands for it; what comes
// meanwhile is noted and not told, until it has been quiet. Then the summary recovers, and where the last thing seen was a
// fault, the alarm is raised as it would be open by now.

import { ownEvents } from '../events/own-events.ts'
import { fromService } from '../resources/alarm.ts'
import { oidLength } from '../schema/scalar.ts'
import type { Database, Row, Transaction } from '../store/database.ts'
import { type AlarmChanges, type AlarmDraft, bySystem, type Identity, keyOf } from './changes.ts'
import { type CyclePart, Cycles } from './cycles.ts'

export interface FlapSettings {
  /** So many cycles within so many seconds; 0: never. */
  readonly count: number
  readonly seconds: number
  /** So long without a change it is quiet. */
  readonly rearmSeconds: number
}

/** More are not collapsed but told. */
const limit = 1000
const { alarmFlapping } = ownEvents

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
  /** The part that is not known to be committed: the next one cannot build on it. */
  #pending: FlapPart | undefined
  #version = -1

  constructor(database: Database, settings: FlapSettings) {
    this.#database = database
    this.#settings = settings
    this.#cycles = new Cycles(settings.count, settings.seconds * 1000)
  }

  async begin(tx: Transaction, changes: AlarmChanges): Promise<FlapPart> {
    // Where others write to the same store, only what this transaction has read holds.
    const holds = this.#database.kind === 'sqlite' && !this.#pending && this.#version === this.#stored
    if (!holds) {
      const rows = await tx.all(`select ${columns} from flapping`)
      this.#flaps = new Map(rows.map((row) => [keyOf(identityOf(row)), flapOf(row)]))
      this.#version = this.#stored
    }
    const part = new FlapPart(
      { tx, changes, flaps: this.#flaps, cycles: this.#cycles.begin() },
      this.#settings,
    )
    this.#pending = part
    return part
  }

  committed(part: FlapPart): void {
    part.cycles.committed()
    // The next one has begun already, and has begun anew.
    if (this.#pending !== part) return
    this.#pending = undefined
    this.#version = this.#stored
  }

  get #stored(): number {
    return this.#database.version('flapping')
  }

  /** Whether some are quiet, or have lost their summary to an operator. */
  async someAreOver(now: number): Promise<boolean> {
    const rearm = this.#settings.rearmSeconds * 1000
    // A time far ahead is of a clock that has been set back since.
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
  readonly cycles: CyclePart
}

/** Flapping inside one transaction. */
export class FlapPart {
  readonly cycles: CyclePart
  readonly #tx: Transaction
  readonly #changes: AlarmChanges
  readonly #flaps: Map<string, Flap>
  readonly #settings: FlapSettings
  readonly #touched = new Set<Flap>()

  constructor({ tx, changes, flaps, cycles }: PartOf, settings: FlapSettings) {
    this.cycles = cycles
    this.#tx = tx
    this.#changes = changes
    this.#flaps = flaps
    this.#settings = settings
  }

  /** Whether an alarm flaps, and how it stands; one whose summary was ended by hand flaps no longer. */
  async find(identity: Identity): Promise<{ readonly isOpen: boolean } | undefined> {
    if (this.#flaps.size === 0) return undefined
    const flap = this.#flaps.get(keyOf(identity))
    if (!flap || (await this.#changes.openAlarm(summaryOf(identity)))) return flap
    await this.#end(flap)
    return undefined
  }

  /** Counts an alarm that has come and gone. */
  recovered(identity: Identity, at: number): void {
    if (this.#settings.count > 0) this.cycles.add(keyOf(identity), at)
  }

  /** Whether a fault is one too many. */
  isDue(identity: Identity, at: number): boolean {
    if (this.cycles.isEmpty || !this.cycles.isDue(keyOf(identity), at)) return false
    return this.#flaps.size < limit && summaryOf(identity).alarmType.length <= oidLength
  }

  /** The alarm that is to stand for a fault which is one too many. */
  summary(fault: AlarmDraft): AlarmDraft {
    const { count, seconds } = this.#settings
    const where = fault.identity.resource === '' ? '' : ` (${fault.identity.resource})`
    const what = `${fault.eventName} on ${fault.deviceName}${where}`
    const text = `${what} is flapping: it came and went ${count} times within ${seconds} s. At last: ${fault.alarmDesc}`
    return told(fault, text, fault.at)
  }

  /** Answers the id of the summary. */
  async start(fault: AlarmDraft, summary: AlarmDraft): Promise<bigint> {
    const { at } = fault
    // A program, or a trap with such an OID, may have raised it before.
    const isThere = await this.#changes.openAlarm(summary.identity)
    const summaryId = isThere
      ? await this.#changes.repeat(summary.identity, summary.alarmLevel, at)
      : await this.#changes.raise(summary)
    const flap = { summaryId, fault, repeats: 1, lastTime: at, isOpen: true, changedAt: at }
    this.#flaps.set(keyOf(fault.identity), flap)
    this.cycles.forget(keyOf(fault.identity))
    this.#touched.add(flap)
    return summaryId
  }

  /** A fault of one that flaps. Again without a recovery between, it is a repetition and no change. */
  async fault(fault: AlarmDraft): Promise<bigint> {
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
  async recovery(identity: Identity, at: number): Promise<bigint> {
    const flap = this.#known(identity)
    flap.isOpen = false
    flap.changedAt = at
    return this.#count(flap, at)
  }

  #known(identity: Identity): Flap {
    const flap = this.#flaps.get(keyOf(identity))
    if (!flap) throw new Error('it does not flap')
    return flap
  }

  async #count(flap: Flap, at: number): Promise<bigint> {
    this.#touched.add(flap)
    const { identity, alarmLevel } = flap.fault
    await this.#changes.repeat(summaryOf(identity), alarmLevel, at)
    return flap.summaryId
  }

  /** Ends all that are quiet. */
  async endQuiet(): Promise<void> {
    const rearm = this.#settings.rearmSeconds * 1000
    for (const flap of [...this.#flaps.values()]) {
      const isQuiet = Math.abs(this.#tx.now - flap.changedAt) >= rearm
      if (isQuiet || !(await this.#changes.openAlarm(summaryOf(flap.fault.identity)))) await this.#end(flap)
    }
  }

  async #end(flap: Flap): Promise<void> {
    const { fault, isOpen, repeats, lastTime } = flap
    const { identity } = fault
    const summary = summaryOf(identity)
    if (await this.#changes.openAlarm(summary)) {
      const how = isOpen ? 'has stayed' : 'has stayed away'
      const text = `${fault.eventName} on ${fault.deviceName} is no longer flapping: it ${how} for ${this.#settings.rearmSeconds} s`
      await this.#changes.recover([summary], told(fault, text, this.#tx.now), bySystem)
    }
    this.#flaps.delete(keyOf(identity))
    this.#touched.delete(flap)
    await this.#tx.run('delete from flapping where device_id = ? and resource = ? and alarm_type = ?', [
      identity.deviceId,
      identity.resource,
      identity.alarmType,
    ])
    if (!isOpen) return
    let more = repeats
    if (!(await this.#changes.openAlarm(identity))) {
      await this.#changes.raise(fault)
      more -= 1
    }
    if (more > 0) await this.#changes.repeat(identity, fault.alarmLevel, lastTime, more)
  }

  /** Writes what was gathered. */
  async finish(): Promise<void> {
    for (const { summaryId, fault, repeats, lastTime, isOpen, changedAt } of this.#touched) {
      const { identity, ...rest } = fault
      const { deviceId, resource, alarmType } = identity
      await this.#tx.run(
        `insert into flapping (${columns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (device_id, resource, alarm_type) do update set summary_id = excluded.summary_id, changed_at = excluded.changed_at, last_time = excluded.last_time, repeats = excluded.repeats, fault = excluded.fault, is_open = excluded.is_open`,
        [
          deviceId,
          resource,
          alarmType,
          summaryId,
          changedAt,
          lastTime,
          repeats,
          JSON.stringify(rest),
          isOpen ? 1 : 0,
        ],
      )
    }
  }
}

const columns = 'device_id, resource, alarm_type, summary_id, changed_at, last_time, repeats, fault, is_open'

const identityOf = (row: Row): Identity => ({
  deviceId: row.device_id as bigint,
  resource: String(row.resource),
  alarmType: String(row.alarm_type),
})

const flapOf = (row: Row): Flap => ({
  summaryId: row.summary_id as bigint,
  fault: { ...JSON.parse(String(row.fault)), identity: identityOf(row) },
  repeats: Number(row.repeats),
  lastTime: Number(row.last_time),
  isOpen: Number(row.is_open) === 1,
  changedAt: Number(row.changed_at),
})

/** On the same device and resource; below its own OID, so that of two types that flap there each has a summary. */
const summaryOf = ({ deviceId, resource, alarmType }: Identity): Identity => ({
  deviceId,
  resource,
  alarmType: `${alarmFlapping.eventOid}.${alarmType}`,
})

const textLimit = 10_000
const shorten = (text: string) =>
  text.length > textLimit ? `${text.slice(0, textLimit - 1).toWellFormed()}…` : text

/** It keeps the OID of the fault: clients that asked for that event must learn how it stands. */
const told = (fault: AlarmDraft, alarmDesc: string, at: number): AlarmDraft => ({
  ...fault,
  identity: summaryOf(fault.identity),
  eventName: 'alarmFlapping',
  originalType: fromService,
  alarmDesc: shorten(alarmDesc),
  paras: shorten(`alarmType=${fault.identity.alarmType};${fault.paras}`),
  at,
})
