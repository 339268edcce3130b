// The clock of the PostgreSQL server, which all services on the store share. It is read at intervals; in between, the
// monotonic clock of this machine is used, so that setting the machine's time has no effect.

/** Milliseconds since 1970 on the server's clock. */
export const clockSql = '(extract(epoch from clock_timestamp()) * 1000)::bigint'

/** Milliseconds after which it is read again, with the next write. */
const readInterval = 1000

/** The nearest value between two bounds. */
export const clamp = (value: number, low: number, high: number): number =>
  Math.min(Math.max(value, low), high)

export class StoreClock {
  readonly #monotonic: () => number
  /** Added to the monotonic clock. */
  #offset: number | undefined
  #readAt = Number.NEGATIVE_INFINITY

  constructor(monotonic: () => number = () => performance.now()) {
    this.#monotonic = monotonic
  }

  /** Before the first reading, the time of this machine. */
  now(): number {
    return this.#offset === undefined ? Date.now() : Math.floor(this.#monotonic() + this.#offset)
  }

  /** Reads the server's time with `read`, unless that was done recently. */
  async update(read: () => Promise<number>): Promise<void> {
    const before = this.#monotonic()
    if (before - this.#readAt < readInterval) return
    const serverTime = await read()
    const after = this.#monotonic()
    // The server answered somewhere between `before` and `after`: the offset moves only if it contradicts that.
    const [low, high] = [serverTime - after, serverTime - before]
    this.#offset = clamp(this.#offset ?? (low + high) / 2, low, high)
    this.#readAt = after
  }
}
