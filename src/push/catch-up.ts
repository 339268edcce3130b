// Streams that are behind the log: each reads by itself, in chunks and in turn with the others, until it has caught up.

import type { Logger } from 'pino'
import { TimeSlicedQueue } from '../pacing/time-slice.ts'
import type { AlarmTexts } from '../resources/alarms/alarm.ts'
import type { Feed } from './feed.ts'
import { gapAlarm } from './gap-alarm.ts'
import { type Gap, gapText, type Positions } from './positions.ts'
import type { Stream } from './stream.ts'
import { encode, encodeGap, type Pushed } from './stream-documents.ts'
import { isRecipient } from './stream-filter.ts'

export interface CatchUpParts {
  readonly feed: Feed
  readonly positions: Positions
  readonly alarmTexts: AlarmTexts
  readonly log: Logger
  readonly clock: () => number
}

/** Bytes that a stream is sent per turn: the more of them catch up, the less each is sent. */
const chunkLimit = { most: 256 * 1024, least: 64 * 1024, together: 8 * 1024 * 1024 }

export class CatchUp {
  readonly #parts: CatchUpParts
  readonly #counts: { delivered: number; gaps: number }
  readonly #turns = new TimeSlicedQueue()
  /** How many streams are catching up. */
  #active = 0

  constructor(parts: CatchUpParts, counts: { delivered: number; gaps: number }) {
    this.#parts = parts
    this.#counts = counts
  }

  /**
   * Reads from the stream's cursor until it has caught up or ended. `onCaughtUp` is called in the same step in which
   * that is found: the head must not move in between, or the stream would miss entries.
   */
  async run(stream: Stream, onCaughtUp: () => void): Promise<void> {
    this.#active += 1
    try {
      for (;;) {
        await stream.room()
        if (stream.state !== 'reading') return
        if (stream.cursor >= this.#parts.feed.head) return onCaughtUp()
        await this.#turns.run(() => this.#sendChunk(stream))
      }
    } finally {
      this.#active -= 1
    }
  }

  async #sendChunk(stream: Stream): Promise<void> {
    const { feed, positions } = this.#parts
    const { most, least, together } = chunkLimit
    const limit = Math.max(least, Math.min(most, together / this.#active))
    const { hole, items } = await feed.after(stream.cursor, limit)
    if (stream.state !== 'reading') return
    if (hole) return this.reportGap(stream, await positions.gapIn(hole))
    const documents: Buffer[] = []
    let size = 0
    let upTo = stream.cursor
    for (const item of items) {
      const { entry } = item
      if (size >= limit) break
      upTo = entry.number
      if (!isRecipient(stream, entry)) continue
      const document = item.as(stream.variant, positions)
      documents.push(document)
      size += document.length
    }
    this.#counts.delivered += documents.length
    if (size === 0) stream.pass(upTo)
    else stream.write(Buffer.concat(documents), upTo)
  }

  /**
   * A client that sent a position gets a document about the gap; any other gets an alarm, which is all it understands.
   */
  async reportGap(stream: Stream, gap: Gap, sentPosition?: string): Promise<void> {
    const { positions, alarmTexts, log, clock } = this.#parts
    const { uuid, variant } = stream
    const { from, to, reason } = gap
    this.#counts.gaps += 1
    log.warn({ uuid, from: String(from), to: String(to) }, `a client missed entries: ${reason}`)
    const document = stream.knowsPositions
      ? encodeGap(
          {
            from: sentPosition ?? positions.of(from),
            to: positions.of(to),
            reason: gap.lost ? gapText(gap) : reason,
          },
          variant,
        )
      : encode(await gapAlarm(gap, alarmTexts, clock()), variant)
    stream.write(document, to)
  }

  /**
   * Sends open alarms to a client that starts without a position. Only the last one carries a position: a client that
   * stops before it must ask again.
   */
  async sendSnapshot(stream: Stream, alarms: AsyncGenerator<Pushed[]>, cursor: bigint): Promise<void> {
    let unsent: Pushed[] = []
    const send = (pushed: readonly Pushed[]) => {
      if (pushed.length === 0) return
      stream.write(pushed.map((alarm) => encode(alarm, stream.variant)).join(''), stream.cursor)
    }
    for (;;) {
      await stream.room()
      if (stream.state !== 'reading') return
      let done = false
      await this.#turns.run(async () => {
        const { value, done: isLast } = await alarms.next()
        done = isLast === true
        if (done || value.length === 0) return
        send(unsent)
        unsent = value
      })
      if (done) break
    }
    const last = unsent.pop()
    if (last) send([...unsent, { ...last, position: this.#parts.positions.of(cursor) }])
  }
}
