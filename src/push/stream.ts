// A client's stream: a cursor over the log, and an outlet. Nothing is queued for it: a client that does not read falls
// behind. State and cursor are changed nowhere else.

import { DeliveryWindow } from './delivery-window.ts'
import type { Outlet } from './outlet.ts'
import type { Progress } from './registrations.ts'
import type { Variant } from './stream-documents.ts'
import type { Filter } from './stream-filter.ts'

/**
 * `reading`: catching up with the log. `waiting`: has caught up, and is sent new entries. `full`: its outlet has no
 * room; when it has, the stream is reading. `ended`: for good.
 */
export type State = 'reading' | 'waiting' | 'full' | 'ended'

/** The wall clock is for display; durations are measured by the monotonic clock, which never jumps. */
export interface Moment {
  readonly wall: number
  readonly monotonic: number
}

/** The owner of streams. */
export interface StreamOwner {
  /** The number of the last entry that was offered to waiting streams. */
  readonly head: bigint
  now(): Moment
  /** Called once when a stream has ended. */
  ended(stream: Stream): void
}

export interface StreamOptions {
  readonly outlet: Outlet
  readonly filter: Filter
  readonly variant: Variant
  /** The filter's parameters, as a query string. */
  readonly query: string
  /** Absent where the registration ends with the connection. */
  readonly uuid?: string | undefined
  /** Identifies the connection, which owns the uuid until a newer one does. */
  readonly owner?: string | undefined
  /** The operator who owns it. */
  readonly holder: string
  /** Whether its client sent a position, and so understands them. */
  readonly knowsPositions: boolean
  /** It was not sent alarms that were pushed before this time. */
  readonly sentFrom: number
  readonly cursor: bigint
  /** Whether its client still has access. */
  readonly hasPermission: () => boolean
}

export class Stream {
  readonly filter: Filter
  readonly variant: Variant
  readonly query: string
  readonly uuid: string | undefined
  readonly owner: string
  readonly holder: string
  readonly knowsPositions: boolean
  readonly sentFrom: number
  readonly hasPermission: () => boolean
  readonly began: number
  readonly #owner: StreamOwner
  readonly #outlet: Outlet
  /** Absent for a client that cannot resume: nothing is repeated to it, and it may stay connected for months. */
  readonly #window: DeliveryWindow | undefined
  #state: State = 'reading'
  #cursor: bigint
  #lastWrite: number
  /** When something was last written, on the monotonic clock, like the times below. */
  #quietSince: number
  /** When a document was last written: a lost heartbeat is no loss. */
  #lastDocument: number
  /** When a full outlet last passed something on, and how many bytes were pending then. */
  #lastDrained = 0
  #pending = 0
  #awaitingRoom: (() => void) | undefined
  #saved = ''

  constructor(owner: StreamOwner, options: StreamOptions) {
    const { outlet, uuid, cursor } = options
    this.filter = options.filter
    this.variant = options.variant
    this.query = options.query
    this.uuid = uuid
    this.owner = options.owner ?? ''
    this.holder = options.holder
    this.knowsPositions = options.knowsPositions
    this.sentFrom = options.sentFrom
    this.hasPermission = options.hasPermission
    this.#owner = owner
    this.#outlet = outlet
    this.#window = uuid === undefined ? undefined : new DeliveryWindow()
    this.#cursor = cursor
    const { wall, monotonic } = owner.now()
    this.began = wall
    this.#lastWrite = wall
    this.#quietSince = monotonic
    this.#lastDocument = monotonic
  }

  get state(): State {
    return this.#state
  }

  /** All entries up to this one were written or do not match; not updated for entries that pass while it waits. */
  get cursor(): bigint {
    return this.#cursor
  }

  /** When something was last written, on the wall clock. */
  get lastWrite(): number {
    return this.#lastWrite
  }

  /** Bytes that its client has not read yet. */
  get pending(): number {
    return this.#outlet.pending
  }

  /** The last entry it has handled. */
  get position(): bigint {
    const { head } = this.#owner
    return this.#state === 'waiting' && head > this.#cursor ? head : this.#cursor
  }

