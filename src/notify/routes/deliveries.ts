// Sends what is due. Before an attempt begins it is committed that it does; the answer is committed after it. Each channel
// has a lane: its messages leave one after the other, and no lane waits for another.

import type { Logger } from 'pino'
import { readCounter, storeCounter } from '../../store/counter.ts'
import { bulk, type Database, type Row } from '../../store/database.ts'
import type { Message, MessageLink, SendResult } from '../message.ts'
import { AnswerLog } from './answers.ts'
import { attemptTime, type Claimed, Claims } from './claims.ts'
import type { MaintenancePause } from './maintenance-pause.ts'
import { pausedChannels } from './quotas.ts'
import type { RouteIndex } from './route-index.ts'
import type { Directory } from './targets.ts'

/** What sends messages; see src/notify/channels. */
export interface SenderSource {
  /** The message may wait for others before it is sent; `onTurn` is called when it no longer does. */
  send(channelId: bigint, message: Message, signal: AbortSignal, onTurn: () => void): Promise<SendResult>
}

/** What makes links with which people act from a message. */
export interface LinkSource {
  /** `groupId`: the storm or summary that the message is about; 0 where it is about the alarm alone. */
  linksFor(contactId: bigint, alarmId: bigint, groupId: bigint): Promise<readonly MessageLink[]>
}

export interface DeliveryParts {
  /** Refuses changes while this service does not lead. */
  readonly leaderDatabase: Database
  /** Whether this service surely leads at this moment. */
  isLeader(): boolean
  readonly senders: SenderSource
  readonly links: LinkSource
  readonly directory: Directory
  readonly pauses: MaintenancePause
  readRouteIndex(): Promise<RouteIndex>
  readonly log: Logger
  /** Called when messages were given up. */
  onFailure(): Promise<void>
  /** Called when a channel has sent what was claimed. */
  onIdle?(): void
  random?(): number
}

/** Channels that begin at a time. */
const lanesAtOnce = 50
/**
 * Channels of one gateway that are claimed at the same time: one that does not answer must not use up everything. More
 * than the gateway sends at once (senders.ts), so that its connections do not wait for the next claim.
 */
const lanesPerGateway = 16
export class Deliveries {
  readonly #parts: DeliveryParts
  readonly #answers: AnswerLog
  readonly #claims: Claims
  /** The gateway of each channel that is sending. */
  readonly #lanes = new Map<bigint, bigint>()
  readonly #running = new Set<Promise<void>>()
  #abort = new AbortController()
  /** The identity of the store, as it is part of the names of threads. */
  #store = ''
  /** Whether answers could not be stored although this service leads. */
  #lacksAnswers = false

  constructor(parts: DeliveryParts) {
    this.#parts = parts
    this.#answers = new AnswerLog(parts)
    this.#claims = new Claims(parts)
  }

  /** Attempts of an earlier leader that have no answer are repeated at once, with the same ids. */
  async begin(): Promise<void> {
    this.#abort = new AbortController()
    this.#store = ((await readCounter(this.#parts.leaderDatabase, storeCounter)) ?? 0n).toString(36)
    await this.#repeatUnanswered()
  }

