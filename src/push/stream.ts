// One client's connection: a cursor over the log, and what may be written to it now. Nothing is queued for it: a client
// that does not read is only further behind.

import type { ServerResponse } from 'node:http'
import { sharedVariant, type Variant } from './documents.ts'
import type { Filter } from './filter.ts'
import { Trail } from './trail.ts'

/** Catching up with the log; waiting for entries that concern it; or with a full socket. */
export type State = 'reading' | 'waiting' | 'full' | 'ended'

/** The wall clock is for people; how long something lasts is told by the steady one, which never jumps. */
export interface Moment {
  readonly wall: number
  readonly steady: number
}

interface StreamOptions {
  readonly response: ServerResponse
  readonly filter: Filter
  readonly variant: Variant
  readonly query: string
  /** Absent: lives as long as its connection. */
  readonly uuid?: string | undefined
  readonly owner?: string | undefined
  readonly cursor: bigint
  readonly now: Moment
  /** Whose it is. */
  readonly holder?: string
  /** Whether its client may still have it. */
  readonly holds?: () => boolean
}

export class Stream {
  readonly filter: Filter
  readonly variant: Variant
  readonly query: string
  readonly uuid: string | undefined
  readonly owner: string
  readonly holder: string
  readonly holds: () => boolean
  readonly response: ServerResponse
  readonly began: number
  /** Absent for who cannot come back: nothing is repeated to it, and it lives for months perhaps. */
  readonly #trail: Trail | undefined
  state: State = 'reading'
  /** Everything up to here was written or did not concern it; while it waits, the hub's head counts. */
  cursor: bigint
  lastWrite: number
  /** Since when nothing was written, on the steady clock as all that follows. */
  quietSince: number
  /** The same for documents alone: a lost sign of life is no loss. */
  #lastDocument: number
  /** When it last took something; meaningful while its socket is full. */
  lastTaken: number
  #unwritten = 0
  /** What was saved last, so that only changes are saved. */
  saved = ''

  constructor(options: StreamOptions) {
    const { response, filter, variant, query, uuid, owner, cursor, now } = options
    this.response = response
    this.filter = filter
    this.variant = sharedVariant(variant)
    this.query = query
    this.uuid = uuid
    this.#trail = uuid === undefined ? undefined : new Trail()
    this.owner = owner ?? ''
    this.holder = options.holder ?? ''
    this.holds = options.holds ?? (() => true)
    this.cursor = cursor
    this.began = now.wall
    this.lastWrite = now.wall
    this.quietSince = now.steady
    this.#lastDocument = now.steady
    this.lastTaken = now.steady
  }

  /** Writes documents and moves the cursor to `upTo`; false when the socket is full. */
  write(piece: Buffer | string, upTo: bigint, now: Moment): boolean {
    this.#trail?.wrote(this.cursor, piece.length, now.steady)
    this.cursor = upTo
    this.#lastDocument = now.steady
    return this.#put(piece, now)
  }

  /** Heartbeats and the like: nothing that would be missed. */
  writeAside(piece: string, now: Moment): boolean {
    return this.#put(piece, now)
  }

  #put(piece: Buffer | string, now: Moment): boolean {
    this.lastWrite = now.wall
    this.quietSince = now.steady
    const room = this.response.write(piece)
    if (!room) this.#unwritten = this.response.writableLength
    return room
  }

  /** Resolves when the socket has room again, or is gone. */
  room(): Promise<void> {
    const { response } = this
    return new Promise((resolve) => {
      const done = () => {
        response.off('drain', done)
        response.off('close', done)
        resolve()
      }
      response.on('drain', done)
      response.on('close', done)
    })
  }

  /** Whether a full socket has moved since the last look. */
  notice({ steady }: Moment): void {
    const left = this.response.writableLength
    if (left < this.#unwritten) this.lastTaken = steady
    this.#unwritten = left
  }

  /** Where the next connection of this client starts: before all that may not have arrived. */
  safeCursor(position: bigint, { steady }: Moment): bigint {
    return this.#trail?.safe(position, steady) ?? position
  }

  /** One that its client closed in order, with nothing written for a second and nothing left to write, has got all. */
  closedCleanly({ steady }: Moment): boolean {
    const { socket } = this.response.req
    const isWhole = socket.readableEnded && !socket.errored && socket.writableLength === 0
    return isWhole && steady - this.#lastDocument >= 1000
  }
}
