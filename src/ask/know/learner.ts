// Learns what devices say of themselves: each device of this node that answers is asked for everything at a slow interval,
// a few at a time, and what has changed is written.

import type { Logger } from 'pino'
import { SerialQueue } from '../../pacing/serial-queue.ts'
import type { DeviceFacts } from '../../resources/inventory/device-facts.ts'
import { lastAsked } from '../../resources/inventory/device-facts.ts'
import { learntOf, writeAsked, writeLearnt } from '../../resources/inventory/learnt.ts'
import type { Database } from '../../store/database.ts'
import { AskFault } from '../ask-fault.ts'
import type { DeviceSession } from '../device-session.ts'
import { hashOf } from '../reach/slots.ts'
import { compare } from './compare.ts'
import { askReport } from './device-report.ts'
import { askStationReport, keepStations } from './station-report.ts'

export interface LearnerParts {
  readonly database: Database
  readonly log: Logger
  /** Each device is asked once in so many seconds. */
  readonly everySeconds: number
  /** For how many days the last places of terminals are kept. */
  readonly keepDays: number
}

interface Offered {
  readonly id: bigint
  readonly session: DeviceSession
}

/** Devices that are asked at the same time. */
const atOnce = 8
const tick = 1000
/** Devices that are looked up with one statement. */
const batch = 500

export class Learner {
  readonly #parts: LearnerParts
  readonly #interval: number
  readonly #writing = new SerialQueue()
  /** When each device is due, on the clock of this process. */
  readonly #due = new Map<bigint, number>()
  /** Devices that answered and are not known to this process yet, and those that wait for their turn. */
  readonly #unknown = new Map<bigint, Offered>()
  readonly #waiting = new Map<bigint, Offered>()
  readonly #underWay = new Set<bigint>()
  /** Devices whose agent has restarted since they last said everything: their ports may have other indexes. */
  readonly #restarted = new Set<bigint>()
  #unchanged: DeviceFacts[] = []
  #timer: NodeJS.Timeout | undefined
  #tidiedAt = performance.now()
  #isStopped = false

  constructor(parts: LearnerParts) {
    this.#parts = parts
    this.#interval = parts.everySeconds * 1000
  }

  start(): void {
    this.#timer = setInterval(() => void this.#writing.run(() => this.#tick()), tick)
  }

  /** Questions under way end with their socket. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#timer)
    await this.#writing.run(() => this.#writeUnchanged())
  }

  /** A device that has just answered; whether its agent has restarted since it was last asked. */
  offer(id: bigint, session: DeviceSession, hasRestarted: boolean): void {
    if (hasRestarted) this.#restarted.add(id)
    if (this.#isStopped || this.#waiting.has(id) || this.#underWay.has(id)) return
    const due = this.#due.get(id)
    if (due === undefined) this.#unknown.set(id, { id, session })
    else if (this.#restarted.has(id) || due <= performance.now()) {
      this.#waiting.set(id, { id, session })
      this.#askNext()
    }
  }

  async #tick(): Promise<void> {
    try {
      await this.#lookUp()
      await this.#writeUnchanged()
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'what devices say could not be kept: trying again')
    }
    this.#tidy()
    this.#askNext()
  }

  /** When devices that are new to this process were last asked, by it or by another node. */
  async #lookUp(): Promise<void> {
    while (this.#unknown.size > 0 && !this.#isStopped) {
      const some = [...this.#unknown.values()].slice(0, batch)
      const asked = await lastAsked(
        this.#parts.database,
        some.map(({ id }) => id),
      )
      const now = this.#parts.database.now()
      for (const one of some) {
        this.#unknown.delete(one.id)
        const last = asked.get(one.id)
        const wait = last === undefined ? 0 : Math.max(0, last + this.#intervalOf(one.id) - now)
        this.#due.set(one.id, performance.now() + Math.min(wait, this.#intervalOf(one.id)))
        if (wait === 0) this.#waiting.set(one.id, one)
      }
    }
  }

  /** Each device has its own, a tenth shorter or longer: what began together does not stay so. */
  #intervalOf(id: bigint): number {
    return this.#interval * (0.9 + (0.2 * hashOf(`learn ${id}`)) / 2 ** 32)
  }

  #askNext(): void {
    for (const [id, offered] of this.#waiting) {
      if (this.#underWay.size >= atOnce || this.#isStopped) return
      this.#waiting.delete(id)
      this.#underWay.add(id)
      void this.#learn(offered).finally(() => {
        this.#underWay.delete(id)
        this.#askNext()
      })
    }
  }

  async #learn({ id, session }: Offered): Promise<void> {
    const soon = Math.min(this.#interval / 4, 600_000)
    this.#due.set(id, performance.now() + soon)
    const hadRestarted = this.#restarted.delete(id)
    try {
      const said = await askReport(session)
      const stations = await askStationReport(session, said)
      if (this.#isStopped) return
      const report = { ...said, problem: said.problem || stations.problem }
      const { database } = this.#parts
      const seen = compare(await learntOf(database, id), report, id, database.now())
      if (seen.isNew)
        await database.transaction(async (tx) => {
          const before = await learntOf(tx, id)
          await writeLearnt(tx, before, compare(before, report, id, tx.now))
        })
      else this.#unchanged.push(seen.facts)
      await keepStations(database, id, stations, this.#parts.keepDays)
      this.#due.set(id, performance.now() + this.#intervalOf(id))
    } catch (error) {
      if (hadRestarted) this.#restarted.add(id)
      // That it does not answer is told by its reachability.
      if (error instanceof AskFault) return
      this.#parts.log.warn({ err: error, device: id }, 'what a device says could not be kept: trying again')
    }
  }

  async #writeUnchanged(): Promise<void> {
    const facts = this.#unchanged
    if (facts.length === 0) return
    await this.#parts.database.transaction((tx) => writeAsked(tx, facts))
    this.#unchanged = this.#unchanged.slice(facts.length)
  }

  /** Forgets devices that have not answered for long: they are looked up again when they do. */
  #tidy(): void {
    const now = performance.now()
    if (now - this.#tidiedAt < this.#interval) return
    this.#tidiedAt = now
    for (const [id, due] of this.#due) if (due < now - this.#interval) this.#due.delete(id)
  }
}
