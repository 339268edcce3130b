// The syslog messages that this service has received lately, read for people: which device said what, what the definitions
// make of it, and which shapes nobody has a definition for.

import { TimeSlice } from '../pacing/time-slice.ts'
import { storedMessages } from '../resources/alarms/kept-message.ts'
import type { Database } from '../store/database.ts'
import { MessageMatcher } from '../syslog/message-matcher.ts'
import { readMessage } from '../syslog/message-reader.ts'
import { type MessageShape, MessageShapes } from '../syslog/message-shapes.ts'
import type { OwnDefinitions } from '../syslog/own-definitions.ts'
import { monotonicTime } from './datagram-block.ts'
import { type CountedShapes, type PackedMessages, unpackMessages } from './message-memory.ts'
import { effectOf, type KeptMessage, type MessageEffect } from './message-ring.ts'
import { matcherOf, type TriedDefinition } from './message-trial.ts'
import type { SyslogReceiver } from './syslog-receiver.ts'

/** Which messages are wanted. It goes from node to node as JSON. */
export interface MessageQuery {
  /** Only those about a device with one of these addresses. */
  readonly deviceIps?: readonly string[] | undefined
  /** Looked for in the whole message, without regard to letter case. */
  readonly text?: string | undefined
  /** This severity, or a worse one. */
  readonly severity?: number | undefined
  readonly does?: MessageEffect | undefined
  readonly from?: number | undefined
  readonly until?: number | undefined
  readonly count: number
  /** Only those that this definition knows, and what it makes of them. */
  readonly tried?: TriedDefinition | undefined
}

/** A message with what it means now. */
export interface ReceivedMessage {
  readonly number: number
  readonly receivedTime: number
  readonly deviceIp: string
  readonly facility: number
  readonly severity: number
  readonly host?: string | undefined
  readonly deviceTime?: string | undefined
  readonly program?: string | undefined
  readonly code?: string | undefined
  readonly does: MessageEffect
  /** What the definitions of now make of it, where another one is tried. */
  readonly doesNow?: MessageEffect | undefined
  readonly definition?: string | undefined
  readonly eventName?: string | undefined
  readonly resource?: string | undefined
  readonly text: string
}

export interface FoundMessages {
  /** The newest first. */
  readonly messages: readonly ReceivedMessage[]
  /** False if there may be more. */
  readonly isComplete: boolean
}

/** So many messages are looked through, and so many of these are read, at most. */
const maxExamined = 500_000
const maxRead = 20_000
/** Messages that are asked for at once. */
const perRead = 2000
const maxTextLength = 4000
const maxShapes = 500

type Receiver = Pick<SyslogReceiver, 'messages' | 'shapes'>

export class ReceivedMessages {
  readonly #receiver: Receiver | undefined
  readonly #definitions: OwnDefinitions | undefined
  readonly #clock: () => number

  /** `clock` is the one by which messages are received. */
  constructor(receiver: Receiver | undefined, definitions: OwnDefinitions | undefined, clock: () => number) {
    this.#receiver = receiver
    this.#definitions = definitions
    this.#clock = clock
  }

  async find(query: MessageQuery, isGone: () => boolean = () => false): Promise<FoundMessages> {
    const messages: ReceivedMessage[] = []
    if (!this.#receiver || !this.#definitions) return { messages, isComplete: true }
    await this.#definitions.refresh()
    const search = new MessageSearch(
      query,
      this.#definitions.matcher,
      Math.floor(this.#clock() - monotonicTime()),
    )
    const timeSlice = new TimeSlice()
    let examined = 0
    for (let before: number | undefined; !isGone(); ) {
      const page: PackedMessages = await this.#receiver.messages({
        ...{ deviceIps: query.deviceIps, before, count: perRead },
      })
      for (const kept of unpackMessages(page)) {
        examined += 1
        if (search.isBefore(kept)) return { messages, isComplete: true }
        const found = search.examine(kept)
        if (found && messages.length === query.count) return { messages, isComplete: false }
        if (found) messages.push(found)
        await timeSlice.step()
      }
      before = page.next
      if (before === undefined) return { messages, isComplete: true }
      if (examined >= maxExamined || search.read >= maxRead) break
    }
    return { messages, isComplete: false }
  }

