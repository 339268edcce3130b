// Asks the devices of this node, each once per interval, whether they are there, and writes what came of it. A device that
// has just failed is asked again soon; one that stays silent less and less often.

import type { Logger } from 'pino'
import { SerialQueue } from '../../pacing/serial-queue.ts'
import { isBare } from '../../resources/inventory/ask-profile.ts'
import { writeHalfHours } from '../../resources/inventory/reach-days.ts'
import { AskFault } from '../ask-fault.ts'
import type { DeviceSession } from '../device-session.ts'
import { explainSilence } from '../port-probe.ts'
import { lostSecrets, sessionOf } from '../profile-session.ts'
import type { QuestionSocket } from '../question-socket.ts'
import { BareReach } from './bare-reach.ts'
import { DeviceReach, type Result } from './device-reach.ts'
import { type Outcome, ReachMeter } from './reach-meter.ts'
import { type Plan, type PlannedDevice, type PlanParts, ReachPlanner } from './reach-plan.ts'
import { ReachSchedule } from './reach-schedule.ts'
import { type Finding, markUnasked, writeFindings } from './reachability.ts'
import { nextMoment } from './slots.ts'

export interface AskerParts extends PlanParts {
  readonly questions: QuestionSocket
  readonly log: Logger
  /** Whether this node removes what is no longer asked. */
  isLeader(): boolean
  /** Called with each device that has answered. */
  answered?(id: bigint, session: DeviceSession, hasRestarted: boolean): void
}

interface Entry {
  device: PlannedDevice
  readonly reach: DeviceReach
  session: DeviceSession | undefined
  /** Silent rounds, while it is silent. */
  rounds: number
  isGone: boolean
}

const tick = 100
const flushEvery = 1000
const planEvery = 2000
/** Questions under way. */
const atOnce = 4000
/** A device that has failed is asked again after this time, or a quarter of the interval. */
const soon = 15_000
/** A silent device is asked every 2nd, 4th, 8th time. */
const strides = [1, 2, 4, 8] as const
const roundsPerStride = 5
/** Half hours of devices that are written in one transaction. */
const measuredAtOnce = 1000

const uptimeOid = '1.3.6.1.2.1.1.3.0'
/** Some agents lack one of them. */
const oids = [uptimeOid, '1.3.6.1.2.1.1.2.0', '1.3.6.1.2.1.1.5.0']

export class ReachAsker {
  readonly #parts: AskerParts
  readonly #planner: ReachPlanner
  readonly #bare: BareReach
  readonly #interval: number
  readonly #meter: ReachMeter
  readonly #entries = new Map<bigint, Entry>()
  readonly #schedule = new ReachSchedule<Entry>(performance.now())
  readonly #writing = new SerialQueue()
  #ready: Entry[] = []
  #underWay = 0
  #findings = new Map<bigint, Finding>()
  #timers: NodeJS.Timeout[] = []
  #planning: Promise<void> | undefined
  #plannedAt = 0
  #isStopped = false

  constructor(parts: AskerParts) {
    this.#parts = parts
    this.#planner = new ReachPlanner(parts)
    this.#bare = new BareReach(parts.questions)
    this.#interval = parts.everySeconds * 1000
    this.#meter = new ReachMeter(this.#interval)
  }

  start(): void {
    this.#timers = [
      setInterval(() => this.#askDue(), tick),
      setInterval(() => void this.flush(), flushEvery),
      setInterval(() => this.#replan(), planEvery),
    ]
    this.#replan()
  }

  /** Questions under way end with the socket, whose answers nobody needs any more. */
  async stop(): Promise<void> {
    this.#isStopped = true
    for (const timer of this.#timers) clearInterval(timer)
    this.#bare.stop()
    await this.#planning
    this.#meter.dropAll()
    await this.flush()
  }

  /** Writes what has changed. What cannot be written is tried again with the next. */
  flush(): Promise<void> {
    return this.#writing.run(async () => {
      await this.#writeMeasured()
      const findings = this.#findings
      if (findings.size === 0) return
      this.#findings = new Map()
      try {
        await this.#parts.database.transaction((tx) => writeFindings(tx, [...findings.values()]))
      } catch (error) {
        for (const [id, finding] of this.#findings) findings.set(id, merged(findings.get(id), finding))
        this.#findings = findings
        this.#parts.log.warn({ err: error }, 'what devices answered could not be written: trying again')
      }
    })
  }

  async #writeMeasured(): Promise<void> {
    for (let isMore = true; isMore; ) {
      const rows = this.#meter.take(measuredAtOnce)
      isMore = rows.length === measuredAtOnce
      if (rows.length === 0) return
      try {
        await this.#parts.database.transaction((tx) => writeHalfHours(tx, rows))
      } catch (error) {
        this.#meter.putBack(rows)
        this.#parts.log.warn({ err: error }, 'round trips of devices could not be written: trying again')
        return
      }
    }
  }

