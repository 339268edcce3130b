// A clock that is set from one happening to the next.

interface Happening {
  readonly at: number
  readonly act: () => Promise<void>
}

export class Timeline {
  /** Milliseconds since 1970, as the happenings see it. */
  now: number
  /** The latest first, so that the next one is taken from the end. */
  readonly #waiting: Happening[] = []

  constructor(now: number) {
    this.now = now
  }

  /** Of two at the same time, the one that was added first comes first. */
  add(at: number, act: () => Promise<void>): void {
    const before = this.#waiting.findIndex((other) => other.at <= at)
    this.#waiting.splice(before < 0 ? this.#waiting.length : before, 0, { at, act })
  }

  /** Lets everything happen that is due until a time; `between` is called before each. */
  async run(until: number, between: () => Promise<void>): Promise<void> {
    for (let next = this.#waiting.pop(); next && next.at <= until; next = this.#waiting.pop()) {
      this.now = next.at
      await between()
      await next.act()
    }
    this.now = until
  }
}
