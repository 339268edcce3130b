// Counts recent datagrams by outcome, for a chart of the last hours. In memory only; the ledger stores the sums.

import { type Outcome, outcomes } from '../alarms/engine/incoming-trap.ts'

/** The counts of one interval. */
interface TrafficInterval {
  /** When it began, in milliseconds. */
  readonly time: number
  readonly counts: ReadonlyMap<Outcome, number>
}

export const intervalSeconds = 60
const kept = 24 * 60

export class Traffic {
  readonly #sums: ReadonlyMap<Outcome, number>
  readonly #intervals: TrafficInterval[] = []
  #before: Map<Outcome, number>
  #began: number

  /** `sums` are the engine's counts since the start. */
  constructor(sums: ReadonlyMap<Outcome, number>, now: number) {
    this.#sums = sums
    this.#before = new Map(sums)
    this.#began = now
  }

  /** Called more often than intervals end; closes the current one if it is over. */
  closeInterval(now: number): void {
    if (now - this.#began < intervalSeconds * 1000) return
    this.#intervals.push(this.#current())
    if (this.#intervals.length > kept) this.#intervals.shift()
    this.#before = new Map(this.#sums)
    this.#began = now
  }

  /** The oldest first; the last one is still open. */
  get intervals(): readonly TrafficInterval[] {
    return [...this.#intervals, this.#current()]
  }

  #current(): TrafficInterval {
    const counts = outcomes.map(
      (bin) => [bin, (this.#sums.get(bin) ?? 0) - (this.#before.get(bin) ?? 0)] as const,
    )
    return { time: this.#began, counts: new Map(counts.filter(([, n]) => n > 0)) }
  }
}
