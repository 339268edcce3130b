// Sends heartbeats as long as the service is healthy: whoever expects them notices when it is not. The leader sends them;
// what came of them is in the store, so that the next leader goes on.

import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { AlarmChanger } from '../../alarms/engine/engine.ts'
import {
  openServiceAlarms,
  raiseServiceAlarm,
  recoverServiceAlarm,
} from '../../alarms/service/service-alarms.ts'
import type { Keys } from '../../keys/key-ring.ts'
import {
  addressOf,
  noteAttempt,
  type OutgoingHeartbeat,
  readOutgoingHeartbeats,
} from '../../resources/notify/outgoing-heartbeat.ts'
import type { Database } from '../../store/database.ts'
import type { Senders } from '../channels/senders.ts'
import type { Message, SendResult } from '../message.ts'

export interface HeartbeatParts {
  readonly database: Database
  /** Refuses changes while this service does not lead. */
  readonly leaderDatabase: Database
  isLeader(): boolean
  /** Whether `/health` is answered with 200. */
  isHealthy(): boolean
  readonly senders: Pick<Senders, 'sendTo' | 'call'>
  readonly keys: Keys
  readonly alarms: AlarmChanger
  readonly log: Logger
}

const second = 1000
const minute = 60 * second
const checkEvery = second
const watchEvery = 10 * second
const attemptTime = 20 * second
/** One that failed is tried again sooner than the next one would come. */
const longestRetry = minute

/** For how long one may fail before an alarm is raised. */
const patienceWith = ({ everySeconds }: OutgoingHeartbeat) => Math.max(5 * minute, 2 * everySeconds * second)

const resourceOf = ({ name }: OutgoingHeartbeat) => `outgoing heartbeat=${name}`

function isDue({ enabled, attemptTime: last, everySeconds, failingSince }: OutgoingHeartbeat, now: number) {
  const every = everySeconds * second
  const wait = failingSince === 0 ? every : Math.min(every, longestRetry)
  // A clock that was set back must not silence it.
  return enabled === true && (now >= last + wait || now < last)
}

export class HeartbeatSender {
  readonly #parts: HeartbeatParts
  /** Attempts under way, by heartbeat: one that hangs delays no other. */
  readonly #running = new Map<bigint, Promise<void>>()
  readonly #stopping = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #checking: Promise<void> | undefined
  #watchedAt = 0

  constructor(parts: HeartbeatParts) {
    this.#parts = parts
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#checking ??= this.check()
        .catch((error) => {
          if (this.#parts.isLeader()) this.#parts.log.error({ err: error }, 'heartbeats could not be sent')
        })
        .finally(() => {
          this.#checking = undefined
        })
    }, checkEvery)
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#stopping.abort()
    await this.#checking
    await this.idle()
  }

  /** Resolves when none is being sent. */
  async idle(): Promise<void> {
    await Promise.all(this.#running.values())
  }

  /** Begins to send those that are due. */
  async check(): Promise<void> {
    const { database, isLeader, isHealthy } = this.#parts
    if (!isLeader()) return
    const known = await readOutgoingHeartbeats(database)
    const now = database.now()
    if (isHealthy()) {
      for (const one of known) if (isDue(one, now) && !this.#running.has(one.id)) this.#begin(one)
    }
    if (Math.abs(now - this.#watchedAt) < watchEvery) return
    this.#watchedAt = now
    await this.#watch(known, now)
  }

  #begin(one: OutgoingHeartbeat): void {
    const running = this.#send(one)
      .catch((error) => this.#parts.log.warn({ err: error }, 'a heartbeat could not be recorded'))
      .finally(() => this.#running.delete(one.id))
    this.#running.set(one.id, running)
  }

  async #send(one: OutgoingHeartbeat): Promise<void> {
    const { leaderDatabase, isLeader } = this.#parts
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(attemptTime)])
    const result = await this.#attempt(one, signal)
    // Whoever leads next sends it.
    if (this.#stopping.signal.aborted || !isLeader()) return
    const failure = result.outcome === 'failed' ? result.reason : undefined
    await leaderDatabase.transaction((tx) => noteAttempt(tx, one, failure))
  }

  async #attempt(one: OutgoingHeartbeat, signal: AbortSignal): Promise<SendResult> {
    const { senders, keys } = this.#parts
    if (one.gatewayId !== null)
      return senders.sendTo(one.gatewayId, one.address ?? '', messageOf(one), signal)
    const url = await addressOf(keys, one.id)
    if (url === undefined)
      return {
        outcome: 'failed',
        retry: true,
        reason: 'its address cannot be read: it must be entered again',
      }
    return senders.call(url, signal)
  }

  /** Also ends alarms that an earlier run raised. */
  async #watch(known: readonly OutgoingHeartbeat[], now: number): Promise<void> {
    const { database, alarms } = this.#parts
    const open = await openServiceAlarms(database, 'heartbeatUndelivered')
    const failing = known.filter(
      (one) => one.enabled && one.failingSince > 0 && now - one.failingSince >= patienceWith(one),
    )
    for (const one of failing) {
      if (open.has(resourceOf(one))) continue
      const text = `The heartbeat "${one.name}" cannot be delivered: ${one.reason}`
      await raiseServiceAlarm(alarms, 'heartbeatUndelivered', resourceOf(one), text)
    }
    const still = new Set(failing.map(resourceOf))
    for (const resource of open) {
      if (still.has(resource)) continue
      const text = 'The heartbeat is delivered again, or is no longer sent'
      await recoverServiceAlarm(alarms, 'heartbeatUndelivered', resource, text)
    }
  }
}

function messageOf({ name, everySeconds }: OutgoingHeartbeat): Message {
  const id = randomUUID()
  return {
    ...{ alarm: undefined, children: 0, links: [], earlier: undefined },
    ...{ id, incident: id, change: 'heartbeat' },
    title: `Belfry is healthy: heartbeat "${name}"`,
    text: `The next one comes in ${everySeconds} s. If none comes, the service is down, or cannot send mail.`,
  }
}
