// Asks the devices of this node whether their open alarms are still so: regularly, after reports may have been lost, and
// when somebody wants to know. A device is asked after it has just answered whether it is there, one question at a time.

import type { Logger } from 'pino'
import { devicesWithAlarms, lastGap, reportedAlarms } from '../../alarms/open/reported-alarms.ts'
import type { EventCatalog } from '../../events/event-catalog.ts'
import { SerialQueue } from '../../pacing/serial-queue.ts'
import type { Database } from '../../store/database.ts'
import { AskFault } from '../ask-fault.ts'
import type { DeviceSession } from '../device-session.ts'
import { hashOf } from '../reach/slots.ts'
import { type CheckOutcome, knownNames, requestedChecks, writeOutcomes } from './alarm-checks.ts'
import type { CheckRules } from './checks.ts'
import { isAskable, noQuestion, questionAbout } from './questions.ts'
import { oidsOf, Proof, type Reading, runOf, toReading, uptimeOid } from './readings.ts'

export interface VerifierParts {
  readonly database: Database
  readonly log: Logger
  readonly rules: CheckRules
  definitions(): Promise<EventCatalog>
  /** Each device is asked once in so many seconds; 0: on request alone. */
  readonly everySeconds: number
  /** How long after the last report an alarm can be found over, and how long after the first answer that says so. */
  readonly quietSeconds: number
  readonly againSeconds: number
  /** Called with each device whose turn it is. */
  turn(id: bigint, session: DeviceSession): void
}

/** A device that answers. */
interface Known {
  session: DeviceSession
  /** On the monotonic clock. */
  offeredAt: number
  /** When it was last asked about its alarms, on the store's clock; 0: not by this process. */
  verifiedAt: number
}

interface Due {
  /** Whether it is the turn of all its alarms. */
  isRound: boolean
  /** Alarms that somebody wants to know about. */
  readonly wanted: Set<bigint>
}

/** An alarm that a device is to be asked about. */
interface Pending {
  readonly alarmId: bigint
  readonly proof: Proof
  /** On the store's clock. */
  due: number
}

const tick = 1000
const gapEvery = 5000
/** Devices that are asked at the same time. */
const atOnce = 16
/** Alarms of one device that are read, and that it is asked about in one round. */
const maxAlarms = 2000
const budget = 60
const maxRequests = 500
/** A report and a question may be timed by the clocks of two nodes. */
const clockTolerance = 3000
/** A device that has not answered for so long is forgotten. */
const forgetAfter = 3 * 3_600_000

export class Verifier {
  readonly #parts: VerifierParts
  readonly #working = new SerialQueue()
  readonly #known = new Map<bigint, Known>()
  /** Devices whose alarms are to be read. */
  readonly #due = new Map<bigint, Due>()
  readonly #pending = new Map<bigint, Map<bigint, Pending>>()
  readonly #underWay = new Set<bigint>()
  #outcomes: CheckOutcome[] = []
  #gapAt = 0
  #gapReadAt = Number.NEGATIVE_INFINITY
  #round = 0
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(parts: VerifierParts) {
    this.#parts = parts
  }

  start(): void {
    this.#timer = setInterval(() => void this.#working.run(() => this.#tick()), tick)
  }

  /** Questions under way end with their socket. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#timer)
    await this.#working.run(() => this.#writeOutcomes())
  }

  /** A device that has just answered; whether its agent has restarted since it was last asked. */
  offer(id: bigint, session: DeviceSession, hasRestarted: boolean): void {
    const known = this.#known.get(id) ?? { session, offeredAt: 0, verifiedAt: 0 }
    known.session = session
    known.offeredAt = performance.now()
    if (hasRestarted) known.verifiedAt = 0
    this.#known.set(id, known)
  }

