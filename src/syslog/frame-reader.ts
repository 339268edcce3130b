// Cuts a stream into messages (RFC 6587). Senders count octets or end each message with a line feed, and some do both on one
// connection: what a message begins with says which it is.

import { maxMessageLength } from './message-reader.ts'

export interface Frame {
  readonly bytes: Buffer
  /** The message was longer than the limit; this is its beginning. */
  readonly isCut: boolean
}

/** The most digits of a count: 9,999,999 octets. */
const maxDigits = 7
const lineFeed = 10
const carriageReturn = 13
const zero = 48
const nine = 57
const space = 32
const bracket = 60

type State =
  | { readonly kind: 'start' }
  /** So many octets of the message are still to come. */
  | { readonly kind: 'counted'; left: number }
  | { readonly kind: 'line' }

export class FrameReader {
  readonly #limit: number
  #state: State = { kind: 'start' }
  /** The message so far, up to the limit. It grows by doubling, so that single octets do not cost a copy each. */
  #kept = Buffer.alloc(1024)
  #length = 0
  #isCut = false

  constructor(limit = maxMessageLength) {
    this.#limit = limit
  }

  /** The messages that end in this chunk. Takes time in proportion to the chunk. */
  read(chunk: Uint8Array): Frame[] {
    const frames: Frame[] = []
    let at = 0
    while (at < chunk.length) {
      if (this.#state.kind === 'start') at = this.#begin(chunk, at)
      else if (this.#state.kind === 'counted') at = this.#readCounted(chunk, at, this.#state, frames)
      else at = this.#readLine(chunk, at, frames)
    }
    return frames
  }

  /** The octets of a message that has not ended yet. */
  get unfinished(): number {
    return this.#length
  }

  /** Ends the message that has begun; undefined if the last one was complete. What follows is the next message. */
  end(): Frame | undefined {
    const frames: Frame[] = []
    if (this.#length > 0) this.#finish(frames)
    return frames[0]
  }

  /** Collects the first octets until they say how the message is framed. */
  #begin(chunk: Uint8Array, start: number): number {
    let at = start
    for (; at < chunk.length; at += 1) {
      const octet = chunk[at] as number
      // Line feeds between messages: some senders count octets and append one as well.
      if (this.#length === 0 && (octet === lineFeed || octet === carriageReturn || octet === 0)) continue
      const isDigit = octet >= zero && octet <= nine
      const mayCount = this.#length < maxDigits && (this.#length > 0 || octet !== zero)
      if (isDigit && mayCount && !this.#endsWithSpace()) {
        this.#keep(chunk.subarray(at, at + 1))
      } else if (octet === space && this.#length > 0 && !this.#endsWithSpace()) {
        this.#keep(chunk.subarray(at, at + 1))
      } else {
        // A count is followed by a priority; a line may begin with a number too.
        const isCounted = octet === bracket && this.#endsWithSpace()
        if (isCounted) {
          this.#state = { kind: 'counted', left: Number(this.#kept.toString('latin1', 0, this.#length - 1)) }
          this.#length = 0
        } else this.#state = { kind: 'line' }
        return at
      }
    }
    return at
  }

  #endsWithSpace(): boolean {
    return this.#length > 0 && this.#kept[this.#length - 1] === space
  }

  #readCounted(chunk: Uint8Array, at: number, state: { left: number }, frames: Frame[]): number {
    const end = Math.min(chunk.length, at + state.left)
    this.#keep(chunk.subarray(at, end))
    state.left -= end - at
    if (state.left === 0) this.#finish(frames)
    return end
  }

  #readLine(chunk: Uint8Array, at: number, frames: Frame[]): number {
    const found = chunk.indexOf(lineFeed, at)
    const end = found < 0 ? chunk.length : found
    this.#keep(chunk.subarray(at, end))
    if (found < 0) return end
    this.#finish(frames)
    return end + 1
  }

  #keep(octets: Uint8Array): void {
    const room = this.#limit - this.#length
    const taken = octets.length > room ? octets.subarray(0, room) : octets
    if (taken.length < octets.length) this.#isCut = true
    if (this.#length + taken.length > this.#kept.length) {
      const size = Math.max(this.#kept.length * 2, this.#length + taken.length)
      const larger = Buffer.alloc(Math.min(this.#limit, size))
      this.#kept.copy(larger, 0, 0, this.#length)
      this.#kept = larger
    }
    this.#kept.set(taken, this.#length)
    this.#length += taken.length
  }

  #finish(frames: Frame[]): void {
    frames.push({ bytes: Buffer.from(this.#kept.subarray(0, this.#length)), isCut: this.#isCut })
    this.#state = { kind: 'start' }
    this.#length = 0
    this.#isCut = false
    // A long message must not keep its memory for as long as the connection lasts.
    if (this.#kept.length > 8192) this.#kept = Buffer.alloc(1024)
  }
}
