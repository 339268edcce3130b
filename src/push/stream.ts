// One client's stream: a cursor over the log, and an outlet. Nothing is queued for it: a client that does not read is only
// further behind. Its state and its cursor change here and nowhere else.

import { DeliveryWindow } from './delivery-window.ts'
import type { Outlet } from './outlet.ts'
import type { Progress } from './registrations.ts'
import type { Variant } from './stream-documents.ts'
import type { Filter } from './stream-filter.ts'

/**
 * `reading`: catching up with the log. `waiting`: has all there is, and is given what is new. `full`: its outlet takes
 * nothing just now; when it does again, the stream is reading. `ended`: for good.
 */
export type State = 'reading' | 'waiting' | 'full' | 'ended'

/** The wall clock is for people; durations are measured by the steady one, which never jumps. */
export interface Moment {
  readonly wall: number
  readonly steady: number
}

/** The owner of streams. */
export interface StreamOwner {
  /** The number of the last entry that streams which wait have been offered. */
  readonly head: bigint
  now(): Moment
  /** Called once when a stream has ended. */
  ended(stream: Stream): void
}

export interface StreamOptions {
  readonly outlet: Outlet
  readonly filter: Filter
  readonly variant: Variant
  /** The filter as it was asked for. */
  readonly query: string
  /** Absent: the registration lasts as long as its connection. */
  readonly uuid?: string | undefined
  /** Identifies the connection that owns the uuid, until a newer one does. */
  readonly owner?: string | undefined
  /** The operator who owns it. */
  readonly holder: string
  /** Whether its client knows positions: it brought one. */
  readonly knowsPositions: boolean
  /** What was pushed before this time was not sent to it. */
  readonly sentFrom: number
  readonly cursor: bigint
  /** Whether its client may still have it. */
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
  /** Absent for a client that cannot come back: nothing is repeated to it, and it may live for months. */
  readonly #trail: DeliveryWindow | undefined
  #state: State = 'reading'
  #cursor: bigint
  #lastWrite: number
  /** When something was last written, on the steady clock as all that follows. */
  #quietSince: number
  /** The same for documents alone: a lost sign of life is no loss. */
  #lastDocument: number
  /** When a full outlet last passed something on, and what it held then. */
  #lastTaken = 0
  #pending = 0
  #awaitingRoom: (() => void) | undefined
  #saved = ''

  constructor(keeper: StreamOwner, options: StreamOptions) {
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
    this.#owner = keeper
    this.#outlet = outlet
    this.#trail = uuid === undefined ? undefined : new DeliveryWindow()
    this.#cursor = cursor
    const { wall, steady } = keeper.now()
    this.began = wall
    this.#lastWrite = wall
    this.#quietSince = steady
    this.#lastDocument = steady
  }

  get state(): State {
    return this.#state
  }

  /** Everything up to here was written or does not concern it; what is new while it waits is not counted. */
  get cursor(): bigint {
    return this.#cursor
  }

  /** When something was last written, on the wall clock. */
  get lastWrite(): number {
    return this.#lastWrite
  }

  /** Bytes that its client has not taken yet. */
  get pending(): number {
    return this.#outlet.pending
  }

  /** How far it has come. */
  get position(): bigint {
    const { head } = this.#owner
    return this.#state === 'waiting' && head > this.#cursor ? head : this.#cursor
  }

  /** Listens to its outlet from now on. */
  begin(): void {
    this.#outlet.watch({ room: () => this.#hasRoom(), gone: () => this.#close() })
    // It may have gone while its start was looked up.
    if (this.#outlet.isGone) this.#close()
  }

  // Writing -----------------------------------------------------------------------------------------------------

  /** Writes documents and moves the cursor behind them. Afterwards the stream may be full. */
  write(piece: Buffer | string, upTo: bigint): void {
    if (this.#state === 'ended') return
    const { steady } = this.#owner.now()
    this.#trail?.noteWrite(this.#cursor, piece.length, steady)
    this.#cursor = upTo
    this.#lastDocument = steady
    this.#put(piece)
  }

  /** The same for one that waits: nothing since its last document concerned it. */
  writeNew(piece: Buffer, upTo: bigint): void {
    this.#cursor = this.position
    this.write(piece, upTo)
  }

  /** Signs of life: nothing that would be missed. */
  writeOutOfBand(piece: string): void {
    this.#put(piece)
  }

  #put(piece: Buffer | string): void {
    if (this.#state === 'ended') return
    const { wall, steady } = this.#owner.now()
    this.#lastWrite = wall
    this.#quietSince = steady
    if (this.#outlet.write(piece) || this.#isEnded) return
    this.#state = 'full'
    this.#lastTaken = steady
    this.#pending = this.#outlet.pending
  }

  /** An outlet may end while it is written to; the type checker cannot know. */
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

  /** Nothing up to there concerns it. */
  pass(upTo: bigint): void {
    this.#cursor = upTo
  }

  /** It has all there is. */
  wait(): void {
    if (this.#state === 'reading') this.#state = 'waiting'
  }

  /** Takes one that waits out of step with the others: it goes on by itself. */
  leave(): void {
    if (this.#state !== 'waiting') return
    this.#cursor = this.position
    this.#state = 'reading'
  }

  // Over time ---------------------------------------------------------------------------------------------------

  /** For how many milliseconds nothing was written. */
  quietFor({ steady }: Moment): number {
    return steady - this.#quietSince
  }

  /** For how many milliseconds a full outlet has passed nothing on. */
  stalledFor({ steady }: Moment): number {
    const { pending } = this.#outlet
    if (pending < this.#pending) this.#lastTaken = steady
    this.#pending = pending
    return steady - this.#lastTaken
  }

  /** How far its client has come, to be saved; undefined where that has not changed. */
  takeProgress(now: Moment): Progress | undefined {
    if (this.uuid === undefined || this.#state === 'ended') return undefined
    const progress = this.#progress(this.position, now)
    const text = `${progress.cursor} ${progress.position}`
    if (text === this.#saved) return undefined
    this.#saved = text
    return progress
  }

  /** The same for one that has ended. */
  lastProgress(trustCleanClose: boolean): Progress {
    const now = this.#owner.now()
    const progress = this.#progress(this.#cursor, now)
    const hasAll =
      trustCleanClose && this.#outlet.closedCleanly && now.steady - this.#lastDocument >= idleBeforeClose
    const hasBegun = this.#saved !== '' || this.#outlet.closedCleanly
    return { ...progress, connected: false, hasBegun, ...(hasAll && { cursor: this.#cursor }) }
  }

  /** The cursor lies before all that may not have arrived. */
  #progress(position: bigint, { steady }: Moment): Progress {
    return {
      uuid: this.uuid ?? '',
      owner: this.owner,
      position,
      cursor: this.#trail?.confirmed(position, steady) ?? position,
      lastWrite: this.#lastWrite,
      connected: true,
      hasBegun: true,
    }
  }

  // Ending ------------------------------------------------------------------------------------------------------

  /** Ends it from our side; its client may come back. */
  end(): void {
    // A client that reads nothing does not read an end either, and would be kept for ever.
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
