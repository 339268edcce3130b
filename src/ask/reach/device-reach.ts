// What is known of one device that is asked again and again: whether it answers, and since when its agent runs.

import type { AskReason } from '../ask-fault.ts'
import type { Finding, StoredFinding } from './reachability.ts'

/** A device is out of reach after so many questions in a row without an answer, and back after so many answers. */
export const decidingFailures = 3
const decidingAnswers = 2
/** Of a device that answers, the row is written again after this time. */
const checkpoint = 10 * 60_000
const maxProblemLength = 500

export type Reason = AskReason | 'secrets'

export type Result =
  /** `uptime` in hundredths of a second, the round trip in microseconds where it was measured. */
  | { readonly uptime: number | undefined; readonly micros?: number | undefined }
  | { readonly reason: Reason; readonly problem: string }

/** Two clocks: the store's, which may jump, and that of this process. */
export interface Now {
  readonly time: number
  readonly monotonic: number
}

export type DevicePlace = Pick<Finding, 'deviceId' | 'profileId' | 'range' | 'network'>

const fresh = {
  ...{ reason: '', failures: 0, failingSince: 0, answered: false },
  ...{ lastAnswer: 0, agentStart: 0, uptime: -1, restartTime: 0, roundTrip: 0 },
}

export class DeviceReach {
  readonly #place: DevicePlace
  #known: Omit<StoredFinding, 'deviceId' | 'profileId'>
  #problem = ''
  /** Answers in a row since it last failed. */
  #answers = 0
  /** When it last answered this process. */
  #answeredAt: number | undefined
  #written: string
  #writtenAt = 0

  constructor(place: DevicePlace, stored: Omit<StoredFinding, 'deviceId'> | undefined) {
    this.#place = place
    this.#known = stored ?? fresh
    // Of another profile: written with the first result.
    this.#written = stored?.profileId === place.profileId ? this.#key() : ''
  }

  /** Whether the next failure decides, so that it is worth finding out more about it. */
  get isNearlyDue(): boolean {
    return this.#known.failures >= decidingFailures - 1
  }

  /** Whether its next answer or failure is needed soon. */
  get isUncertain(): boolean {
    const { failures, answered } = this.#known
    return answered && failures > 0 && (failures < decidingFailures || this.#answers > 0)
  }

  /** Whether it does not answer, and should be asked less often. */
  get isSilent(): boolean {
    return this.#known.failures >= decidingFailures
  }

  /** Returns what has to be written; undefined where nothing has changed. */
  note(result: Result, now: Now): Finding | undefined {
    const before = this.#known
    const hasRestarted = 'reason' in result ? this.#fail(result, now) : this.#answer(result, now)
    const isBack = before.failures >= decidingFailures && this.#known.failures === 0
    const isNews = this.#key() !== this.#written || hasRestarted
    if (!isNews && (this.#known.failures > 0 || now.time - this.#writtenAt < checkpoint)) return undefined
    this.#written = this.#key()
    this.#writtenAt = now.time
    const matters = hasRestarted || isBack || (this.isSilent && this.#known.answered)
    return { ...this.#place, ...this.#known, problem: this.#problem, hasRestarted, matters }
  }

  #fail({ reason, problem }: Extract<Result, { reason: Reason }>, { time }: Now): boolean {
    this.#problem = problem.slice(0, maxProblemLength).toWellFormed()
    // What could not be sent says nothing about the device.
    const isItsFault = reason !== 'unsent' && reason !== 'secrets'
    const { failures, failingSince } = this.#known
    this.#known = {
      ...this.#known,
      reason,
      failures: isItsFault ? Math.min(failures + 1, decidingFailures) : failures,
      failingSince: isItsFault && failures === 0 ? time : failingSince,
    }
    if (isItsFault) this.#answers = 0
    return false
  }

  /** Whether its agent has restarted since the last answer. */
  #answer({ uptime, micros }: Extract<Result, { uptime: unknown }>, now: Now): boolean {
    const known = this.#known
    this.#answers += 1
    const isBack = known.failures === 0 || this.#answers >= decidingAnswers
    const hasRestarted = uptime !== undefined && this.#hasRestarted(uptime, now)
    const agentStart = uptime === undefined ? known.agentStart : now.time - uptime * 10
    this.#known = {
      answered: true,
      reason: isBack ? '' : known.reason,
      failures: isBack ? 0 : known.failures,
      failingSince: isBack ? 0 : known.failingSince,
      lastAnswer: now.time,
      agentStart,
      uptime: uptime ?? -1,
      restartTime: hasRestarted ? agentStart : known.restartTime,
      roundTrip: micros ?? known.roundTrip,
    }
    if (isBack) {
      this.#answers = 0
      this.#problem = ''
    }
    this.#answeredAt = now.monotonic
    return hasRestarted
  }

  #hasRestarted(uptime: number, { time, monotonic }: Now): boolean {
    const { uptime: before, lastAnswer } = this.#known
    if (before < 0) return false
    const elapsed =
      this.#answeredAt === undefined ? Math.max(0, time - lastAnswer) : monotonic - this.#answeredAt
    const expected = before + elapsed / 10
    // It counts to 2^32, which takes 497 days.
    if (expected >= counterEnd - wrapTolerance && uptime < expected - counterEnd + wrapTolerance) return false
    if (uptime < before) return true
    // The store's clock may have jumped; that of this process has not.
    return this.#answeredAt !== undefined && uptime < expected - (minute / 2 + (expected - before) / 20)
  }

  #key(): string {
    const { reason, failures, answered } = this.#known
    return `${reason} ${failures} ${answered}`
  }
}

/** In hundredths of a second. */
const minute = 6000
const counterEnd = 2 ** 32
const wrapTolerance = 10 * minute
