// Work of many streams, done one chunk after the other and a little at a time: it keeps nobody else waiting.

/** For how many milliseconds chunks are done before everything else has its turn. */
const slice = 5

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
    while (this.#waiting.length > 0 && this.#clock() - began < slice) await this.#waiting.shift()?.()
    this.#isServing = false
    if (this.#waiting.length > 0) this.#serveSoon()
  }
}