  /** What a definition makes of stored messages: of those that raised, repeated or ended an alarm. */
  async findStored(
    database: Database,
    tried: TriedDefinition,
    count: number,
    isGone: () => boolean,
  ): Promise<FoundMessages> {
    const messages: ReceivedMessage[] = []
    if (!this.#definitions) return { messages, isComplete: true }
    await this.#definitions.refresh()
    const search = new MessageSearch({ tried, count }, this.#definitions.matcher, 0)
    const timeSlice = new TimeSlice()
    for await (const page of storedMessages(database)) {
      if (isGone()) break
      for (const { deviceIp, receivedTime, whole } of page) {
        if (search.read >= maxRead) return { messages, isComplete: false }
        const kept = {
          number: 0,
          receivedAt: receivedTime,
          does: 'unknown',
          bytes: Buffer.from(whole),
        } as const
        const found = search.examine({ ...kept, deviceIp })
        if (found && messages.length === count) return { messages, isComplete: false }
        if (found) messages.push(found)
        await timeSlice.step()
      }
    }
    return { messages, isComplete: true }
  }

  /** By the definitions of now; of a service that receives no messages, by none. */
  async matcher(): Promise<MessageMatcher> {
    await this.#definitions?.refresh()
    return this.#definitions?.matcher ?? new MessageMatcher([])
  }

  /** With times as the clock gives them. */
  async shapes(): Promise<CountedShapes> {
    if (!this.#receiver) return { shapes: [], uncounted: 0 }
    const { shapes, uncounted } = await this.#receiver.shapes()
    const ahead = Math.floor(this.#clock() - monotonicTime())
    const moved = shapes.slice(0, maxShapes).map((shape) => ({
      ...shape,
      firstAt: shape.firstAt + ahead,
      lastAt: shape.lastAt + ahead,
    }))
    const left = shapes.slice(maxShapes).reduce((sum, { count }) => sum + count, 0)
    return { shapes: moved, uncounted: uncounted + left }
  }
}

class MessageSearch {
  readonly #query: MessageQuery
  readonly #matcher: MessageMatcher
  /** How far the clock is ahead of the one in the thread. */
  readonly #ahead: number
  readonly #text: string | undefined
  readonly #tried: MessageMatcher | undefined
  /** How many messages were read. */
  read = 0

  constructor(query: MessageQuery, matcher: MessageMatcher, ahead: number) {
    this.#query = query
    this.#matcher = matcher
    this.#ahead = ahead
    this.#text = query.text?.toLowerCase()
    const { tried } = query
    this.#tried = tried && matcherOf(tried)
  }

  /** Whether it, and all that follow, are older than what is wanted. */
  isBefore({ receivedAt }: KeptMessage): boolean {
    const { from } = this.#query
    return from !== undefined && receivedAt + this.#ahead < from
  }

  /** Undefined if it is not wanted. */
  examine({ number, deviceIp, receivedAt, does, bytes }: KeptMessage): ReceivedMessage | undefined {
    const { until, severity } = this.#query
    const receivedTime = receivedAt + this.#ahead
    if (until !== undefined && receivedTime > until) return undefined
    if (this.#query.does !== undefined && does !== this.#query.does) return undefined
    // Before it is read, which takes much longer.
    if (this.#text !== undefined && !bytes.toString().toLowerCase().includes(this.#text)) return undefined
    this.read += 1
    const message = readMessage(bytes)
    if (severity !== undefined && message.severity > severity) return undefined
    const now = this.#matcher.match(message, deviceIp)
    const meaning = this.#tried ? this.#tried.match(message, deviceIp) : now
    if (this.#tried && !meaning) return undefined
    return {
      ...{ number, receivedTime, deviceIp, facility: message.facility, severity: message.severity },
      ...{ host: message.host, deviceTime: message.time, program: message.program, code: message.code?.name },
      does: effectOf(meaning),
      ...(this.#tried && { doesNow: effectOf(now) }),
      definition: meaning?.definition.name,
      eventName: meaning?.definition.event?.name,
      resource: meaning?.resource === '' ? undefined : meaning?.resource,
      text: message.text.slice(0, maxTextLength).toWellFormed(),
    }
  }
}

/** The shapes of several services together. */
export function mergeShapes(counted: readonly CountedShapes[]): CountedShapes {
  const merged = new MessageShapes(maxShapes * 4)
  for (const { shapes } of counted) for (const shape of shapes) merged.include(shape)
  const uncounted = counted.reduce((sum, one) => sum + one.uncounted, merged.uncounted)
  return { shapes: merged.list() satisfies MessageShape[], uncounted }
}
