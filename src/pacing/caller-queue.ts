// Runs tasks for callers, a few at a time. The number of waiting tasks is limited, and a task is dropped when its
// caller disconnects.

import { Fault } from '../fault.ts'

/** Who asked, and a signal for when they have disconnected. */
export interface Requester {
  readonly by: string
  readonly gone: AbortSignal
}

interface Limits {
  /** What the tasks make, in the plural. */
  readonly noun: string
  readonly atOnce: number
  /** The most tasks that run or wait, and the most of one caller. */
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
  /** In order; the first ones are running. */
  readonly #pieces: Piece[] = []
  readonly #stopping = new AbortController()

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /**
   * Throws if too many wait, or if the caller disconnects or the service stops before the task begins. A running task
   * learns of that by `dropped`.
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

  /** Begins nothing more for callers, and refuses those that wait. */
  stop(): void {
    this.#stopping.abort(new Fault('unavailable', 'the service is stopping'))
  }
}

const neverDropped = () => new AbortController().signal

/** Why work was dropped, for its caller. */
export const reasonOf = ({ reason }: AbortSignal): Fault =>
  reason instanceof Fault ? reason : new Fault('unavailable', 'the caller is gone')