  async #tick(): Promise<void> {
    if (this.#isStopped) return
    try {
      await this.#writeOutcomes()
      await this.#findDue()
      await this.#findRequested()
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'alarms to verify could not be read or written: trying again')
    }
    this.#askSome()
  }

  async #findDue(): Promise<void> {
    const { database, everySeconds } = this.#parts
    if (everySeconds === 0) return
    const monotonic = performance.now()
    if (monotonic - this.#gapReadAt >= gapEvery) {
      this.#gapAt = await lastGap(database)
      this.#gapReadAt = monotonic
    }
    const now = database.now()
    const due: bigint[] = []
    for (const [id, known] of this.#known) {
      if (monotonic - known.offeredAt > forgetAfter) this.#known.delete(id)
      else if (this.#isDue(id, known, now)) due.push(id)
    }
    if (due.length === 0) return
    const alarmed = await devicesWithAlarms(database, due)
    for (const id of due) {
      const known = this.#known.get(id)
      if (!known) continue
      known.verifiedAt = now
      this.#parts.turn(id, known.session)
      if (alarmed.has(id)) this.#dueOf(id).isRound = true
    }
  }

  /** Each device has an interval of its own, a tenth shorter or longer: what began together does not stay so. */
  #isDue(id: bigint, { verifiedAt }: Known, now: number): boolean {
    const interval = this.#parts.everySeconds * 1000 * (0.9 + (0.2 * hashOf(`verify ${id}`)) / 2 ** 32)
    // The store's clock may have been set back.
    return verifiedAt < this.#gapAt || now - verifiedAt >= interval || verifiedAt > now
  }

  async #findRequested(): Promise<void> {
    for (const { alarmId, deviceId } of await requestedChecks(this.#parts.database, maxRequests)) {
      const isAsked = this.#pending.get(deviceId)?.has(alarmId) || this.#underWay.has(deviceId)
      if (!this.#known.has(deviceId) || isAsked) continue
      this.#dueOf(deviceId).wanted.add(alarmId)
    }
  }

  #dueOf(id: bigint): Due {
    const due = this.#due.get(id) ?? { isRound: false, wanted: new Set() }
    this.#due.set(id, due)
    return due
  }

  #askSome(): void {
    const now = this.#parts.database.now()
    for (const id of new Set([...this.#due.keys(), ...this.#pending.keys()])) {
      if (this.#underWay.size >= atOnce || this.#isStopped) return
      const hasDue =
        this.#due.has(id) ||
        this.#pending
          .get(id)
          ?.values()
          .some(({ due }) => due <= now)
      if (!hasDue || this.#underWay.has(id)) continue
      this.#underWay.add(id)
      void this.#verify(id).finally(() => this.#underWay.delete(id))
    }
  }

  async #verify(id: bigint): Promise<void> {
    const known = this.#known.get(id)
    const due = this.#due.get(id)
    this.#due.delete(id)
    try {
      if (due && known) await this.#take(id, known, due)
      if (known) await this.#ask(id, known)
      else this.#pending.delete(id)
    } catch (error) {
      this.#pending.delete(id)
      this.#known.delete(id)
      if (error instanceof AskFault)
        for (const alarmId of due?.wanted ?? [])
          this.#record(id, alarmId, { result: 'silent', problem: error.message })
      else
        this.#parts.log.warn(
          { err: error, device: id },
          'the alarms of a device could not be verified: trying again',
        )
    }
  }

  /** Reads the alarms of a device, and takes those that its budget allows: others have their turn in the next round. */
  async #take(id: bigint, { session }: Known, { isRound, wanted }: Due): Promise<void> {
    const { database, rules } = this.#parts
    const parts = { rules, catalog: await this.#parts.definitions() }
    const open = await reportedAlarms(database, id, maxAlarms)
    const askable = open.filter((alarm) => isAskable(parts, alarm))
    const first = askable.filter((alarm) => wanted.has(alarm.id))
    const others = isRound ? askable.filter((alarm) => !wanted.has(alarm.id)) : []
    const start = others.length > budget ? (this.#round++ * budget) % others.length : 0
    const taken = [...first, ...others.slice(start), ...others.slice(0, start)].slice(0, budget)
    const names = await knownNames(
      database,
      taken.map((alarm) => alarm.id),
    )
    const pending = this.#pending.get(id) ?? new Map<bigint, Pending>()
    const sent = { sentAt: database.now(), sentMonotonic: performance.now() }
    const run = taken.length === 0 ? undefined : runOf((await session.get([uptimeOid]))[0], sent)
    for (const alarm of taken) {
      const known = { name: names.get(alarm.id) ?? '', run }
      const subject = await questionAbout(database, parts, id, alarm, known)
      const due = alarm.lastTime + clockTolerance
      if (subject && !pending.has(alarm.id))
        pending.set(alarm.id, { alarmId: alarm.id, proof: new Proof(subject), due })
    }
    if (pending.size > 0) this.#pending.set(id, pending)
    for (const alarmId of wanted)
      if (!pending.has(alarmId)) this.#record(id, alarmId, { result: 'unclear', problem: noQuestion })
  }

  async #ask(id: bigint, known: Known): Promise<void> {
    const pending = this.#pending.get(id)
    for (const one of pending?.values() ?? []) {
      if (this.#isStopped) return
      const sentAt = this.#parts.database.now()
      if (one.due > sentAt) continue
      try {
        const sentMonotonic = performance.now()
        const said = await known.session.get(oidsOf(one.proof.subject))
        const isDone = !this.#conclude(id, one, toReading(one.proof.subject, said, { sentAt, sentMonotonic }))
        if (isDone) pending?.delete(one.alarmId)
      } catch (error) {
        if (!(error instanceof AskFault)) throw error
        for (const { alarmId } of pending?.values() ?? [])
          this.#record(id, alarmId, { result: 'silent', problem: error.message })
        pending?.clear()
        // Until it answers again.
        this.#known.delete(id)
      }
    }
    if (pending?.size === 0) this.#pending.delete(id)
  }

  /** Whether the device is to be asked again. */
  #conclude(id: bigint, one: Pending, reading: Reading): boolean {
    const { quietSeconds, againSeconds } = this.#parts
    const conclusion = one.proof.take(reading)
    if (conclusion) this.#record(id, one.alarmId, { ...conclusion, asked: reading.sentAt })
    const { lastTime } = one.proof.subject
    one.due = Math.max(reading.sentAt + againSeconds * 1000, lastTime + quietSeconds * 1000)
    return conclusion === undefined
  }

  #record(
    deviceId: bigint,
    alarmId: bigint,
    outcome: Partial<CheckOutcome> & Pick<CheckOutcome, 'result'>,
  ): void {
    const asked = this.#parts.database.now()
    this.#outcomes.push({
      asked,
      value: '',
      problem: '',
      name: '',
      firstAsked: 0,
      ...outcome,
      alarmId,
      deviceId,
    })
  }

  async #writeOutcomes(): Promise<void> {
    const outcomes = this.#outcomes
    if (outcomes.length === 0) return
    // Of an alarm the last one counts.
    const last = new Map(outcomes.map((one) => [one.alarmId, one]))
    await this.#parts.database.transaction((tx) => writeOutcomes(tx, [...last.values()]))
    this.#outcomes = this.#outcomes.slice(outcomes.length)
  }
}
