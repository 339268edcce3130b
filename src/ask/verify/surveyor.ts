// Has the devices that this node asks looked at, a few at a time, and writes what was found; the leader raises it.

import type { Logger } from 'pino'
import { SerialQueue } from '../../pacing/serial-queue.ts'
import { AskFault } from '../ask-fault.ts'
import type { DeviceSession } from '../device-session.ts'
import { type Survey, writeSurveys } from './seen-states.ts'
import { type SurveyParts, surveyOf } from './survey.ts'

export interface SurveyorParts extends SurveyParts {
  readonly log: Logger
}

const tick = 1000
/** Devices that are looked at at the same time. */
const atOnce = 16

export class Surveyor {
  readonly #parts: SurveyorParts
  readonly #waiting = new Map<bigint, DeviceSession>()
  readonly #underWay = new Set<bigint>()
  readonly #writing = new SerialQueue()
  readonly #stopping = new AbortController()
  #surveys: Survey[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(parts: SurveyorParts) {
    this.#parts = parts
  }

  start(): void {
    this.#timer = setInterval(() => {
      void this.#writing.run(() => this.#write())
      this.#next()
    }, tick)
  }

  /** Questions under way end with their socket. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    clearInterval(this.#timer)
    await this.#writing.run(() => this.#write())
  }

  /** A device that is to be looked at. */
  add(id: bigint, session: DeviceSession): void {
    this.#waiting.set(id, session)
    this.#next()
  }

  #next(): void {
    for (const [id, session] of this.#waiting) {
      if (this.#underWay.size >= atOnce || this.#stopping.signal.aborted) return
      if (this.#underWay.has(id)) continue
      this.#waiting.delete(id)
      this.#underWay.add(id)
      void this.#survey(id, session).finally(() => {
        this.#underWay.delete(id)
        this.#next()
      })
    }
  }

  async #survey(id: bigint, session: DeviceSession): Promise<void> {
    try {
      const survey = await surveyOf(this.#parts, id, session, this.#stopping.signal)
      if (survey) this.#surveys.push(survey)
    } catch (error) {
      // That it does not answer is told by its reachability.
      if (error instanceof AskFault || this.#stopping.signal.aborted) return
      this.#parts.log.warn(
        { err: error, device: id },
        'the states of a device could not be compared: trying again',
      )
    }
  }

  async #write(): Promise<void> {
    const surveys = this.#surveys
    if (surveys.length === 0) return
    try {
      // Of a device the last one counts.
      const last = new Map(surveys.map((one) => [one.deviceId, one]))
      await this.#parts.database.transaction((tx) => writeSurveys(tx, [...last.values()]))
      this.#surveys = this.#surveys.slice(surveys.length)
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'the states of devices could not be written: trying again')
    }
  }
}