  #replan(): void {
    this.#planning ??= this.#plan()
      .catch((error) =>
        this.#parts.log.warn({ err: error }, 'devices to ask could not be read: trying again'),
      )
      .finally(() => {
        this.#planning = undefined
      })
  }

  async #plan(): Promise<void> {
    // Before the stored findings are read: a device that comes back to this node must not lose its own.
    await this.flush()
    const plan = await this.#planner.changed()
    this.#plannedAt = performance.now()
    if (!plan || this.#isStopped) return
    this.#follow(plan)
    if (plan.unasked.length > 0 && this.#parts.isLeader())
      await this.#parts.database.transaction((tx) => markUnasked(tx, plan.unasked))
  }

  #follow({ devices, stored }: Plan): void {
    const planned = new Set<bigint>()
    for (const device of devices) {
      planned.add(device.id)
      const known = this.#entries.get(device.id)
      if (known && isSamePlace(known.device, device)) {
        if (known.device.planned.version !== device.planned.version) known.session = undefined
        known.device = device
      } else {
        if (known) known.isGone = true
        this.#add(device, stored)
      }
    }
    for (const [id, entry] of this.#entries) {
      if (planned.has(id)) continue
      entry.isGone = true
      this.#entries.delete(id)
      this.#findings.delete(id)
      this.#meter.drop(id)
    }
  }

  #add(device: PlannedDevice, stored: Plan['stored']): void {
    const { id, range, network, planned } = device
    const place = { deviceId: id, profileId: planned.profile.id, range, network }
    const reach = new DeviceReach(place, stored.get(id))
    const entry: Entry = { device, reach, session: undefined, rounds: 0, isGone: false }
    this.#entries.set(id, entry)
    this.#await(entry)
  }

  /** Schedules the next question. */
  #await(entry: Entry): void {
    const { reach, rounds, device } = entry
    const monotonic = performance.now()
    if (reach.isUncertain) {
      this.#schedule.add(entry, monotonic + Math.min(soon, this.#interval / 4))
      return
    }
    const stride = reach.isSilent
      ? strides[Math.min(Math.floor(rounds / roundsPerStride), strides.length - 1)]
      : 1
    const now = this.#parts.database.now()
    this.#schedule.add(entry, monotonic + nextMoment(device.id, now, this.#interval, stride) - now)
  }

  #askDue(): void {
    this.#ready.push(...this.#schedule.takeDue(performance.now()))
    // While this node cannot see who else is alive, another may ask its devices.
    const { node, leaseSeconds } = this.#parts
    if (node !== undefined && performance.now() - this.#plannedAt > leaseSeconds * 1000 + planEvery) {
      for (const entry of this.#ready) if (!entry.isGone) this.#await(entry)
      this.#ready = []
      return
    }
    const begun = this.#ready.splice(0, Math.max(0, atOnce - this.#underWay))
    for (const entry of begun) if (!entry.isGone) void this.#ask(entry)
  }

  async #ask(entry: Entry): Promise<void> {
    this.#underWay += 1
    try {
      const result = await this.#resultOf(entry)
      if (entry.isGone || this.#isStopped) return
      const now = { time: this.#parts.database.now(), monotonic: performance.now() }
      this.#meter.note(entry.device.id, outcomeOf(result), now.time)
      const finding = entry.reach.note(result, now)
      if (finding) {
        const { deviceId } = finding
        this.#findings.set(deviceId, merged(this.#findings.get(deviceId), finding))
      }
      if (entry.session && !('reason' in result))
        this.#parts.answered?.(entry.device.id, entry.session, finding?.hasRestarted ?? false)
      entry.rounds = entry.reach.isSilent ? entry.rounds + 1 : 0
      this.#await(entry)
    } catch (error) {
      this.#parts.log.error({ err: error }, 'asking a device failed')
      if (!this.#isStopped) this.#await(entry)
    } finally {
      this.#underWay -= 1
    }
  }

  async #resultOf(entry: Entry): Promise<Result> {
    const { device, reach } = entry
    const { credentials, profile } = device.planned
    if (isBare(profile)) return this.#bareResult(device)
    if (!credentials) return { reason: 'secrets', problem: `profile ${profile.name}: ${lostSecrets}` }
    entry.session ??= sessionOf(this.#parts.questions, device.ip, profile, credentials)
    try {
      const [uptime] = await entry.session.get(oids)
      return {
        uptime: uptime?.type === 'TimeTicks' ? Number(uptime.value) : undefined,
        micros: microsOf(entry.session.roundTrip),
      }
    } catch (error) {
      if (!(error instanceof AskFault)) throw error
      const isKnown = error.reason !== 'silent' || !reach.isNearlyDue
      const { reason, message } = isKnown
        ? error
        : await explainSilence(entry.session.device, [error.message])
      return { reason, problem: message }
    }
  }

  /** Such a device does not say since when it runs. */
  async #bareResult({ ip, planned: { profile } }: PlannedDevice): Promise<Result> {
    try {
      return { uptime: undefined, micros: microsOf(await this.#bare.ask(ip, profile)) }
    } catch (error) {
      if (!(error instanceof AskFault)) throw error
      return { reason: error.reason, problem: error.message }
    }
  }
}

const microsOf = (milliseconds: number | undefined) =>
  milliseconds === undefined ? undefined : Math.max(1, Math.round(milliseconds * 1000))

/** A machine that refuses is there: its time is told by its alarm, and its round trip was not measured. */
function outcomeOf(result: Result): Outcome {
  if (!('reason' in result)) return { micros: result.micros }
  return result.reason === 'unsent' || result.reason === 'secrets' ? 'unsent' : 'unanswered'
}

/** A later finding does not take back what an earlier one, not yet written, tells the leader. */
const merged = (earlier: Finding | undefined, later: Finding): Finding => ({
  ...later,
  hasRestarted: later.hasRestarted || (earlier?.hasRestarted ?? false),
  matters: later.matters || (earlier?.matters ?? false),
})

const isSamePlace = (one: PlannedDevice, other: PlannedDevice) =>
  one.ip === other.ip && one.range === other.range && one.planned.profile.id === other.planned.profile.id