  /** Listens to its outlet from now on. */
  begin(): void {
    this.#outlet.watch({ room: () => this.#hasRoom(), gone: () => this.#close() })
    // The outlet may have closed while the stream's start was looked up.
    if (this.#outlet.isGone) this.#close()
  }

  // Writing -----------------------------------------------------------------------------------------------------

  /** Writes documents and moves the cursor after them. Afterwards the stream may be full. */
  write(piece: Buffer | string, upTo: bigint): void {
    if (this.#state === 'ended') return
    const { monotonic } = this.#owner.now()
    this.#window?.noteWrite(this.#cursor, piece.length, monotonic)
    this.#cursor = upTo
    this.#lastDocument = monotonic
    this.#put(piece)
  }

  /** The same for a waiting stream: no entry since its last document matched. */
  writeNew(piece: Buffer, upTo: bigint): void {
    this.#cursor = this.position
    this.write(piece, upTo)
  }

  /** Writes heartbeats and the like, which nobody would miss. */
  writeOutOfBand(piece: string): void {
    this.#put(piece)
  }

  #put(piece: Buffer | string): void {
    if (this.#state === 'ended') return
    const { wall, monotonic } = this.#owner.now()
    this.#lastWrite = wall
    this.#quietSince = monotonic
    if (this.#outlet.write(piece) || this.#isEnded) return
    this.#state = 'full'
    this.#lastDrained = monotonic
    this.#pending = this.#outlet.pending
  }

  /** A getter, because the outlet may end during a write, which the type checker cannot know. */
  get #isEnded(): boolean {
    return this.#state === 'ended'
  }

  /** Resolves when there is room, or the stream has ended. */
  async room(): Promise<void> {
    if (this.#state !== 'full') return
    await new Promise<void>((resolve) => {
      this.#awaitingRoom = resolve
    })
  }

  #hasRoom(): void {
    if (this.#state === 'full') this.#state = 'reading'
    this.#awaitingRoom?.()
    this.#awaitingRoom = undefined
  }

  // Moving ------------------------------------------------------------------------------------------------------

  /** Skips entries that do not match. */
  pass(upTo: bigint): void {
    this.#cursor = upTo
  }

  /** Called when it has caught up. */
  wait(): void {
    if (this.#state === 'reading') this.#state = 'waiting'
  }

  /** Makes a waiting stream read by itself again. */
  leave(): void {
    if (this.#state !== 'waiting') return
    this.#cursor = this.position
    this.#state = 'reading'
  }

  // Over time ---------------------------------------------------------------------------------------------------

  /** Milliseconds since something was written. */
  quietFor({ monotonic }: Moment): number {
    return monotonic - this.#quietSince
  }

  /** Milliseconds since a full outlet passed something on. */
  stalledFor({ monotonic }: Moment): number {
    const { pending } = this.#outlet
    if (pending < this.#pending) this.#lastDrained = monotonic
    this.#pending = pending
    return monotonic - this.#lastDrained
  }

  /** The client's progress, to be saved; undefined if it has not changed. */
  takeProgress(now: Moment): Progress | undefined {
    if (this.uuid === undefined || this.#state === 'ended') return undefined
    const progress = this.#progress(this.position, now)
    const text = `${progress.cursor} ${progress.position}`
    if (text === this.#saved) return undefined
    this.#saved = text
    return progress
  }

  /** The progress of a stream that has ended. */
  lastProgress(trustCleanClose: boolean): Progress {
    const now = this.#owner.now()
    const progress = this.#progress(this.#cursor, now)
    const hasAll =
      trustCleanClose && this.#outlet.closedCleanly && now.monotonic - this.#lastDocument >= idleBeforeClose
    const hasBegun = this.#saved !== '' || this.#outlet.closedCleanly
    return { ...progress, connected: false, hasBegun, ...(hasAll && { cursor: this.#cursor }) }
  }

  /** With the cursor before everything that may not have arrived. */
  #progress(position: bigint, { monotonic }: Moment): Progress {
    return {
      uuid: this.uuid ?? '',
      owner: this.owner,
      position,
      cursor: this.#window?.confirmed(position, monotonic) ?? position,
      lastWrite: this.#lastWrite,
      connected: true,
      hasBegun: true,
    }
  }

  // Ending ------------------------------------------------------------------------------------------------------

  /** Ends the stream from our side; its client may come back. */
  end(): void {
    // A client that reads nothing does not read the end either, and the connection would stay open for ever.
    if (this.#state === 'full') this.#outlet.cut()
    else this.#outlet.end()
    this.#close()
  }

  #close(): void {
    if (this.#state === 'ended') return
    this.#cursor = this.position
    this.#state = 'ended'
    this.#awaitingRoom?.()
    this.#owner.ended(this)
  }
}

/** Milliseconds without a document after which an orderly close means that everything arrived. */
const idleBeforeClose = 1000
