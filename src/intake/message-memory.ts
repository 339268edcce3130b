// What the thread that receives syslog messages remembers of them: the last ones, and the shapes of those that no definition
// knows. Others ask it; see received-messages.ts.

import type { SyslogMeaning } from '../syslog/message-matcher.ts'
import { type MessageShape, MessageShapes, type ShapeName } from '../syslog/message-shapes.ts'
import type { SyslogMessage } from '../syslog/syslog-message.ts'
import type { Datagram } from './datagram-block.ts'
import { effectOf, type KeptMessage, MessageRing, type RingQuery } from './message-ring.ts'

/** Messages as they pass from thread to thread: their bytes, one after the other, are in one block. */
export interface PackedMessages {
  readonly entries: readonly (Omit<KeptMessage, 'bytes'> & { readonly length: number })[]
  readonly block: ArrayBuffer
  /** See RingPage. */
  readonly next: number | undefined
}

export interface CountedShapes {
  readonly shapes: readonly MessageShape[]
  /** Messages that are in none of them, because there were too many. */
  readonly uncounted: number
}

/** What one read takes from the ring at most: the thread has messages to receive. */
const bytesPerRead = 2 ** 20

export class MessageMemory {
  readonly #ring: MessageRing
  readonly #shapes = new MessageShapes()

  constructor(ringBytes: number) {
    this.#ring = new MessageRing(ringBytes)
  }

  note(
    deviceIp: string,
    { receivedAt, bytes }: Datagram,
    message: SyslogMessage,
    meaning: SyslogMeaning | undefined,
  ): void {
    this.#ring.add({ deviceIp, receivedAt, bytes, does: effectOf(meaning) })
    if (!meaning) this.#shapes.add(message, deviceIp, receivedAt)
  }

  mute(shapes: readonly ShapeName[]): void {
    this.#shapes.mute(shapes)
  }

  messages(query: Omit<RingQuery, 'bytes'>): PackedMessages {
    const { messages, next } = this.#ring.read({ ...query, bytes: bytesPerRead })
    const size = messages.reduce((sum, { bytes }) => sum + bytes.length, 0)
    const block = new ArrayBuffer(size)
    const buffer = Buffer.from(block)
    let at = 0
    const entries = messages.map(({ bytes, ...entry }) => {
      at += bytes.copy(buffer, at)
      return { ...entry, length: bytes.length }
    })
    return { entries, block, next }
  }

  shapes(): CountedShapes {
    return { shapes: this.#shapes.list(), uncounted: this.#shapes.uncounted }
  }
}

export function unpackMessages({ entries, block }: PackedMessages): KeptMessage[] {
  const buffer = Buffer.from(block)
  let at = 0
  return entries.map(({ length, ...entry }) => {
    at += length
    return { ...entry, bytes: buffer.subarray(at - length, at) }
  })
}