  async #repeatUnanswered(): Promise<void> {
    await this.#parts.leaderDatabase.transaction(async (tx) => {
      const rows = await tx.all(
        "select id, channel_id from notification where attempt_open = 1 and outcome = 'pending'",
      )
      const lost = rows.filter((row) => !this.#lanes.has(row.channel_id as bigint))
      await tx.runEach(
        dueNow,
        lost.map((row) => [tx.now, row.id ?? 0n]),
      )
    })
    this.#lacksAnswers = false
  }

  /** Ends attempts under way: another service may lead by now. */
  async end(): Promise<void> {
    this.#abort.abort(new Error('this service no longer leads'))
    await this.idle()
  }

  async idle(): Promise<void> {
    await Promise.all(this.#running)
  }

  /** Starts to send what is due. */
  async run(): Promise<void> {
    const { leaderDatabase, directory } = this.#parts
    if (this.#lacksAnswers) await this.#repeatUnanswered()
    const rows = await leaderDatabase.all(
      'select channel_id, min(due_at) as due_at from notification where due_at is not null and due_at <= ? group by channel_id',
      [leaderDatabase.now()],
    )
    if (rows.length === 0) return
    const { channels } = await directory.people()
    const paused = await pausedChannels(leaderDatabase, leaderDatabase.now())
    const order = rows.filter((row) => !paused.has(row.channel_id as bigint)).toSorted(byDueTime)
    const chosen: bigint[] = []
    for (const row of order) {
      if (chosen.length === lanesAtOnce) break
      const channelId = row.channel_id as bigint
      const gatewayId = channels.get(channelId)?.gatewayId ?? 0n
      if (this.#lanes.has(channelId) || this.#busy(gatewayId) >= lanesPerGateway) continue
      this.#lanes.set(channelId, gatewayId)
      chosen.push(channelId)
    }
    if (chosen.length > 0) await this.#start(chosen)
  }

  #busy(gatewayId: bigint): number {
    let count = 0
    for (const one of this.#lanes.values()) if (one === gatewayId) count += 1
    return count
  }

  async #start(channelIds: readonly bigint[]): Promise<void> {
    let claimed = new Map<bigint, Claimed[]>()
    try {
      claimed = await this.#claims.take(channelIds, this.#store)
    } finally {
      for (const id of channelIds) if (!claimed.has(id)) this.#lanes.delete(id)
    }
    for (const [channelId, lane] of claimed) {
      const running = this.#runLane(channelId, lane).finally(() => {
        this.#lanes.delete(channelId)
        this.#running.delete(running)
      })
      this.#running.add(running)
    }
  }

  /** One after the other; after a failure the rest waits. */
  async #runLane(channelId: bigint, lane: readonly Claimed[]): Promise<void> {
    const { signal } = this.#abort
    const recorded: Promise<void>[] = []
    for (const [index, claimed] of lane.entries()) {
      const result = await this.#send(channelId, claimed, signal)
      if (!result) break
      const isDelayed = result.outcome === 'failed' && result.retry
      const rest = isDelayed ? lane.slice(index + 1) : []
      recorded.push(this.#answers.record({ ...claimed, result, rest }))
      if (isDelayed) break
    }
    // Attempts whose answers cannot be committed are repeated, by whoever leads then.
    const failed = (await Promise.allSettled(recorded)).find((one) => one.status === 'rejected')
    if (failed && this.#parts.isLeader()) {
      this.#lacksAnswers = true
      this.#parts.log.warn({ err: failed.reason }, 'the answer to a notification could not be stored')
    }
    this.#parts.onIdle?.()
  }

  /** Undefined where this service no longer leads: the attempt has no answer then. */
  async #send(channelId: bigint, claimed: Claimed, ended: AbortSignal): Promise<SendResult | undefined> {
    const { isLeader, senders, log } = this.#parts
    const links = claimed.contactId === 0n ? [] : await this.#linksOf(claimed)
    if (!isLeader() || ended.aborted) return undefined
    const deadline = new AbortController()
    let timer: NodeJS.Timeout | undefined
    let mayBegin = true
    // It may have waited for long: its time begins now, and another service may lead by now.
    const onTurn = () => {
      mayBegin = isLeader() && !ended.aborted
      if (mayBegin)
        timer = setTimeout(() => deadline.abort(new DOMException('', 'TimeoutError')), attemptTime)
      else deadline.abort()
    }
    const signal = AbortSignal.any([ended, deadline.signal])
    try {
      const sending = senders.send(channelId, { ...claimed.message, links }, signal, onTurn)
      const result = await withinSignals(sending, ended, deadline.signal)
      return mayBegin ? result : undefined
    } catch (error) {
      if (ended.aborted || !mayBegin) return undefined
      if (signal.aborted) return noAnswer
      log.error({ err: error, channelId: Number(channelId) }, 'a notification could not be sent')
      return { outcome: 'failed', retry: true, reason: 'an error of the service, see its log' }
    } finally {
      clearTimeout(timer)
    }
  }

  /** A message without links is better than none. */
  async #linksOf({ contactId, alarmId, groupId }: Claimed): Promise<readonly MessageLink[]> {
    try {
      return await this.#parts.links.linksFor(contactId, alarmId, groupId)
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'links of a notification could not be made')
      return []
    }
  }
}

const noAnswer: SendResult = {
  outcome: 'failed',
  retry: true,
  reason: 'no answer in 30 seconds',
  mayHaveArrived: true,
}

const byDueTime = (a: Row, b: Row) =>
  Number(a.due_at) - Number(b.due_at) || Number(a.channel_id) - Number(b.channel_id)

const dueNow = bulk('update notification set due_at = ? where id = ?', ['bigint', 'bigint'])

/** How long a sender whose time is over may take to say how far it came, in milliseconds. */
const lastWords = 1000

/** Also where a sender does not heed the signals. */
async function withinSignals<T>(work: Promise<T>, ended: AbortSignal, deadline: AbortSignal): Promise<T> {
  const over = Promise.withResolvers<never>()
  let timer: NodeJS.Timeout | undefined
  const end = () => over.reject(ended.reason)
  const expire = () => {
    timer = setTimeout(() => over.reject(deadline.reason), lastWords)
  }
  ended.addEventListener('abort', end, { once: true })
  deadline.addEventListener('abort', expire, { once: true })
  try {
    return await Promise.race([work, over.promise])
  } finally {
    clearTimeout(timer)
    ended.removeEventListener('abort', end)
    deadline.removeEventListener('abort', expire)
  }
}
