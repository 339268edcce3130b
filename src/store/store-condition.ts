// The health of a store: what fails, and whether it still does.

import type { Fault } from '../fault.ts'

/** A real, small write: it shows whether anything can be written. */
export const probeSql =
  "insert into counter (name, value) values ('probe', 1) on conflict (name) do update set value = counter.value + 1"

/** What can fail while the rest goes on. `beside`: what is written beside the transactions that run alone. */
export type Part = 'writing' | 'beside' | 'reading' | 'journal'

interface Failure {
  readonly fault: Fault
  readonly at: number
  /** Does again what failed. */
  readonly retry: (() => Promise<unknown>) | undefined
}

/** Milliseconds. Something that fails now and then is one failure, not many. */
const holdOn = 4000
/** A write this recent is proof enough. */
const recent = 5000

export class StoreCondition {
  readonly #probe: () => Promise<unknown>
  readonly #onTrouble: (trouble: Fault | undefined) => void
  readonly #clock: () => number
  readonly #failures = new Map<Part, Failure>()
  #lastWrite = Number.NEGATIVE_INFINITY
  #reported: Fault | undefined

  /** `probe` runs the statement above; `onTrouble` is called when a failure begins, and without one when it is over. */
  constructor(
    probe: () => Promise<unknown>,
    onTrouble: (trouble: Fault | undefined) => void = () => undefined,
    clock = () => performance.now(),
  ) {
    this.#probe = probe
    this.#onTrouble = onTrouble
    this.#clock = clock
  }

  /** As far as is known. */
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

  /** Without a `retry`, a write that works shows that it is over. */
  failed(part: Part, fault: Fault, retry?: () => Promise<unknown>): void {
    this.#failures.set(part, { fault, at: this.#clock(), retry })
    this.#report()
  }

  works(part: Part): void {
    this.#failures.delete(part)
    this.#report()
  }

  /** Checks what is in doubt, and throws what is wrong. */
  async requireHealthy(): Promise<void> {
    for (const [part, failure] of this.#failures) await this.#tryAgain(part, failure)
    if (!this.trouble && this.#clock() - this.#lastWrite > recent) await this.#write()
    if (this.trouble) throw this.trouble
  }

  async #tryAgain(part: Part, { at, retry }: Failure): Promise<void> {
    // The journal is tried again by the thread that works it off.
    if (part === 'journal' || this.#clock() - at < holdOn) return
    if (retry) await retry().catch(() => undefined)
    else if (this.#lastWrite <= at) await this.#write()
    // Where it failed once more, that is recorded by now.
    if (this.#failures.get(part)?.at === at) this.works(part)
  }

  /** Its outcome is recorded by the writer. */
  async #write(): Promise<void> {
    await this.#probe().catch(() => undefined)
  }

  #report(): void {
    if ((this.trouble === undefined) === (this.#reported === undefined)) return
    this.#reported = this.trouble
    this.#onTrouble(this.trouble)
  }
}
