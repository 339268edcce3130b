// The health of a store: which of its functions fail, and whether they still do.

import type { Fault } from '../fault.ts'

/** A small write that shows whether the store can be written. */
export const probeSql =
  "insert into counter (name, value) values ('probe', 1) on conflict (name) do update set value = counter.value + 1"

/** Functions that can fail while others work. `beside`: concurrent writes. */
export type Part = 'writing' | 'beside' | 'reading' | 'journal'

interface Failure {
  readonly fault: Fault
  readonly at: number
  /** Repeats the operation that failed. */
  readonly retry: (() => Promise<unknown>) | undefined
}

/** Milliseconds a failure lasts at least, so that intermittent failures count as one. */
const minFailureTime = 4000
/** Milliseconds for which a write proves that writing works. */
const recentWrite = 5000

export class StoreCondition {
  readonly #probe: () => Promise<unknown>
  readonly #onTrouble: (trouble: Fault | undefined) => void
  readonly #clock: () => number
  readonly #failures = new Map<Part, Failure>()
  #lastWrite = Number.NEGATIVE_INFINITY
  #reported: Fault | undefined

  /**
   * `probe` runs the statement above; `onTrouble` is called when a failure begins, and without a fault when it is over.
   */
  constructor(
    probe: () => Promise<unknown>,
    onTrouble: (trouble: Fault | undefined) => void = () => undefined,
    clock = () => performance.now(),
  ) {
    this.#probe = probe
    this.#onTrouble = onTrouble
    this.#clock = clock
  }

  /** The oldest known failure. */
  get trouble(): Fault | undefined {
    const [first] = this.#failures.values()
    return first?.fault
  }

  failureOf(part: Part): Fault | undefined {
    return this.#failures.get(part)?.fault
  }

  wrote(): void {
    this.#lastWrite = this.#clock()
  }

  /** Without `retry`, the next successful write ends the failure. */
  failed(part: Part, fault: Fault, retry?: () => Promise<unknown>): void {
    this.#failures.set(part, { fault, at: this.#clock(), retry })
    this.#report()
  }

  works(part: Part): void {
    this.#failures.delete(part)
    this.#report()
  }

  /** Retries what failed, and throws if it still fails. */
  async requireHealthy(): Promise<void> {
    for (const [part, failure] of this.#failures) await this.#tryAgain(part, failure)
    if (!this.trouble && this.#clock() - this.#lastWrite > recentWrite) await this.#write()
    if (this.trouble) throw this.trouble
  }

  async #tryAgain(part: Part, { at, retry }: Failure): Promise<void> {
    // The journal is retried by the thread that checkpoints it.
    if (part === 'journal' || this.#clock() - at < minFailureTime) return
    if (retry) await retry().catch(() => undefined)
    else if (this.#lastWrite <= at) await this.#write()
    // If it failed again, that has replaced the failure.
    if (this.#failures.get(part)?.at === at) this.works(part)
  }

  /** The writer records the outcome. */
  async #write(): Promise<void> {
    await this.#probe().catch(() => undefined)
  }

  #report(): void {
    if ((this.trouble === undefined) === (this.#reported === undefined)) return
    this.#reported = this.trouble
    this.#onTrouble(this.trouble)
  }
}
