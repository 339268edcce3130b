// Streams that catch up take turns, so that many of them at once keep nobody else waiting.

/** For how many milliseconds they may work before everything else has its turn. */
const slice = 5

export class Turns {
  readonly #waiting: (() => Promise<void>)[] = []
  #isServing = false

  /** Runs a short piece of work when it is its turn. */
  run(work: () => Promise<void>): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
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
    const began = performance.now()
    while (this.#waiting.length > 0 && performance.now() - began < slice) await this.#waiting.shift()?.()
    this.#isServing = false
    if (this.#waiting.length > 0) this.#serveSoon()
  }
}
