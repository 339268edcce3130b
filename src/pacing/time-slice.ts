// Long work in the main thread yields to others at intervals.

import { setImmediate as nextRound } from 'node:timers/promises'

/**
 * Milliseconds. A new caller needs a few rounds until it is answered, and they should not add up to a noticeable delay.
 */
const slice = 8

interface TimeSliceParts {
  /** Milliseconds, monotonic. */
  readonly clock?: () => number
  /** Lets others work, for this long at most. */
  readonly yieldThread?: (milliseconds: number) => Promise<unknown>
  /** Calls back when the event loop has gone round: others have had the thread. */
  readonly onLoopTurn?: (turned: () => void) => void
}

export class TimeSlice {
  readonly #clock: () => number
  readonly #pause: (milliseconds: number) => Promise<unknown>
  readonly #onTurn: (turned: () => void) => void
  /**
   * When the work began that has held the thread since the last round of the event loop; undefined when there has been
   * one.
   */
  #since: number | undefined

  constructor({
    clock = () => performance.now(),
    yieldThread: pause = yieldThread,
    onLoopTurn = setImmediate,
  }: TimeSliceParts = {}) {
    this.#clock = clock
    this.#pause = pause
    this.#onTurn = onLoopTurn
  }

  /** To be called between small steps: most of the time there is nothing to wait for. */
  step(): Promise<void> | undefined {
    if (this.#since === undefined) {
      this.#begin()
      return undefined
    }
    const held = this.#clock() - this.#since
    return held < slice ? undefined : this.yieldNow(held)
  }

  /** Lets others work now, for this long at most or until they have nothing to do. */
  async yieldNow(milliseconds = slice): Promise<void> {
    await this.#pause(milliseconds)
    this.#since = undefined
  }

  #begin(): void {
    this.#since = this.#clock()
    this.#onTurn(() => {
      this.#since = undefined
    })
  }
}

// Long work yields: everything else that is due in this thread runs in between.

/** A round of the event loop that took less, in milliseconds, had nothing to do. */
const quiet = 0.2
/** What one round reads is begun in the next, and answered in a third. */
const quietRounds = 4

/**
 * Lets others work for as long as the work before took, or until they have nothing more to do: where traps come faster
 * than they are processed, answers and streams have half of the thread, and all of it is used where there are none.
 */
export async function yieldThread(
  took: number,
  clock: () => number = () => performance.now(),
  round: () => Promise<unknown> = nextRound,
): Promise<void> {
  const end = clock() + took
  let quietFor = 0
  for (let before = clock(); quietFor < quietRounds; ) {
    await round()
    const now = clock()
    quietFor = now - before < quiet ? quietFor + 1 : 0
    if (now >= end) return
    before = now
  }
}

// Work of many streams, done one chunk after the other and a little at a time: it keeps nobody else waiting.

/** For how many milliseconds chunks are done before everything else has its turn. */
const queueSlice = 5

export class TimeSlicedQueue {
  readonly #clock: () => number
  readonly #waiting: (() => Promise<void>)[] = []
  #isServing = false

  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock
  }

  /** Runs a short piece of work when it is its turn, and when the one before it is done. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    this.#waiting.push(() => work().then(resolve, reject))
    this.#serveSoon()
    return promise
  }

  #serveSoon(): void {
    if (this.#isServing) return
    this.#isServing = true
    setImmediate(() => this.#serve())
  }

  async #serve(): Promise<void> {
    const began = this.#clock()
    while (this.#waiting.length > 0 && this.#clock() - began < queueSlice) await this.#waiting.shift()?.()
    this.#isServing = false
    if (this.#waiting.length > 0) this.#serveSoon()
  }
}

/**
 * Reads a long list in chunks, until one is not full or the caller has disconnected, and lets other work run in between.
 * `read` gets the last row of the previous chunk.
 */
export async function* chunksOf<T>(
  size: number,
  isGone: () => boolean,
  read: (last: T | undefined) => Promise<readonly T[]>,
): AsyncGenerator<readonly T[]> {
  for (let last: T | undefined; !isGone(); ) {
    const chunk = await read(last)
    yield chunk
    if (chunk.length < size) return
    last = chunk.at(-1)
    await nextRound()
  }
}
