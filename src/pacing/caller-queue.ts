// Work that is done for callers, a few pieces at a time: few wait, and each only as long as its caller does.

import { Fault } from '../fault.ts'

/** Who asked, and when they no longer do. */
export interface Requester {
  readonly by: string
  readonly gone: AbortSignal
}

interface Limits {
  /** What is made, in the plural. */
  readonly noun: string
  readonly atOnce: number
  /** How many may be under way and wait, and how many of these may be of one caller. */
  readonly overall: number
  readonly each: number
}

interface Piece {
  /** Absent for the service's own work, which is not limited. */
  readonly asked: Requester | undefined
  begun: boolean
  begin(): void
}

export class CallerQueue {
  readonly #limits: Limits
  /** In order: those under way are the first ones. */
  readonly #pieces: Piece[] = []
  readonly #stopping = new AbortController()

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /**
   * Throws where too many wait, and when the caller goes or the service stops before its turn. After that `dropped` says
   * so, to work that can be ended.
   */
  async run<T>(asked: Requester | undefined, work: (dropped: AbortSignal) => Promise<T>): Promise<T> {
    if (asked) this.requireRoom(asked)
    const dropped = asked ? AbortSignal.any([asked.gone, this.#stopping.signal]) : neverDropped()
    const piece = await this.#turn(asked, dropped)
    try {
      if (dropped.aborted) throw reasonOf(dropped)
      return await work(dropped)
    } finally {
      this.#remove(piece)
    }
  }

  requireRoom({ by }: Requester): void {
    const { noun, overall, each } = this.#limits
    const asked = this.#pieces.filter((piece) => piece.asked)
    if (asked.length >= overall) {
      throw new Fault('too-many-requests', `${overall} ${noun} are being made or wait: try again later`)
    }
    if (asked.filter((piece) => piece.asked?.by === by).length >= each) {
      throw new Fault('too-many-requests', `${each} ${noun} for you are being made or wait: try again later`)
    }
  }

  #turn(asked: Requester | undefined, dropped: AbortSignal): Promise<Piece> {
    return new Promise((resolve, reject) => {
      if (dropped.aborted) {
        reject(reasonOf(dropped))
        return
      }
      const leave = () => {
        this.#remove(piece)
        reject(reasonOf(dropped))
      }
      const piece: Piece = {
        asked,
        begun: false,
        begin() {
          this.begun = true
          dropped.removeEventListener('abort', leave)
          resolve(piece)
        },
      }
      dropped.addEventListener('abort', leave)
      this.#pieces.push(piece)
      this.#beginNext()
    })
  }

  #remove(piece: Piece): void {
    this.#pieces.splice(this.#pieces.indexOf(piece), 1)
    this.#beginNext()
  }

  #beginNext(): void {
    for (const piece of this.#pieces.slice(0, this.#limits.atOnce)) if (!piece.begun) piece.begin()
  }

  /** Nothing more is begun for callers, and whoever waits is told so. */
  stop(): void {
    this.#stopping.abort(new Fault('unavailable', 'the service is stopping'))
  }
}

const neverDropped = () => new AbortController().signal

/** Why work was dropped, for its caller. */
export const reasonOf = ({ reason }: AbortSignal): Fault =>
  reason instanceof Fault ? reason : new Fault('unavailable', 'the caller is gone')
